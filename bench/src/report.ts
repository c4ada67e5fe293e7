import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';

/** One line that changes while the work goes on, on the error stream so that the table can be kept apart. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else process.stderr.write(`${text}\n`);
}

export type Figure = {
  what: string;
  measured: string;
  goal: string;
  reached: boolean;
  /** The bare numbers, for programs. */
  values?: Record<string, number>;
};

export type Section = { name: string; title: string; figures: Figure[] };

/** All that was measured, in one table. */
export function printTable(sections: Section[]): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  const rowsOf = ({ figures }: Section): string[][] =>
    figures.map(({ what, measured, goal, reached }) => [what, measured, goal, reached ? 'ok' : 'MISSED']);
  const head = ['', 'measured', 'goal', ''];
  const all = [head, ...sections.flatMap(rowsOf)];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd();
  const lines = sections.flatMap((section) => ['', section.title, ...rowsOf(section).map(line)]);
  process.stdout.write(`\n${[line(head), ...lines].join('\n')}\n`);
}

/**
 * Leaves what was measured in the data folder, each benchmark as it was last run, for programs such as `npm run capacity`. The
 * short form says too little to be kept.
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
