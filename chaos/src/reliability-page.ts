import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { markdownTable, type Row } from './report';

const BEGIN = '<!-- Written by `npm run chaos -- --write`. Do not edit below this line. -->';

/** The part of docs/reliability.md that a run writes: its command, its machine and its verdicts. */
export function tablePart(
  rows: Row[],
  run: { minutes: number; seed: number; only: readonly string[]; at: Date; machine: string },
): string {
  const only = run.only.length > 0 ? ` --only ${run.only.join(',')}` : '';
  const command = `npm run chaos -- --minutes ${run.minutes} --seed ${run.seed}${only} --write`;
  const notes = rows.flatMap(({ t, verdict, notes }) =>
    verdict === 'pass' ? [] : notes.map((note) => `- ${t}: ${note.split('\n')[0]}`),
  );
  return [
    BEGIN,
    '',
    '## The last recorded run',
    '',
    `\`${command}\`, ${run.at.toISOString().slice(0, 10)}, ${run.machine}.`,
    '',
    ...markdownTable(rows),
    '',
    ...(notes.length > 0 ? ['Figures that were missed, and experiments that did not run:', '', ...notes, ''] : []),
  ].join('\n');
}

const PRETTIER = resolve(__dirname, '../../node_modules/prettier/bin/prettier.cjs');

export function writeTable(
  file: string,
  rows: Row[],
  { minutes, seed, only }: { minutes: number; seed: number; only: readonly string[] },
): void {
  const written = readFileSync(file, 'utf8');
  const at = written.indexOf(BEGIN);
  const before = at === -1 ? `${written.trimEnd()}\n\n` : written.slice(0, at);
  const memory = Math.round(totalmem() / 1024 ** 3);
  const machine = `${cpus().length} processors, ${memory} GiB, Node ${process.versions.node}`;
  const text = before + tablePart(rows, { minutes, seed, only, at: new Date(), machine });
  writeFileSync(file, text);
  execFileSync(process.execPath, [PRETTIER, '--write', '--log-level', 'warn', file]);
}
