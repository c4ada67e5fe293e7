/** A progress line on stderr, so that the table on stdout can be redirected. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 120) - 1)}`);
  else process.stderr.write(`${text}\n`);
}

export type Verdict = 'pass' | 'fail' | 'not run';

/** One line of the verdict table. */
export type Row = {
  t: string;
  title: string;
  /** What was done, and how often. */
  done: string;
  reached: string;
  asked: string;
  verdict: Verdict;
  /** What the checker found, or why the experiment did not run. */
  notes: string[];
  seconds: number;
};

const HEAD = ['T', 'what was done, how often', 'figure reached', 'figure asked', 'verdict'];
const cellsOf = ({ t, done, reached, asked, verdict }: Row): string[] => [
  t,
  done,
  reached,
  asked,
  verdict === 'fail' ? 'FAIL' : verdict,
];

/** Columns of text, each at most this wide; longer cells continue in the next line. */
const WIDTHS = [4, 56, 48, 44, 7];

export function printTable(rows: Row[]): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const lines = [HEAD, ...rows.map(cellsOf)].flatMap((cells, index) => [
    ...inLines(cells),
    ...(index === 0 ? [] : rows[index - 1]!.notes.map((note) => `       ${note}`)),
  ]);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

function inLines(cells: string[]): string[] {
  const wrapped = cells.map((cell, column) => wrap(cell, WIDTHS[column]!));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    `  ${wrapped.map((lines, column) => (lines[line] ?? '').padEnd(WIDTHS[column]!)).join('  ')}`.trimEnd(),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** The table as Markdown, for docs/reliability.md; the last column names the run. */
export function markdownTable(rows: Row[], run: string): string[] {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const head = [...HEAD, 'run'];
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line([...cellsOf(row), run]))];
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
