/** One line that changes while the work goes on, on the error stream so that the table can be kept apart. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else process.stderr.write(`${text}\n`);
}

export type Figure = { what: string; measured: string; goal: string; reached: boolean };

export function printTable(title: string, figures: Figure[]): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const rows = [
    ['', 'measured', 'goal', ''],
    ...figures.map(({ what, measured, goal, reached }) => [what, measured, goal, reached ? 'ok' : 'MISSED']),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
}

export const median = (values: number[]): number => percentile(values, 0.5);

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;
