/**
 * Matches an escaped backslash, which is skipped, or a character that Postgres does not store: NUL, or half of a
 * surrogate pair.
 */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/gi;

/**
 * JSON that Postgres can store. Responses of providers and rendered templates are not validated, and one such character
 * would fail the whole statement.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : '\ufffd')) : text;
}
