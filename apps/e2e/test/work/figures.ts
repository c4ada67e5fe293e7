/** Figures of one case, in groups, for example the statements of each role. */
export type Figures = Record<string, Record<string, number>>;
/** By the name of the case. */
export type FigureTable = Record<string, Figures>;

/** A figure that grows by more has to be written to the table; so has one that shrinks by so much. */
const GROWTH = 0.03;
const SHRINKING = 0.1;
const LINE = 120;

/** A figure that is not as the table says. */
export type Difference = { group: string; key: string; text: string };

/** Groups that were not measured are not compared. */
export function compareFigures(name: string, expected: Figures = {}, measured: Figures): Difference[] {
  return Object.keys(measured).flatMap((group) => {
    const [before, after] = [expected[group] ?? {}, measured[group]!];
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const [was, is] = [before[key] ?? 0, after[key] ?? 0];
      if (is <= was * (1 + GROWTH) && is >= was * (1 - SHRINKING)) return [];
      const change = was === 0 ? 'new' : `${is > was ? '+' : ''}${Math.round((is / was - 1) * 100)} %`;
      return [{ group, key, text: `${name}: ${group}, ${key}: ${was} in the table, ${is} now (${change})` }];
    });
  });
}

/** Each text once, with its number. */
export function tally(texts: string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} x ${text}`)).join(', ');
}

/** The middle of an odd number of values: what happens once a minute or so is in few of them. */
export function medianOf(all: Record<string, number>[]): Record<string, number> {
  const keys = [...new Set(all.flatMap((one) => Object.keys(one)))];
  const middle = (key: string): number =>
    all.map((one) => one[key] ?? 0).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
  return Object.fromEntries(keys.map((key) => [key, middle(key)]).filter(([, value]) => value !== 0));
}

/** The text of the table, as `npm run format` writes it. */
export function formatTable(table: FigureTable): string {
  const cases = Object.entries(table).map(([name, figures]) => {
    const groups = Object.entries(figures).map(([group, values]) => formatGroup(group, values));
    return `  ${JSON.stringify(name)}: {\n${groups.join(',\n')}\n  }`;
  });
  return `{\n${cases.join(',\n')}\n}\n`;
}

function formatGroup(group: string, values: Record<string, number>): string {
  const entries = Object.entries(values)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}: ${value}`);
  const head = `    ${JSON.stringify(group)}: {`;
  if (entries.length === 0) return `${head}}`;
  const line = `${head} ${entries.join(', ')} }`;
  // A comma may follow.
  return line.length < LINE ? line : `${head}\n${entries.map((entry) => `      ${entry}`).join(',\n')}\n    }`;
}
