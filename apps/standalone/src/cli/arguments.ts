import { parseArgs } from 'node:util';
import { closestName } from '@clarion/contracts/core';
import { type Command, type Option, UsageError } from './command';

const SWITCHES = { json: {}, help: {} } as const satisfies Record<string, Option>;

const WATCH = 'watch';
const WATCH_SECONDS = 2;

/** A command line that was read. `command` is missing when only the usage is wanted. */
export type CommandLine = {
  command?: Command;
  arguments: string[];
  options: Record<string, string | string[] | boolean | undefined>;
  isJson: boolean;
  isHelp: boolean;
  watchSeconds?: number;
};

/** Reads a command line. Options may stand anywhere. */
export function readLine(args: readonly string[], commands: readonly Command[]): CommandLine {
  const known: Record<string, Option> = Object.assign({}, SWITCHES, ...commands.map(({ options }) => options));
  const { tokens } = parseArgs({
    args: joinWatch(args),
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' } as const]),
    ),
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const isHelp = given.some(({ name }) => name === 'help');
  if (words.length === 0 && (isHelp || given.length === 0)) {
    return { arguments: [], options: {}, isJson: false, isHelp: true };
  }
  const found = findCommand(words, commands, isHelp);
  const line: CommandLine = { command: found, arguments: [], options: {}, isJson: false, isHelp };
  if (!found || isHelp) return line;
  for (const { name, rawName, value } of given) {
    if (name === WATCH && found.canWatch) line.watchSeconds = readSeconds(value);
    else if (name === 'json') line.isJson = true;
    else takeOption(line, optionOf(found, name, rawName), name, value);
  }
  line.arguments = takeArguments(found, words.slice(found.name.split(' ').length));
  for (const [name, { value }] of Object.entries(found.options ?? {})) if (!value) line.options[name] ??= false;
  return line;
}

/** The seconds after `--watch` are optional, which `parseArgs` does not know. */
const joinWatch = (args: readonly string[]): string[] =>
  args.flatMap((arg, at) => {
    if (arg === `--${WATCH}` && isNumber(args[at + 1])) return [`--${WATCH}=${args[at + 1]}`];
    return args[at - 1] === `--${WATCH}` && isNumber(arg) ? [] : [arg];
  });

const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d+(\.\d+)?$/.test(text);

function readSeconds(value: string | undefined): number {
  if (value === undefined) return WATCH_SECONDS;
  if (!isNumber(value) || Number(value) <= 0) throw new UsageError(`--${WATCH} takes seconds, not "${value}"`);
  return Number(value);
}

function findCommand(words: string[], commands: readonly Command[], isHelp: boolean): Command | undefined {
  const exact = [2, 1].map((count) => words.slice(0, count).join(' '));
  for (const name of exact) {
    const found = commands.find((candidate) => candidate.name === name);
    if (found) return found;
  }
  const family = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (family.length > 0) {
    if (isHelp && words.length === 1) return undefined;
    const names = family.map(({ name }) => name.slice(words[0]!.length + 1));
    throw new UsageError(`"${words[0]}" needs one of: ${names.join(', ')}`);
  }
  const close =
    closestName(
      exact[0]!,
      commands.map(({ name }) => name),
    ) ??
    closestName(
      words[0]!,
      commands.map(({ name }) => name.split(' ')[0]!),
    );
  throw new UsageError(`Unknown command "${exact[0]}"${close ? `; did you mean "${close}"?` : ''}`);
}

function optionOf(found: Command, name: string, rawName: string): Option {
  const option = found.options?.[name];
  if (option) return option;
  const names = [...Object.keys(found.options ?? {}), ...Object.keys(SWITCHES), ...(found.canWatch ? [WATCH] : [])];
  const close = closestName(name, names);
  throw new UsageError(`"${found.name}" has no option ${rawName}${close ? `; did you mean --${close}?` : ''}`);
}

function takeOption(line: CommandLine, option: Option, name: string, value: string | undefined): void {
  if (!option.value) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    line.options[name] = true;
    return;
  }
  if (value === undefined) throw new UsageError(`--${name} needs a value: ${option.value}`);
  const before = line.options[name];
  if (option.isRepeated) line.options[name] = [...((before as string[] | undefined) ?? []), value];
  else if (before !== undefined) throw new UsageError(`--${name} was given twice`);
  else line.options[name] = value;
}

function takeArguments(found: Command, words: string[]): string[] {
  const names = found.arguments ?? [];
  const missing = names.slice(words.length).find((name) => !name.startsWith('['));
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing`);
  const extra = words[names.length];
  if (extra !== undefined) throw new UsageError(`"${found.name}" does not take "${extra}"`);
  return words;
}
