/** The characters that JSON escapes and the text of an array does not: those before the space. */
const NEEDS_OWN_ESCAPES = /[^ -\uffff]/;

/**
 * An element of an array of Postgres. A text with many quotes is most often JSON, whose escapes are the same: V8 writes
 * them three times as fast as it replaces by an expression.
 */
export function arrayElement(text: string | null): string {
  if (text === null) return 'NULL';
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  if (text.isWellFormed() && !NEEDS_OWN_ESCAPES.test(text)) return JSON.stringify(text);
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** The text of an array of Postgres. Undefined when its elements are not texts, numbers, booleans or null. */
export function arrayText(values: readonly unknown[]): string | undefined {
  let text = '';
  for (const value of values) {
    if (text !== '') text += ',';
    if (typeof value === 'string') text += arrayElement(value);
    else if (value === null || value === undefined) text += 'NULL';
    else if (typeof value === 'number' || typeof value === 'boolean') text += String(value);
    else return undefined;
  }
  return `{${text}}`;
}
