/** The text with every output and tag mapped, in one pass. Each ends at the first `}}` or `%}`. */
export function mapBraces(text: string, map: (braces: string) => string): string {
  let mapped = '';
  let begin = 0;
  for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', Math.max(open + 1, begin))) {
    if (text[open + 1] !== '{' && text[open + 1] !== '%') continue;
    const end = endOf(text, open);
    // What does not end here ends nowhere after it either.
    if (end < 0) break;
    mapped += text.slice(begin, open) + map(text.slice(open, end));
    begin = end;
  }
  return mapped + text.slice(begin);
}

/** The index after the braces that begin at `open`; -1 when they are not closed. */
function endOf(text: string, open: number): number {
  for (let close = text.indexOf('}', open + 3); close >= 0; close = text.indexOf('}', close + 1)) {
    if (text[close - 1] === '}' || text[close - 1] === '%') return close + 1;
  }
  return -1;
}
