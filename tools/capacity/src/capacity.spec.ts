import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capacity, InputError } from './capacity';
import { readFigures } from './figures';
import { type Cost, type Costs, type Load, planFor } from './plan';
import { tables } from './tables';

const COST: Cost = {
  gateway: 0.0001,
  engine: 0.0002,
  worker: 0.0005,
  postgres: 0.0004,
  redis: 0.00001,
  databaseBytes: 5_000,
  walBytes: 7_000,
  queueBytes: 80,
};
const COSTS: Costs = {
  email: COST,
  in_app: { ...COST, worker: 0.0001 },
  lone: { ...COST, gateway: 0.0011 },
  callsAtOnce: 20,
};
const LOAD: Load = {
  rate: 10_000,
  channels: { email: 0.8, in_app: 0.2 },
  eventsPerCall: 100,
  providerMs: 10,
  accounts: 1,
  use: 0.5,
  postgresCores: 32,
  retentionDays: 10,
  outageSeconds: 100,
  pool: 10,
};
const podsOf = (load: Partial<Load>): Record<string, number> =>
  Object.fromEntries(planFor({ ...LOAD, ...load }, COSTS).roles.map(({ role, pods }) => [role, pods]));

describe('capacity plan', () => {
  it('multiplies the measured cost by the rate and adds headroom', () => {
    expect(planFor(LOAD, COSTS)).toEqual({
      roles: [
        { role: 'gateway', pods: 3, cores: 2.2, why: 'processor' },
        { role: 'engine', pods: 4, cores: 4, why: 'processor' },
        { role: 'worker-email', pods: 8, cores: 8, why: 'processor' },
        { role: 'worker-in-app', pods: 2, cores: 0.4, why: 'one may go' },
      ],
      postgres: {
        cores: 8,
        servers: 1,
        connections: 170,
        walBytesPerSecond: 70_000_000,
        bytesPerDay: 4_320_000_000_000,
        bytes: 43_200_000_000_000,
      },
      redis: { cores: 0.2, shards: 1, bytes: 80_000_000 },
      limits: [],
    });
  });

  it('sizes workers by concurrent calls for a slow provider and needs fewer with more accounts', () => {
    expect(podsOf({ providerMs: 500 })).toMatchObject({ 'worker-email': 200, 'worker-in-app': 2, gateway: 3 });
    expect(podsOf({ providerMs: 500, accounts: 10 })).toMatchObject({ 'worker-email': 20 });
  });

  it('needs more gateways when each call has a single event', () => {
    expect(podsOf({ eventsPerCall: 1 })).toMatchObject({ gateway: 22, engine: 4 });
  });

  it('has two pods of each role at minimal load and workers only for used channels', () => {
    expect(podsOf({ rate: 1, channels: { sms: 1 } })).toEqual({ gateway: 2, engine: 2, 'worker-sms': 2 });
  });

  it('never shrinks as the load grows', () => {
    const sizes = [1, 10, 100, 1_000, 10_000, 100_000].map((rate) => {
      const { roles, postgres, redis } = planFor({ ...LOAD, rate }, COSTS);
      return [...roles.map(({ pods }) => pods), postgres.cores, postgres.bytes, redis.bytes];
    });
    sizes.slice(1).forEach((size, index) => {
      size.forEach((value, column) => expect(value).toBeGreaterThanOrEqual(sizes[index]![column]!));
    });
  });

  it('names what exceeds a single server', () => {
    const { limits, postgres, redis } = planFor({ ...LOAD, rate: 100_000, providerMs: 300 }, COSTS);
    expect({ servers: postgres.servers, shards: redis.shards }).toEqual({ servers: 3, shards: 2 });
    expect(limits).toEqual([
      expect.stringContaining('Postgres: 80 cores are more than one server of 32'),
      expect.stringContaining('Redis Cluster with 2 shards'),
      expect.stringContaining('worker-email: 1200 pods wait for the provider'),
    ]);
  });
});

describe('npm run capacity', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-capacity-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const ASKED = ['--rate', '5000', '--channels', 'email=0.7,in_app=0.3'];

  it('states that it uses the bundled figures when this machine has none', () => {
    const text = capacity(ASKED, '/nowhere');
    expect(text).toContain('There are no figures of this machine in /nowhere/bench.json, so these are ours');
    expect(text).toContain('npm run bench -- costs');
    expect(text).toMatch(/^ {2}worker-email +\d+ +[\d.]+ {2}\S/m);
    expect(text).toMatch(/^ {2}Postgres {2}[\d.]+ cores in 1 server, .+ connections$/m);
  });

  it('uses the figures of a benchmark on this machine', () => {
    const machine = { processors: 64, model: 'A machine', node: 'v22.1.0' };
    const comparison = { inAppProcessor: 0.3, inAppProcessorBefore: 0.6 };
    const kept = [COSTS.in_app, COSTS.email, COSTS.lone, { callsAtOnce: 20 }, comparison];
    const figures = kept.map((values) => ({ values }));
    writeFileSync(
      join(folder, 'bench.json'),
      JSON.stringify({ costs: { at: '2026-02-03T04:05:06Z', machine, figures } }),
    );
    expect(capacity(ASKED, folder)).toContain(
      'Figures of this machine, measured 2026-02-03 on 64 x A machine, Node 22.1.0.',
    );
    const { plan, own } = JSON.parse(capacity([...ASKED, '--json', '--use', '0.5'], folder)) as {
      plan: { postgres: { cores: number } };
      own: boolean;
    };
    expect({ cores: plan.postgres.cores, own }).toEqual({ cores: 4, own: true });
  });

  it('ignores other benchmarks in that file', () => {
    writeFileSync(join(folder, 'bench.json'), JSON.stringify({ accept: { figures: [] } }));
    expect(capacity(ASKED, folder)).toContain('There are no figures of this machine');
  });

  it.each([
    [['--rate', '5000'], /^Usage: npm run capacity/],
    [['--rate', 'many', '--channels', 'email=1'], /^--rate must be a number from 0.001 to 100000, not "many"$/],
    [['--rate', '200000', '--channels', 'email=1'], /^--rate must be a number/],
    [
      ['--rate', '5', '--channels', 'pigeon=1'],
      /there is no channel "pigeon"; there are: email, sms, chat, push, in_app$/,
    ],
    [['--rate', '5', '--channels', 'email'], /the part of email must be a number above 0 and at most 1, not ""$/],
    [['--rate', '5', '--channels', 'email=0.5,email=0.5'], /email is there twice$/],
    [['--rate', '5', '--channels', 'email=0.5,sms=0.4'], /must add up to 1, and these are 0.9$/],
    [['--rate', '5', '--channels', 'email=1', '--use', '2'], /^--use must be a number from 0.05 to 1, not "2"$/],
    [['--rate', '5', '--channels', 'email=1', '--speed'], /Unknown option '--speed'/],
  ])('rejects the arguments %j', (args, message) => {
    expect(() => capacity(args, '/nowhere')).toThrow(InputError);
    expect(() => capacity(args, '/nowhere')).toThrow(message);
  });
});

describe('docs/capacity.md', () => {
  // The formatter pads the cells of a table.
  const squeezed = (text: string): string =>
    text
      .replace(/\| +/g, '|')
      .replace(/(?<! ) +\|/g, '|')
      .replace(/-{3,}/g, '---');

  it('shows the figures that the calculator uses', () => {
    const page = readFileSync(join(__dirname, '../../../docs/capacity.md'), 'utf8');
    const shown = page.split('<!-- measured -->')[1]!.split('<!-- /measured -->')[0]!.trim();
    const asked = ['--rate', '1', '--channels', 'email=0.7,in_app=0.3', '--json'];
    const { load } = JSON.parse(capacity(asked, '/nowhere')) as { load: Load };
    const ours = readFigures(join(__dirname, '../measured.json'))!;
    expect(squeezed(shown)).toBe(squeezed(tables(ours, load)));
  });
});
