/** An escaped backslash, to be passed over; or a character that Postgres does not store: NUL, and half of a pair. */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/gi;

/**
 * JSON that Postgres can store. What providers answer and templates render is not checked by anybody, and one such
 * character would take all that is written in the same statement with it.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : '\ufffd')) : text;
}
