import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { DomainError, FieldErrors } from '@clarion/contracts/core';
import { type CommandLine, readLine } from './arguments';
import { type Command, CommandError, type ExitCode, type Run, UsageError } from './command';
import { Output } from './output';
import type { Opened } from './tools';
import { usageOf, usageOfCommand } from './usage';

export async function runCommandLine(args: readonly string[], commands: readonly Command[]): Promise<ExitCode> {
  try {
    const line = readLine(args, commands);
    if (line.isHelp) {
      process.stdout.write(`${line.command ? usageOfCommand(line.command) : usageOf(commands)}\n`);
      return 0;
    }
    return await runLine(line.command!, line);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\nnpm run clarion -- --help shows all commands and options.\n`);
      return 2;
    }
    process.stderr.write(`${await describe(error)}\n`);
    return 1;
  }
}

async function runLine(command: Command, line: CommandLine): Promise<ExitCode> {
  const output = new Output(line.isJson);
  let opened: Promise<Opened> | undefined;
  const run: Run = {
    arguments: line.arguments,
    options: line.options as Run['options'],
    isJson: line.isJson,
    output,
    async open(accepts = { anySchema: false }) {
      // Loading the stores takes most of the time of a short command.
      opened ??= import('./tools.js').then(({ openTools }) => openTools(accepts));
      return (await opened).tools;
    },
  };
  try {
    if (line.watchSeconds === undefined) return (await command.run(run)) ?? 0;
    return await watch(
      () => output.redraw(() => command.run(run)),
      async (error) => output.note(await describe(error)),
      line.watchSeconds,
    );
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

/** Runs the command until Ctrl-C. Errors after the first run are shown: a failover must not end the view. */
async function watch(
  run: () => Promise<ExitCode | void>,
  report: (error: unknown) => Promise<void>,
  seconds: number,
): Promise<ExitCode> {
  const ending = new AbortController();
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => ending.abort());
  for (let runs = 1; ; runs += 1) {
    let code: ExitCode = 1;
    try {
      code = (await run()) ?? 0;
    } catch (error) {
      if (runs === 1) throw error;
      await report(error);
    }
    await Promise.race([delay(seconds * 1_000, undefined, { signal: ending.signal }).catch(() => undefined), stopped]);
    if (ending.signal.aborted) return code;
  }
}

async function describe(error: unknown): Promise<string> {
  if (error instanceof CommandError) return error.message;
  const { DomainError } = await import('@clarion/contracts/core');
  if (error instanceof DomainError) return sentenceOf(error);
  const [{ describeFault }, { isDatabaseUnavailable, isLockTimeout, isStatementTimeout }] = await Promise.all([
    import('@clarion/platform'),
    import('@clarion/persistence'),
  ]);
  if (!isDatabaseUnavailable(error)) return describeFault(error);
  const text = error instanceof Error ? error.message : String(error);
  if (isStatementTimeout(error)) return `A statement took longer than Postgres may work on it: ${text}`;
  if (isLockTimeout(error)) return `A statement waited too long for rows that another one was changing: ${text}`;
  return `Postgres is not available now: ${text}`;
}

/** What a refusal says to a person: the messages of its fields, or its own. */
function sentenceOf({ message, extra }: DomainError): string {
  const fields = Object.values((extra['errors'] ?? {}) as FieldErrors).flatMap(({ messages }) => messages);
  return fields.length > 0 ? fields.join('; ') : message;
}
