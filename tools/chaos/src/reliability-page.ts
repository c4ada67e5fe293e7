import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { markdownTable, type Row } from './report';

const BEGIN = '<!-- Written by `npm run chaos -- --write`. Do not edit below this line. -->';
const MISSED = 'Figures that were missed, and experiments that did not run:';

/**
 * The part of docs/reliability.md that a run writes. Experiments that are not in this run keep the lines of their last
 * run (in `written`), so each line names its run.
 */
export function tablePart(
  rows: Row[],
  run: { minutes: number; seed: number; at: Date; machine: string },
  written = '',
): string {
  const isKept = (t: string): boolean => rows.every((row) => row.t !== t);
  const linesOf = (pattern: RegExp): string[] =>
    [...written.matchAll(pattern)].filter(([, t]) => isKept(t!)).map(([line]) => line);
  const [head, rule, ...lines] = markdownTable(
    rows,
    `\`--minutes ${run.minutes} --seed ${run.seed}\`, ${run.at.toISOString().slice(0, 10)}`,
  );
  const notes = rows.flatMap(({ t, verdict, notes }) =>
    verdict === 'pass' ? [] : notes.map((note) => `- ${t}: ${note.split('\n')[0]}`),
  );
  const allNotes = inOrder([...linesOf(/^- (T\d+): .*$/gm), ...notes]);
  return [
    BEGIN,
    '',
    '## The last recorded runs',
    '',
    'Each line is the last run of its experiment, by `npm run chaos -- --write` with the options of the line. ' +
      `The machine: ${run.machine}.`,
    '',
    head,
    rule,
    ...inOrder([...linesOf(/^\| (T\d+) .*$/gm), ...lines]),
    '',
    ...(allNotes.length > 0 ? [MISSED, '', ...allNotes, ''] : []),
  ].join('\n');
}

const inOrder = (lines: string[]): string[] =>
  lines.toSorted((one, other) => Number(/T(\d+)/.exec(one)![1]) - Number(/T(\d+)/.exec(other)![1]));

const ROOT = resolve(__dirname, '../../..');
const FORMATTER = resolve(ROOT, 'node_modules/oxfmt/bin/oxfmt');

export function writeTable(file: string, rows: Row[], { minutes, seed }: { minutes: number; seed: number }): void {
  const written = readFileSync(file, 'utf8');
  const at = written.indexOf(BEGIN);
  const before = at === -1 ? `${written.trimEnd()}\n\n` : written.slice(0, at);
  const memory = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} processors, ${memory} GiB, Node ${process.versions.node}`;
  const text = before + tablePart(rows, { minutes, seed, at: new Date(), machine }, at === -1 ? '' : written.slice(at));
  writeFileSync(file, text);
  execFileSync(process.execPath, [FORMATTER, file], { cwd: ROOT });
}
