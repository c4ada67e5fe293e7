import { CHANNELS, type TriggerId } from '@clarion/contracts';
import { openQueue, QUEUE_NAMES } from '@clarion/queue';
import { allEnded, type Clarion, eventually, type Role, startClarion, storyOf } from './harness';

const BEGUN = ['Pending: Step queued', 'Pending: Resend provider was selected', 'Pending: Message created'];
const AGAIN = [
  'Warning: Sending was interrupted, the message is sent again (retry)',
  'Pending: Resend provider was selected (retry)',
  'Pending: Message created (retry)',
  'Success: Message sent (retry)',
];

describe('what survives', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: [] });
    await clarion.integration('resend', 'email', { identifier: 'mail' });
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: '<p>{{payload.n}}</p>' } }]);
    await clarion.workflow('mail-and-note', [
      { type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } },
      { type: 'in_app', controlValues: { body: 'x' } },
    ]);
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());
  afterEach(() => clarion.stop('engine', ...CHANNELS));

  const ANN = { subscriberId: 'ann', email: 'ann@x.test' };
  const keys = () => clarion.provider.calls.map(({ headers }) => headers['idempotency-key']);
  const isQueued = (notifications: { jobs?: { status: string }[] }[]) =>
    notifications[0]?.jobs?.[0]?.status === 'queued';

  /** As if the server of the queue had lost everything. */
  async function emptyQueues(): Promise<void> {
    for (const name of QUEUE_NAMES) {
      const { queue, close } = openQueue(clarion.context.queueBackend, name, clarion.resources.queue);
      await queue.obliterate({ force: true });
      await close();
    }
  }

  /** Runs until the process of this role has been ended by the provider being called. */
  async function dieInTheMiddleOfACall(role: Role): Promise<void> {
    const worker = await clarion.startMortal(role);
    let called = false;
    clarion.provider.always('/emails', () => {
      called = true;
      worker.kill();
      return { json: { id: 'taken' } };
    });
    expect(await eventually(() => called)).toBe(true);
    clarion.provider.always('/emails', { json: { id: 'taken' } });
    await clarion.expireLeases();
  }

  it('an emptied queue: the sweeper offers triggers and steps again', async () => {
    const before = await clarion.trigger('mail-and-note', ANN);
    await emptyQueues();
    await clarion.start('engine');
    await clarion.activity(before, isQueued);
    await emptyQueues();
    await clarion.start('email', 'in_app');
    const [notification] = await clarion.activity(before, allEnded());
    expect(notification!.jobs!.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(keys()).toHaveLength(1);
  });

  it('a worker that dies before it calls anybody: another one takes over, and nobody notices', async () => {
    await clarion.start('engine');
    let died = false;
    const worker = await clarion.startMortal('email', (statement) => (died ||= statement === 'mark-sending'));
    const transactionId = await clarion.trigger('mail', ANN);
    expect(await eventually(() => died)).toBe(true);
    worker.kill();
    await clarion.expireLeases();
    await clarion.start('email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(storyOf(notification!)[0]!.map((line) => line.replace(' (retry)', ''))).toEqual([
      'email completed',
      ...BEGUN,
      'Success: Message sent',
    ]);
    expect(keys()).toHaveLength(1);
  });

  it('a worker that dies in the middle of a call: sent again under the same key, and told', async () => {
    await clarion.start('engine');
    const transactionId = await clarion.trigger('mail', ANN);
    await dieInTheMiddleOfACall('email');
    await clarion.start('email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(storyOf(notification!)).toEqual([['email completed', 'Pending: Step queued', ...AGAIN]]);
    expect(keys()).toEqual([keys()[0], keys()[0]]);
    expect(await clarion.messages(transactionId)).toMatchObject([{ status: 'sent' }]);
  });

  it('a worker that dies in the middle of a call: held, where the integration wants that', async () => {
    const [mail] = (await clarion.must<{ _id: string; identifier: string }[]>('GET', '/v1/integrations')).filter(
      ({ identifier }) => identifier === 'mail',
    );
    await clarion.must('PUT', `/v1/integrations/${mail!._id}`, { configurations: { inDoubt: 'hold' } });
    try {
      await clarion.start('engine', 'in_app');
      const transactionId = await clarion.trigger('mail-and-note', ANN);
      await dieInTheMiddleOfACall('email');
      await clarion.start('email');
      const [notification] = await clarion.activity(transactionId, allEnded());
      expect(storyOf(notification!)).toEqual([
        ['email failed', 'Pending: Step queued', 'Warning: Sending was interrupted, the message is held (retry)'],
        ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
      ]);
      expect(keys()).toHaveLength(1);
      expect((await clarion.messages(transactionId)).find(({ channel }) => channel === 'email')).toMatchObject({
        status: 'warning',
        errorId: 'in_doubt',
      });
    } finally {
      await clarion.must('PUT', `/v1/integrations/${mail!._id}`, { configurations: { inDoubt: 'resend' } });
    }
  });

  it('not a step that ends every process that takes it; its neighbours go through', async () => {
    await clarion.start('engine');
    const transactionId = await clarion.trigger('mail', ANN);
    await clarion.activity(transactionId, isQueued);
    for (let death = 0; death < 3; death += 1) await dieInTheMiddleOfACall('email');
    clarion.provider.reset();
    const neighbour = await clarion.trigger('mail', ANN);
    await clarion.start('email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(storyOf(notification!)).toEqual([
      ['email failed', 'Pending: Step queued', 'Failed: Step was quarantined after repeated crashes (retry)'],
    ]);
    const [other] = await clarion.activity(neighbour, allEnded());
    expect(storyOf(other!)).toEqual([['email completed', ...BEGUN, 'Success: Message sent']]);
    expect(keys()).toHaveLength(1);
  });

  it('an engine that dies with a trigger in its hands', async () => {
    let died = false;
    const engine = await clarion.startMortal('engine', (statement) => (died ||= statement === 'commit-fan-out'));
    const transactionId = await clarion.trigger('mail', ANN);
    expect(await eventually(() => died)).toBe(true);
    engine.kill();
    await clarion.expireLeases();
    await clarion.start('engine', 'email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(storyOf(notification!)).toEqual([['email completed', ...BEGUN, 'Success: Message sent']]);
  });

  it('several engines and workers at once: everything is done exactly once', async () => {
    await clarion.start('engine', 'engine', 'email', 'email');
    const events = (from: number) =>
      Array.from({ length: 50 }, (_, index) => ({
        name: 'mail',
        to: { subscriberId: `s-${(from + index) % 20}`, email: 's@x.test' },
        payload: { n: from + index },
        transactionId: `once-${from + index}`,
      }));
    const bodies = [0, 50, 100, 150].map((from) => ({ events: events(from) }));
    // Every call twice, and the queue told of everything once more.
    await Promise.all([...bodies, ...bodies].map((body) => clarion.must('POST', '/v1/events/trigger/bulk', body)));
    const rows = await clarion.database.query<{ id: TriggerId }>(
      `SELECT id FROM trigger WHERE transaction_id LIKE 'once-%'`,
    );
    await clarion.resources.producer.enqueue('trigger', { v: 1, triggerIds: rows.map(({ id }) => id) });
    const states = async () =>
      (
        await clarion.database.query<{ state: string; count: number }>(
          `SELECT state, count(*)::int AS count FROM step WHERE transaction_id LIKE 'once-%' GROUP BY 1`,
        )
      ).map(({ state, count }) => `${count} ${state}`);
    expect(await eventually(async () => (await states()).join() === '200 completed', 30_000)).toBe(true);
    expect(new Set(keys()).size).toBe(200);
    expect(keys()).toHaveLength(200);
    const [counts] = await clarion.database.query<{ messages: number; details: number }>(
      `SELECT (SELECT count(*)::int FROM message WHERE transaction_id LIKE 'once-%') AS messages,
              (SELECT count(*)::int FROM execution_detail d JOIN step s ON s.id = d.step_id
                WHERE s.transaction_id LIKE 'once-%') AS details`,
    );
    expect(counts).toEqual({ messages: 200, details: 800 });
  });

  it('a fan-out whose engine dies on the way: the next one goes on from where it was', async () => {
    await clarion.must('POST', '/v2/topics', { key: 'everybody' });
    await clarion.database.query(
      `WITH made AS (
         INSERT INTO subscriber (id, environment_id, subscriber_id)
         SELECT uuid_v7(), $1, 'member-' || n FROM generate_series(1, 3000) n RETURNING id
       )
       INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
       SELECT uuid_v7(), $1, (SELECT id FROM topic WHERE environment_id = $1 AND key = 'everybody'), id, id::text FROM made`,
      [clarion.environmentId],
    );
    await clarion.workflow('note', [{ type: 'in_app', controlValues: { body: 'x' } }]);
    let pages = 0;
    let died = false;
    // The first commit is that of the individual recipients, of whom there are none; then come the pages.
    const engine = await clarion.startMortal(
      'engine',
      (statement) => (died ||= statement === 'commit-fan-out' && (pages += 1) === 3),
    );
    const transactionId = await clarion.trigger('note', { type: 'Topic', topicKey: 'everybody' });
    expect(await eventually(() => died)).toBe(true);
    engine.kill();
    const count = async () =>
      (
        await clarion.database.query<{ all: number; different: number }>(
          `SELECT count(*)::int AS all, count(DISTINCT subscriber_id)::int AS different
             FROM notification WHERE transaction_id = $1`,
          [transactionId],
        )
      )[0]!;
    expect(await count()).toEqual({ all: 1000, different: 1000 });
    await clarion.expireLeases();
    await clarion.start('engine', 'engine', 'in_app');
    const isDone = async () =>
      (
        await clarion.database.query<{ done: boolean }>(
          `SELECT (SELECT state = 'done' FROM trigger WHERE transaction_id = $1)
                  AND (SELECT count(*) = 3000 FROM message WHERE transaction_id = $1) AS done`,
          [transactionId],
        )
      )[0]!.done;
    expect(await eventually(isDone, 30_000)).toBe(true);
    expect(await count()).toEqual({ all: 3000, different: 3000 });
  });
});
