import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';

/** A progress line on stderr, so that the table on stdout can be redirected. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else process.stderr.write(`${text}\n`);
}

export type Figure = {
  what: string;
  measured: string;
  goal: string;
  reached: boolean;
  /** The numbers in a form for programs. */
  values?: Record<string, number>;
  /** Details for readers: lines below the figure. */
  lines?: string[];
};

export type Section = { name: string; title: string; figures: Figure[] };

/** Prints all results in one table. */
export function printTable(sections: Section[]): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const rowOf = ({ what, measured, goal, reached }: Figure): string[] => [
    what,
    measured,
    goal,
    reached ? 'ok' : 'MISSED',
  ];
  const head = ['', 'measured', 'goal', ''];
  const all = [head, ...sections.flatMap(({ figures }) => figures.map(rowOf))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd();
  const linesOf = (figure: Figure): string[] => [
    line(rowOf(figure)),
    ...(figure.lines ?? []).map((one) => `    ${one}`.trimEnd()),
  ];
  const lines = sections.flatMap(({ title, figures }) => ['', title, ...figures.flatMap(linesOf)]);
  process.stdout.write(`\n${[line(head), ...lines].join('\n')}\n`);
}

/** Formats a nested table with aligned numbers and heads. */
export function inColumns(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
}

/**
 * Stores the figures in the data folder, each benchmark as it was last run, for programs such as `npm run capacity`.
 * Figures of the short form are too imprecise to be stored.
 */
export function keepFigures(sections: Section[], file: string): void {
  const machine = { processors: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
  const at = new Date().toISOString();
  const kept = Object.fromEntries(sections.map(({ name, figures }) => [name, { at, machine, figures }]));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...readFigures(file), ...kept }, null, 2)}\n`);
}

function readFigures(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  } catch {
    return {};
  }
}

export const median = (values: number[]): number => percentile(values, 0.5);

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')}/s`;
