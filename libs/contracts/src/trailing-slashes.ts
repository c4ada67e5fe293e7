/** The expression looks at the first slash of each run only, because otherwise it takes quadratic time. */
export const withoutTrailingSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
