import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Channel, newId } from '@clarion/contracts';
import { Metrics } from '@clarion/platform';
import { QueueProducer, StepOffers } from '@clarion/queue';
import { openResources, type Resources, startRole } from '@clarion/runtime';
import { type FakeProvider, startFakeProvider } from '@clarion/testing';
import { type Clarion, ROLES, startOwnClarion, type StepInput } from './harness';
import { compareFigures, type Figures, type FigureTable, formatTable, medianOf, tally } from './work/figures';
import { stopClock } from './work/stopped-clock';
import { type Role, type Sent, WorkCounter } from './work/work-counter';
import { type Written, WrittenRows } from './work/written-rows';

const TABLE = join(__dirname, 'work-per-notification.json');
const WRITES_TABLE = process.env['CLARION_TEST_WORK'] === 'write';
const HELP = `
Figures are for one notification, of a digest for all its events. Every installation pays for what grew. If the change is
worth it, or if figures have shrunk, write apps/e2e/test/work-per-notification.json again and commit it with the reason:
  CLARION_TEST_WORK=write npm test -- work-per-notification`;

/** Shorter than the timers of everything that a role does from time to time. */
const LONG_MS = 500;
const POLL_MS = 20;
const LONGEST_MS = 100_000;
/** An odd number: the figures are those of the run in the middle. */
const RUNS = 3;
const EVENTS = 100;
const MEMBERS = 1_000;
const IN_APP: StepInput = { type: 'in_app', controlValues: { subject: 'Order', body: 'Hello {{payload.name}}' } };
const EMAIL: StepInput = { type: 'email', controlValues: { subject: 'Order', body: '<p>Hello {{payload.name}}</p>' } };
const DIGEST: StepInput = { type: 'digest', controlValues: { type: 'regular', amount: 1, unit: 'hours' } };

const OPEN_WORK = `SELECT 1 FROM work WHERE due_at < now() + interval '10 minutes' LIMIT 1`;
/** Entries without a number, entries that an endpoint has not got, and open deliveries. */
const OPEN_WEBHOOKS = `
SELECT 1 FROM new_log_entry UNION ALL SELECT 1 FROM new_log_batch UNION ALL
SELECT 1 FROM webhook_delivery WHERE state = 'waiting' UNION ALL
SELECT 1 FROM webhook_endpoint LEFT JOIN event_log USING (environment_id)
 WHERE lease_until > now() OR cursor < last_sequence LIMIT 1`;
const END_WINDOWS = `UPDATE work SET due_at = now() WHERE due_at > now() RETURNING id, type, environment_id, lane`;

type Case = {
  name: string;
  /** The number of notifications of a run. */
  count: number;
  records?: 'event log' | 'webhook endpoint';
  /** Each part begins when all work of the one before has ended. */
  parts: Part[];
};

type OfferedStep = Parameters<StepOffers['steps']>[0][number];

/** `before` is not counted. */
type Part = { before?: () => Promise<void>; work: () => Promise<unknown> };

/** What one run has sent and written, part by part. */
type Run = { sent: Sent[]; written: Written[]; stored: number };

/**
 * The work for a notification, counted and not timed, so it is the same on every machine. All roles run in this process
 * with a stopped clock. A call begins when all work of the last one has ended, so every batch is as full as it can be.
 *
 * The calls of a webhook endpoint are recorded together, as many as a round has: the events in bulk fit into one.
 */
describe('the work for a notification', () => {
  let clarion: Clarion;
  let counter: WorkCounter;
  let log: WrittenRows;
  let receiver: FakeProvider;
  let webhooks: Resources;
  let startClock: () => void;
  const roles: { close(): Promise<void> }[] = [];
  const opened: Resources[] = [];
  const heldOf = new Map<Channel, () => number>();
  const table = (existsSync(TABLE) ? JSON.parse(readFileSync(TABLE, 'utf8')) : {}) as FigureTable;
  const measured: FigureTable = {};

  beforeAll(async () => {
    startClock = stopClock(LONG_MS);
    counter = new WorkCounter(() => [...heldOf.values()].reduce((sum, held) => sum + held(), 0));
    const environment = { CLARION_RATE_LIMIT: 'false' };
    clarion = await counter.as('gateway', () => startOwnClarion({ roles: [], providerIds: ['postmark'], environment }));
    counter.database = new URL(clarion.context.databaseUrl).pathname.slice(1);
    receiver = await startFakeProvider();
    log = await WrittenRows.open(clarion.context.databaseUrl);
    const engine = await open('engine');
    roles.push(await counter.as('engine', () => startRole(ROLES.engine, engine)));
    const worker = await open('worker');
    for (const channel of ['in_app', 'email'] as const)
      roles.push(await counter.as('worker', () => startRole(ROLES[channel], worker)));
    webhooks = await open('webhooks');
    await prepare();
  });

  afterAll(async () => {
    startClock();
    counter?.stop();
    for (const role of roles) await role.close();
    for (const resources of opened) await resources.close();
    await log?.close();
    await receiver?.close();
    await clarion?.close();
    const figures = CASES.map(({ name }) => [name, measured[name] ?? table[name] ?? {}] as const);
    if (WRITES_TABLE) writeFileSync(TABLE, formatTable(Object.fromEntries(figures)));
  });

  /** Each role has its own connections, as in production. */
  const open = async (role: Role): Promise<Resources> => {
    const watchHeld = (channel: Channel, held: () => number) => {
      heldOf.set(channel, held);
      return () => undefined;
    };
    const metrics = Object.assign(new Metrics(), { watchHeld });
    const resources = await counter.as(role, () => openResources({ ...clarion.context, metrics }, role));
    opened.push(resources);
    return resources;
  };

  async function prepare(): Promise<void> {
    const credentials = { apiKey: 'key', from: 'hello@clarion.test', senderName: 'Clarion' };
    await clarion.integration('postmark', 'email', { credentials });
    // This provider takes all messages of a batch in one call, so they end together and one statement records them.
    clarion.provider.always('/email', ({ path, body }) => {
      const accepted = { ErrorCode: 0, Message: 'OK', MessageID: newId() };
      return { json: path === '/email/batch' ? (JSON.parse(body) as unknown[]).map(() => accepted) : accepted };
    });
    await clarion.workflow('in-app', [IN_APP]);
    await clarion.workflow('email', [EMAIL]);
    await clarion.workflow('digest', [DIGEST, EMAIL]);
    const subscribers = Array.from({ length: MEMBERS }, (_, at) => ({ ...subscriber(at), topics: ['all'] }));
    for (let at = 0; at < MEMBERS; at += 500)
      await clarion.callOk('POST', '/v1/subscribers/bulk', { subscribers: subscribers.slice(at, at + 500) });
  }

  /** All names have the same length, so that all rows have the same size. */
  const subscriber = (at: number) => ({ subscriberId: `user-${1_000 + at}`, email: `user-${1_000 + at}@example.com` });
  const event = (name: string, at: number, to: object = subscriber(at)) => ({
    name,
    to,
    payload: { name: `${1_000 + at}` },
  });
  const lone = (body: object): Part => ({ work: () => clarion.callOk('POST', '/v1/events/trigger', body) });
  const bulk = (events: object[]): Part => ({
    work: () => clarion.callOk('POST', '/v1/events/trigger/bulk', { events }),
  });
  const many = (name: string): Part => bulk(Array.from({ length: EVENTS }, (_, at) => event(name, at)));

  /** The window of an hour ends now: its row by hand, then the job that the engine set as an alarm. */
  let ending: OfferedStep[] = [];
  const endWindow: Part = {
    before: async () => void (ending = await clarion.database.rows(END_WINDOWS)),
    work: async () =>
      counter.as('spec', () => new StepOffers(new QueueProducer(webhooks.queueConnection)).steps(ending)),
  };

  const inApp = { count: EVENTS, parts: [many('in-app')] };
  const email = { count: EVENTS, parts: [many('email')] };
  const loneEmail = { count: 1, parts: [lone(event('email', 0))] };
  const events = bulk(Array.from({ length: 10 }, (_, at) => event('digest', at, subscriber(0))));
  const digest = { count: 1, parts: [events, endWindow] };
  const topic = { count: MEMBERS, parts: [lone(event('in-app', 0, { type: 'Topic', topicKey: 'all' }))] };
  const CASES: Case[] = [
    { name: 'in-app in bulk', ...inApp },
    { name: 'email in bulk', ...email },
    { name: 'lone email', ...loneEmail },
    { name: 'digest of 10, email', ...digest },
    { name: 'topic of 1,000, in-app', ...topic },
    { name: 'in-app in bulk, event log', ...inApp, records: 'event log' },
    { name: 'email in bulk, event log', ...email, records: 'event log' },
    { name: 'lone email, event log', ...loneEmail, records: 'event log' },
    { name: 'digest of 10, email, event log', ...digest, records: 'event log' },
    { name: 'topic of 1,000, in-app, event log', ...topic, records: 'event log' },
    { name: 'in-app in bulk, webhook endpoint', ...inApp, records: 'webhook endpoint' },
    { name: 'email in bulk, webhook endpoint', ...email, records: 'webhook endpoint' },
    { name: 'lone email, webhook endpoint', ...loneEmail, records: 'webhook endpoint' },
  ];

  const untilNone = async (open: string): Promise<void> => {
    const until = Date.now() + LONGEST_MS;
    while ((await clarion.database.query(open)).length > 0) {
      if (Date.now() > until) throw new Error(`The work does not end.\n${clarion.logged.slice(-20).join('')}`);
      // eslint-disable-next-line clarion/no-restricted-syntax -- `until` reads the clock that stands still
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    await counter.quiet();
  };

  const measure = async ({ parts, records }: Case): Promise<Run> => {
    const run: Run = { sent: [], written: [], stored: -(await log.stored()) };
    const count = async ({ before, work }: Part, open: string): Promise<void> => {
      await counter.quiet();
      counter.take();
      await before?.();
      const from = await log.position();
      await work();
      await untilNone(open);
      run.sent.push(counter.take());
      run.written.push(...(await log.between(from, await log.position())));
    };
    for (const part of parts) await count(part, OPEN_WORK);
    if (records !== undefined) {
      // This worker numbers the entries of the log and calls the endpoints.
      let chat: { close(): Promise<void> } | undefined;
      const work = async () => (chat = await counter.as('webhooks', () => startRole(ROLES.chat, webhooks)));
      await count({ work }, OPEN_WEBHOOKS);
      await chat!.close();
    }
    run.stored += await log.stored();
    return run;
  };

  const figuresOf = (runs: Run[], count: number): Figures => {
    const median = (read: (run: Run) => [key: string, value: number][], digits = 4): Record<string, number> => {
      const share = (value: number): number => Number((value / count).toFixed(digits));
      const values = medianOf(runs.map((run) => sumOf(read(run))));
      return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, share(value)]));
    };
    const sent = (what: keyof Sent) => (run: Run) =>
      run.sent.flatMap((part) => Object.entries(part[what]).map(([key, all]): [string, number] => [key, all.length]));
    const rows = (what: 'inserted' | 'updated' | 'deleted') => (run: Run) =>
      run.written.map((one): [string, number] => [one.table, one[what]]);
    const { webhooks: _, ...commands } = median(sent('commands'));
    return {
      statements: median(sent('statements')),
      // A worker that has started for webhooks has opened connections. Webhooks themselves need no Redis.
      ...(clarion.context.queueBackend.kind === 'redis' && { commands }),
      jobs: median(sent('jobs')),
      inserted: median(rows('inserted')),
      updated: median(rows('updated')),
      deleted: median(rows('deleted')),
      bytes: median(
        ({ written, stored }) => [...written.map(({ bytes }): [string, number] => ['log', bytes]), ['stored', stored]],
        0,
      ),
    };
  };

  it.each(CASES)('has not grown: $name', async (kind) => {
    const environment = `/v1/environments/${clarion.environmentId}`;
    await clarion.callOk('PUT', environment, { eventLog: kind.records === 'event log' });
    await clarion.database.query(`DELETE FROM webhook_endpoint`);
    const endpoint = { url: `${receiver.url}/hook` };
    if (kind.records === 'webhook endpoint') await clarion.callOk('POST', '/v1/webhook-endpoints', endpoint);
    // The first run fills caches, prepares statements and opens connections.
    await measure(kind);
    const runs: Run[] = [];
    while (runs.length < RUNS) runs.push(await measure(kind));
    const figures = figuresOf(runs, kind.count);
    measured[kind.name] = figures;
    if (WRITES_TABLE) return;
    const differences = compareFigures(kind.name, table[kind.name], figures).map(({ group, key, text }) => {
      const sent = runs.at(-1)!.sent.flatMap((part) => part[group as keyof Sent]?.[key] ?? []);
      return sent.length === 0 ? text : `${text}\n  a run sent: ${tally(sent)}`;
    });
    expect(differences.length === 0 ? '' : `${differences.join('\n')}\n${HELP}`).toBe('');
  });

  it('tells a growth of more than 3 %, what is new, and what has shrunk by more than 10 %', () => {
    const expected: Figures = { deleted: { work: 2 }, bytes: { log: 1000, stored: 500 }, statements: { engine: 3 } };
    const differences = compareFigures('in bulk', expected, {
      deleted: { work: 2, claim: 1 },
      bytes: { log: 1030, stored: 520 },
      statements: { engine: 2 },
    });
    expect(differences.map(({ text }) => text)).toEqual([
      'in bulk: deleted, claim: 0 in the table, 1 now (new)',
      'in bulk: bytes, stored: 500 in the table, 520 now (+4 %)',
      'in bulk: statements, engine: 3 in the table, 2 now (-33 %)',
    ]);
  });

  it('has no figures of other cases', () => {
    if (!WRITES_TABLE) expect(Object.keys(table)).toEqual(CASES.map(({ name }) => name));
  });
});

function sumOf(entries: [key: string, value: number][]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, value] of entries) sums[key] = (sums[key] ?? 0) + value;
  return sums;
}
