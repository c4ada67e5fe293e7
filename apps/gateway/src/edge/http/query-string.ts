const MEANINGFUL_EMPTY = 'contextKeys';

/**
 * Parses a query string. Clients write lists in several ways: `a=1&a=2`, `a[]=1`, `a[0]=1`. All of them give an array;
 * a single `a=1` stays a string (the DTOs of list parameters accept both). Nested brackets stay part of the name.
 *
 * Forms send a parameter without a value for a field that was left empty. Such a parameter is ignored in every query,
 * except `contextKeys`, where it selects rows without a context.
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
