/** For `LIKE '%text%'`: the text with all pattern characters of LIKE escaped. */
export const likeSubstring = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/**
 * The condition that a column with a trigram index contains a text. The index looks up every three characters of the
 * text, and those that all rows share (`user` in user123, the domain of an address) are slow: each matches the whole
 * table. So the index searches the part that is different between rows, and the whole text is compared with the rows
 * found, in a form that the index does not see.
 */
export function contains(
  column: string,
  text: string,
  parameters: unknown[],
  operator: 'LIKE' | 'ILIKE' = 'LIKE',
): string {
  const part = tellingPart(text);
  const whole = `$${parameters.push(likeSubstring(text))}`;
  if (part === text) return `${column} ${operator} ${whole}`;
  return `${column} ${operator} $${parameters.push(likeSubstring(part))} AND (${column} || '') ${operator} ${whole}`;
}

/** The name before the domain of an address, or the last digits of a number with what precedes them. */
export function tellingPart(text: string): string {
  const [name = text] = /^[^@]{3,}@/.exec(text) ?? [];
  const [number = name] = /[^]{0,2}\d{3,6}@?$/.exec(name) ?? [];
  return number;
}
