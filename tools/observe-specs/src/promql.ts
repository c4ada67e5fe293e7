/** A series in an expression, with its label selectors. */
export type Selector = { metric: string; labels: string[] };

/** The names in an expression: the series it reads, and the labels by which it groups or joins them. */
export type Words = { selectors: Selector[]; grouping: string[] };

const OPERATORS = new Set(
  'and or unless by without on ignoring group_left group_right offset bool start end inf nan'.split(' '),
);

/** Parses only the part of PromQL that our files use; Prometheus itself checks that an expression is valid. */
export function wordsOf(expr: string): Words {
  const grouping: string[] = [];
  const withoutText = expr
    .replace(/#.*/g, '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/\[[^[\]]*\]/g, '')
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
