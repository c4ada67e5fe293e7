/** Locales of subscribers and translations: a language, then optionally a script and a region, such as `de_AT`. */

const LOCALE = /^([a-z]{2,3})(?:[_-]([a-z]{4}))?(?:[_-]([a-z]{2}|\d{3}))?$/i;

/** The locale in the usual spelling (`de-at` becomes `de_AT`); undefined when the text is not a locale. */
export function normalizedLocale(text: string): string | undefined {
  const [, language, script, region] = LOCALE.exec(text.trim()) ?? [];
  if (language === undefined) return undefined;
  return [
    language.toLowerCase(),
    ...(script === undefined ? [] : [script.charAt(0).toUpperCase() + script.slice(1).toLowerCase()]),
    ...(region === undefined ? [] : [region.toUpperCase()]),
  ].join('_');
}

/** The locales in which a text is looked for, the best first: itself, without region and script, the default. */
export function localeChain(locale: string | null | undefined, defaultLocale: string | undefined): string[] {
  const chain = new Set<string>();
  for (const start of [normalizedLocale(locale ?? ''), defaultLocale]) {
    for (let current = start; current; current = current.slice(0, Math.max(current.lastIndexOf('_'), 0))) {
      chain.add(current);
    }
  }
  return [...chain];
}
