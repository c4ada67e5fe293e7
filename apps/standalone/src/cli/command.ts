import type { Output } from './output';
import type { Tools } from './tools';

/** An option of a command, `--name`. A name has the same form in every command that has it. */
export type Option = {
  /** What the value is, as the usage shows it: `<name or id>`. An option without a value is a switch. */
  value?: string;
  /** May be given several times. */
  isRepeated?: true;
};

type Options = Readonly<Record<string, Option>>;

type Value<O extends Option> = O extends { value: string }
  ? O extends { isRepeated: true }
    ? string[] | undefined
    : string | undefined
  : boolean;

export type Run<O extends Options = Options> = {
  /** The values of the arguments, in the order of `Command.arguments`; an optional one may be missing. */
  arguments: string[];
  options: { [Name in keyof O]: Value<O[Name]> };
  /** Whether `--json` was given. `output.show` already respects it. */
  isJson: boolean;
  output: Output;
  /** Opens the stores on the first call. They are closed when the command ends. */
  open(accepts?: { anySchema: boolean }): Promise<Tools>;
};

/** 0 is fine, 1 a bad answer or a thrown error, 2 a `UsageError`. An option may give 2 another meaning. */
export type ExitCode = 0 | 1 | 2;

export type Command<O extends Options = Options> = {
  /** Its words: `migrate`, `keys create`. */
  name: string;
  /** The names of its arguments: `key id`. One in square brackets, `[key id]`, is optional. */
  arguments?: readonly string[];
  options?: O;
  /** What it does, as the usage shows it; nothing where the name says it. */
  about?: string;
  /** With `--watch [seconds]` it runs again and again, and on a terminal its output is drawn anew. */
  canWatch?: true;
  run(run: Run<O>): Promise<ExitCode | void>;
};

/** Describes a command. Files of commands import what is heavy only when the command runs. */
export const command = <const O extends Options = Record<never, Option>>(described: Command<O>): Command =>
  described as unknown as Command;

/** The command was called in a way that it does not have; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command cannot give what it was asked for; exit code 1. The message is for a person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
