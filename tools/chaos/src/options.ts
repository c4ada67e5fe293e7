import { parseArgs } from 'node:util';

export type Options = {
  help: boolean;
  minutes: number;
  seed: number;
  /** The T-numbers to run; empty means all. */
  only: string[];
  list: boolean;
  json: boolean;
  short: boolean;
  prove: boolean;
  write: boolean;
};

export const USAGE = `npm run chaos -- [options]
  --minutes <n>     the time for all experiments that are run, in minutes (default 20); each is scaled to its share
  --seed <n>        repeats the random choices of an earlier run (default: a new seed, which is printed)
  --only <T,...>    runs these experiments only, for example T1 or T1,T8
  --list            lists the experiments
  --json            prints the results as JSON instead of a table
  --short           one mixed run of about a minute, as in npm test; only lost, doubled and early messages count
  --prove           switches remedies off in a copy, one at a time, and expects the checker to find the fault
  --write           writes the table to docs/reliability.md`;

export class UsageError extends Error {}

export function readOptions(words: string[], known: readonly string[], newSeed: () => number): Options {
  const { values } = parse(words);
  const number = (name: 'minutes' | 'seed', least: number): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    const isWhole = name === 'minutes' || Number.isInteger(value);
    if (text.trim() === '' || !Number.isFinite(value) || value < least || !isWhole)
      throw new UsageError(`--${name} must be a number from ${least}, not "${text}"`);
    return value;
  };
  const only = (values.only ?? []).flatMap((text) => text.split(',')).map((text) => text.trim().toUpperCase());
  const unknown = only.find((t) => !known.includes(t));
  if (unknown !== undefined) throw new UsageError(`--only: there is no ${unknown}; there are ${known.join(', ')}`);
  return {
    help: values.help,
    minutes: number('minutes', 0.1) ?? 20,
    seed: number('seed', 0) ?? newSeed(),
    only,
    list: values.list,
    json: values.json,
    short: values.short,
    prove: values.prove,
    write: values.write,
  };
}

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string', multiple: true },
        list: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        short: { type: 'boolean', default: false },
        prove: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
