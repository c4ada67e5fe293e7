/** An escaped backslash, which is skipped, or what Postgres cannot store: NUL, half of a surrogate pair. */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/gi;

/** JSON that Postgres can store. One bad character of a provider would fail the whole statement. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(ESCAPES, (escape) => (escape === '\\\\' ? escape : '\ufffd')) : text;
}
