/** Before is the base commit, after is this one. A figure that was not measured is undefined. */
export type Pair = { before?: number | undefined; after?: number | undefined };

type CostGoal = {
  what: string;
  show: (value: number) => string;
  /** A limit for the ratio of after to before, or for the figure itself. */
  limit: { ratio: number } | { most: number } | { least: number };
};

const ms = (seconds: number): string => `${(seconds * 1000).toPrecision(3)} ms`;
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
const times = (value: number): string => `${value.toFixed(2)} x`;
const rows = (value: number): string => value.toFixed(1);
const mib = (value: number): string => `${value.toFixed(0)} MiB`;

/**
 * The goals of the change from rows that are updated to rows that are written once. Processor time is a ratio to the
 * base commit, because machines differ. Processor time is the sum of gateway, engine, worker, Postgres and Redis.
 */
const COST_GOALS = {
  inAppProcessor: { what: 'in-app in bulk, processor', show: ms, limit: { ratio: 0.5 } },
  emailProcessor: { what: 'email in bulk, processor', show: ms, limit: { ratio: 0.58 } },
  loneProcessor: { what: 'lone email, 32 callers, processor', show: ms, limit: { ratio: 0.4 } },
  // "Not worse": two measurements of the same commit differ by up to a tenth.
  loneLatency: { what: 'lone email, one caller, to the provider, p50', show: ms, limit: { ratio: 1.1 } },
  inAppLog: { what: 'write-ahead log, in-app', show: kib, limit: { most: 3.2 * 1024 } },
  emailLog: { what: 'write-ahead log, email', show: kib, limit: { most: 4.0 * 1024 } },
  inAppStored: { what: 'stored, in-app', show: kib, limit: { most: 1.9 * 1024 } },
  emailStored: { what: 'stored, email', show: kib, limit: { most: 2.5 * 1024 } },
  inAppToInserts: { what: 'in-app to bare inserts', show: times, limit: { least: 0.6 } },
  inAppToNaive: { what: 'in-app to naive', show: times, limit: { least: 9 } },
  emailToNaive: { what: 'email to naive', show: times, limit: { least: 5.5 } },
  inAppUpdates: { what: 'rows updated, in-app', show: rows, limit: { most: 1 } },
  emailUpdates: { what: 'rows updated, email', show: rows, limit: { most: 1 } },
  fanOutMemory: { what: 'fan-out of 1,000,000, engine memory growth', show: mib, limit: { most: 120 } },
} satisfies Record<string, CostGoal>;

export type CostName = keyof typeof COST_GOALS;
export type Verdict = 'reached' | 'MISSED' | 'not measured' | 'not compared';

export function judge({ limit }: Pick<CostGoal, 'limit'>, { before, after }: Pair): Verdict {
  if (after === undefined) return 'not measured';
  if ('most' in limit) return after <= limit.most ? 'reached' : 'MISSED';
  if ('least' in limit) return after >= limit.least ? 'reached' : 'MISSED';
  if (before === undefined) return 'not compared';
  return after <= before * limit.ratio ? 'reached' : 'MISSED';
}

/** One line for each goal, below a line with the heads. */
export function goalTable(measured: Partial<Record<CostName, Pair>>): { lines: string[]; verdicts: Verdict[] } {
  const judged = Object.entries<CostGoal>(COST_GOALS).map(([name, goal]) => {
    const pair = measured[name as CostName] ?? {};
    return { verdict: judge(goal, pair), cells: cellsOf(goal, pair) };
  });
  const table = [
    ['for one notification', 'before', 'after', 'ratio', 'goal', ''],
    ...judged.map(({ cells, verdict }) => [...cells, verdict]),
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const isNumber = (column: number): boolean => column > 0 && column < 4;
  const pad = (cell: string, column: number): string =>
    isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return {
    lines: table.map((row) => row.map(pad).join('  ').trimEnd()),
    verdicts: judged.map(({ verdict }) => verdict),
  };
}

function cellsOf({ what, show, limit }: CostGoal, { before, after }: Pair): string[] {
  const cell = (value: number | undefined): string => (value === undefined ? '-' : show(value));
  const hasRatio = before !== undefined && before > 0 && after !== undefined;
  const goal =
    'ratio' in limit
      ? `<= ${times(limit.ratio)} of before`
      : 'most' in limit
        ? `<= ${show(limit.most)}`
        : `>= ${show(limit.least)}`;
  return [what, cell(before), cell(after), hasRatio ? times(after / before) : '-', goal];
}

/** The median; of an even number of values the mean of the two in the middle. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
