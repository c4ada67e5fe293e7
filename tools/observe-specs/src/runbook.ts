import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { programFile } from '@clarion/platform';
import { read } from './files';

const STAND_IN = join(__dirname, 'stand-in.cjs');
const PROGRAMS = ['redis-cli', 'curl', 'kubectl', 'npm'];

/** The commands of the runbook, one text for each code block. */
const commandBlocks = (): string[] =>
  [...read('docs/runbook.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);

/** Runs all commands one after the other. Returns the failures, and the calls of kubectl and npm. */
export function runCommands(variables: Record<string, string>): { faults: string[]; asked: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-runbook-'));
  const log = join(folder, 'log');
  writeFileSync(log, '');
  for (const program of PROGRAMS) {
    const file = join(folder, program);
    writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" -e "require('${STAND_IN}')" "$0" "$@"\n`);
    chmodSync(file, 0o755);
  }
  const env = {
    ...variables,
    PATH: `${folder}${delimiter}${process.env['PATH']}`,
    STAND_IN_LOG: log,
    STAND_IN_CLARION: programFile('standalone', { program: 'clarion' }),
  };
  try {
    const faults = commandBlocks().flatMap((block) => {
      const { status, stderr } = spawnSync('sh', ['-euc', block], { env, encoding: 'utf8' });
      return status === 0 && stderr === '' ? [] : [`${block}\n${stderr}`];
    });
    return { faults, asked: readFileSync(log, 'utf8').trimEnd().split('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
