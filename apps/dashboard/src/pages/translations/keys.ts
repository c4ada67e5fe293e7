/** The texts of a content with their keys: objects inside objects are keys with dots. */
export function keysIn(content: unknown, prefix = ''): [key: string, text: string][] {
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? keysIn(value, `${prefix}${name}.`)
      : [[prefix + name, typeof value === 'string' ? value : String(value)]],
  );
}
