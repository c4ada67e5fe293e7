import type { Command } from './command';

const WIDTH = Math.min(process.stdout.columns ?? 120, 120);
const ABOUT_AT = 36;

const NOTES = `Without DATABASE_URL the commands work on the embedded database, running or not.
The organization defaults to the first one (Default), the environment to the first one of the organization.
Every command takes --json and --help. Exit codes: 0 fine, 1 the answer is bad or the command failed, 2 wrong usage.`;

export const usageOf = (commands: readonly Command[]): string =>
  ['Usage: npm run clarion -- <command> [--json]', '', ...commands.map(describe), '', NOTES].join('\n');

export const usageOfCommand = (command: Command): string =>
  [`Usage: npm run clarion -- <command> [--json]`, '', describe(command)].join('\n');

function describe(command: Command): string {
  const { name, options = {}, canWatch, about } = command;
  const parts = [
    ...(command.arguments ?? []).map((argument) =>
      argument.startsWith('[') ? `[<${argument.slice(1, -1)}>]` : `<${argument}>`,
    ),
    ...Object.entries(options).map(
      ([option, { value, isRepeated }]) => `[--${option}${value ? ` ${value}` : ''}]${isRepeated ? '...' : ''}`,
    ),
    ...(canWatch ? ['[--watch [seconds]]'] : []),
  ];
  const lines = wrap(`  ${name}`, parts, name.length + 3);
  if (about === undefined) return lines.join('\n');
  const [first, ...others] = about.split(' ');
  if (lines.length === 1 && lines[0]!.length < ABOUT_AT - 1) {
    return wrap(`${lines[0]!.padEnd(ABOUT_AT)}${first}`, others, ABOUT_AT).join('\n');
  }
  return [...lines, ...wrap(`${' '.repeat(ABOUT_AT)}${first}`, others, ABOUT_AT)].join('\n');
}

function wrap(text: string, parts: string[], indent: number): string[] {
  const lines = [text];
  for (const part of parts) {
    const last = lines.at(-1)!;
    if (`${last} ${part}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(`${' '.repeat(indent)}${part}`);
  }
  return lines;
}
