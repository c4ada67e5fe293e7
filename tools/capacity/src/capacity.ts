import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, readFigures } from './figures';
import { type Channel, type Load, type Plan, planFor, WORKERS } from './plan';

const USAGE = `Usage: npm run capacity -- --rate <notifications a second> --channels email=0.7,in_app=0.3 [options]

  --events-per-call 100  how many events callers post at a time; 1 is the single trigger
  --provider-ms 100      how long a provider takes for a call
  --accounts 1           provider accounts that a channel is spread over
  --use 0.6              part of a processor that may be busy
  --postgres-cores 32    cores of the largest Postgres you can have
  --retention-days 30    how long history is kept
  --outage-seconds 600   how long the queue must hold what comes in without workers
  --pool 10              database connections of a pod (CLARION_DATABASE_POOL)
  --json`;

const MOST = 100_000;

/** Invalid arguments; the message explains which. */
export class InputError extends Error {}

/**
 * Returns the text to print. The figures come from this machine if it has any, otherwise from `measured.json`, and the
 * text says which.
 */
export function capacity(args: string[], dataDir: string): string {
  const { load, json } = read(args);
  const file = join(dataDir, 'bench.json');
  const own = readFigures(file);
  const figures = own ?? readFigures(join(__dirname, '../measured.json'))!;
  const plan = planFor(load, figures.costs);
  return json
    ? `${JSON.stringify({ load, plan, figures, own: own !== undefined }, null, 2)}\n`
    : describe(load, plan, figures, own ? undefined : file);
}

function read(args: string[]): { load: Load; json: boolean } {
  const { values } = parse(args);
  if (values.rate === undefined || values.channels === undefined) throw new InputError(USAGE);
  const number = (name: Exclude<keyof typeof values, 'json' | 'channels'>, from: number, to: number): number => {
    const value = Number(values[name]);
    if (!(value >= from && value <= to))
      throw new InputError(`--${name} must be a number from ${from} to ${to}, not "${values[name]}"`);
    return value;
  };
  return {
    json: values.json,
    load: {
      rate: number('rate', 0.001, MOST),
      channels: readChannels(values.channels),
      eventsPerCall: number('events-per-call', 1, 100),
      providerMs: number('provider-ms', 0, 600_000),
      accounts: number('accounts', 1, 1_000_000),
      use: number('use', 0.05, 1),
      postgresCores: number('postgres-cores', 1, 1024),
      retentionDays: number('retention-days', 1, 36_500),
      outageSeconds: number('outage-seconds', 0, 604_800),
      pool: number('pool', 2, 500),
    },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        rate: { type: 'string' },
        channels: { type: 'string' },
        'events-per-call': { type: 'string', default: '100' },
        'provider-ms': { type: 'string', default: '100' },
        accounts: { type: 'string', default: '1' },
        use: { type: 'string', default: '0.6' },
        'postgres-cores': { type: 'string', default: '32' },
        'retention-days': { type: 'string', default: '30' },
        'outage-seconds': { type: 'string', default: '600' },
        pool: { type: 'string', default: '10' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new InputError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readChannels(text: string): Partial<Record<Channel, number>> {
  const shares: Partial<Record<Channel, number>> = {};
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((word) => word.trim());
    if (!Object.hasOwn(WORKERS, name)) {
      throw new InputError(`--channels: there is no channel "${name}"; there are: ${Object.keys(WORKERS).join(', ')}`);
    }
    const share = Number(value);
    if (value === '' || !(share > 0 && share <= 1)) {
      throw new InputError(`--channels: the part of ${name} must be a number above 0 and at most 1, not "${value}"`);
    }
    if (shares[name as Channel] !== undefined) throw new InputError(`--channels: ${name} is there twice`);
    shares[name as Channel] = share;
  }
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) > 0.001)
    throw new InputError(`--channels: the parts must add up to 1, and these are ${Number(sum.toFixed(3))}`);
  return shares;
}

/** The second and third column hold numbers, which are aligned to the right. */
const pad = (cell: string, width: number, column: number): string =>
  column === 1 || column === 2 ? cell.padStart(width) : cell.padEnd(width);

function describe(load: Load, { roles, postgres, redis, limits }: Plan, figures: Figures, missing?: string): string {
  const shares = Object.entries(load.channels).map(([name, share]) => `${name} ${Math.round(share * 1000) / 10} %`);
  const { processors, model, node } = figures.machine;
  const from = `measured ${figures.at.slice(0, 10)} on ${processors} x ${model}, Node ${node.replace('v', '')}`;
  const rows = [
    ['', 'pods', 'cores', 'because of'],
    ...roles.map(({ role, pods, cores, why }) => [role, String(pods), cores.toFixed(2), why]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    `  ${row.map((cell, column) => pad(cell, widths[column]!, column)).join('  ')}`.trimEnd();
  return [
    `${load.rate.toLocaleString('en')} notifications/s: ${shares.join(', ')}; ` +
      `${load.eventsPerCall} in a call; a provider takes ${load.providerMs} ms.`,
    ...(missing
      ? [
          `There are no figures of this machine in ${missing}, so these are ours, ${from}.`,
          'For your own: npm run bench -- costs',
        ]
      : [`Figures of this machine, ${from}.`]),
    '',
    ...rows.map(line),
    '',
    `  Postgres  ${amount(postgres.cores)} cores in ${postgres.servers} server${postgres.servers > 1 ? 's' : ''}, ` +
      `${bytes(postgres.walBytesPerSecond)}/s of log, ${bytes(postgres.bytesPerDay)} a day ` +
      `(${bytes(postgres.bytes)} for ${load.retentionDays} days), ${postgres.connections} connections`,
    `  Redis     ${amount(redis.cores)} cores in ${redis.shards} shard${redis.shards > 1 ? 's' : ''}, ` +
      `${bytes(redis.bytes)} for ${load.outageSeconds} s without workers`,
    ...(limits.length > 0
      ? ['', 'Where this stops being one piece (docs/capacity.md):', ...limits.map((text) => `  - ${text}`)]
      : []),
    '',
  ].join('\n');
}

const amount = (cores: number): string => (cores < 10 ? cores.toFixed(2) : String(Math.ceil(cores)));

function bytes(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(count, 1)) / 10)));
  const value = count / 1024 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
