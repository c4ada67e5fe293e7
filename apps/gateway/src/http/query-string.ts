const MEANINGFUL_EMPTY = 'contextKeys';

/**
 * Reads a query string. Clients write lists in several ways: `a=1&a=2`, `a[]=1`, `a[0]=1`; all give an array, a single
 * `a=1` stays a text (the DTOs of list parameters accept both). Nested brackets mean nothing and stay part of the name.
 *
 * Forms send a parameter without a value for a field that was left empty: it counts as not given, in every query. Only
 * `contextKeys` says something with it: rows without any context.
 */
export function parseQueryString(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null);
  for (const [rawName, value] of new URLSearchParams(text)) {
    const name = rawName.replace(/\[\d{0,3}\]$/, '');
    if (value === '' && name !== MEANINGFUL_EMPTY) continue;
    const isList = name !== rawName;
    const known = result[name];
    if (known === undefined) result[name] = isList ? [value] : value;
    else if (Array.isArray(known)) known.push(value);
    else result[name] = [known, value];
  }
  return result;
}
