/** For `LIKE '%text%'`: the text itself, with nothing in it that LIKE would read as a pattern. */
export const likeSubstring = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/**
 * The condition that a column with an index over trigrams contains a text.
 *
 * Such an index looks up every three characters of the text, and those that all rows share (`user` in user123, the domain
 * of an address) cost far more than they tell: each is a list of the whole table. So the index is asked for the part that
 * tells rows apart, and the whole text is compared with the rows it finds, out of the index's sight.
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

/** The name before the domain of an address, and of what ends in a number the last digits with what stands before them. */
export function tellingPart(text: string): string {
  const [name = text] = /^[^@]{3,}@/.exec(text) ?? [];
  const [number = name] = /[^]{0,2}\d{3,6}@?$/.exec(name) ?? [];
  return number;
}
