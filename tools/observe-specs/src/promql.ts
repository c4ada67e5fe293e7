/** A series as an expression names it, with the labels it is picked by. */
export type Selector = { metric: string; labels: string[] };

/** The words of an expression: which series it reads, and by which labels it groups or joins them. */
export type Words = { selectors: Selector[]; grouping: string[] };

const OPERATORS = new Set(
  'and or unless by without on ignoring group_left group_right offset bool start end inf nan'.split(' '),
);

/** Enough of PromQL for what we write; that an expression is valid as a whole is for Prometheus to say. */
export function wordsOf(expr: string): Words {
  const grouping: string[] = [];
  const withoutText = expr
    .replace(/#.*$/gm, '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, _word: string, labels: string) => {
      grouping.push(...namesIn(labels));
      return '';
    });
  const selectors: Selector[] = [];
  for (const match of withoutText.matchAll(/(?<![\w:.$])([a-zA-Z_:][\w:]*)\s*(\(|\{([^}]*)\})?/g)) {
    const [, name, after, matchers] = match as unknown as [string, string, string | undefined, string | undefined];
    if (after === '(' || OPERATORS.has(name.toLowerCase())) continue;
    selectors.push({ metric: name, labels: matchers === undefined ? [] : namesIn(matchers) });
  }
  return { selectors, grouping };
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((part) => /^\s*([a-zA-Z_]\w*)/.exec(part)?.[1])
    .filter((name): name is string => name !== undefined);
