/**
 * A URL without slashes at its end. The expression looks at the first slash of each run only: without the condition
 * before it, a run that is not at the end takes quadratic time.
 */
export const withoutTrailingSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '');
