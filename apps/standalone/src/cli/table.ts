const GAP = '  ';

/** Too wide tables break cells, then become records. Nothing is cut off: ids and times are for copying. */
export function tableLines(names: string[], rows: string[][], width: number): string[] {
  const columns = names.map((name, at) => [name, ...rows.map((row) => row[at]!)]);
  const widths = columns.map((cells) => longest(cells));
  const least = columns.map((cells) => longest(cells.flatMap(words)));
  const gaps = GAP.length * (names.length - 1);
  if (sum(least) + gaps > width) return rows.flatMap((row, at) => recordLines(names, row, width, at > 0));
  for (let excess = sum(widths) + gaps - width; excess > 0; excess -= 1) narrowWidest(widths, least);
  return [names, ...rows].flatMap((row) => rowLines(row, widths));
}

/** Makes the widest column that can be broken one character narrower. */
function narrowWidest(widths: number[], least: number[]): void {
  const breakable = widths.map((width, at) => (width > least[at]! ? width : 0));
  widths[breakable.indexOf(Math.max(...breakable))]! -= 1;
}

function rowLines(row: string[], widths: number[]): string[] {
  const cells = row.map((cell, at) => fill(words(cell), ' ', widths[at]!));
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
    cells
      .map((parts, at) => (parts[line] ?? '').padEnd(widths[at]!))
      .join(GAP)
      .trimEnd(),
  );
}

function recordLines(names: string[], row: string[], width: number, isFollowing: boolean): string[] {
  const pairs = names.map((name, at) => `${name}: ${row[at]!}`);
  const [first = '', ...others] = fill(pairs, GAP, width - GAP.length);
  return [...(isFollowing ? [''] : []), first, ...others.map((line) => `${GAP}${line}`)];
}

/** Joins the parts to lines of at most `width` characters. A longer part has a line for itself. */
function fill(parts: string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + separator.length + part.length <= width) {
      lines[lines.length - 1] = `${last}${separator}${part}`;
    } else lines.push(part);
  }
  return lines;
}

const words = (text: string): string[] => text.split(' ');
/** Without arguments for each text: a cell can have a million words. */
const longest = (texts: string[]): number => texts.reduce((most, { length }) => Math.max(most, length), 0);
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
