import { CHANNELS, type TriggerId } from '@clarion/contracts';
import { openQueue, QUEUE_NAMES, QueueProducer } from '@clarion/queue';
import { until } from '@clarion/testing';
import { allEnded, type Clarion, historyOf, type Role, startOwnClarion } from './harness';

const BEGUN = ['Pending: Step queued', 'Pending: Resend provider was selected', 'Pending: Message created'];
const SENT_AGAIN = [
  'Warning: Sending was interrupted, the message is sent again (retry)',
  'Pending: Resend provider was selected (retry)',
  'Pending: Message created (retry)',
  'Success: Message sent (retry)',
];

describe('recovery', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startOwnClarion({ roles: [] });
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

  /** Empties all queues, as if the server of the queue had lost its data. */
  async function emptyQueues(): Promise<void> {
    for (const name of QUEUE_NAMES) {
      const { queue, close } = openQueue(clarion.context.queueBackend, name, clarion.resources.queue);
      await queue.obliterate({ force: true });
      await close();
    }
  }

  /** Starts a role, kills it during its call to the provider, and ends its leases. */
  async function killDuringProviderCall(role: Role): Promise<void> {
    const worker = await clarion.startKillable(role);
    let called = false;
    clarion.provider.always('/emails', () => {
      called = true;
      worker.kill();
      return { json: { id: 'taken' } };
    });
    await until(() => called);
    clarion.provider.always('/emails', { json: { id: 'taken' } });
    await clarion.expireLeases();
  }

  it('delivers triggers and steps after the queue was emptied', async () => {
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

  it('delivers a message once when its worker is killed before the call to the provider', async () => {
    await clarion.start('engine');
    let killed = false;
    const worker = await clarion.startKillable('email', (statement) => (killed ||= statement === 'mark-sending'));
    const transactionId = await clarion.trigger('mail', ANN);
    await until(() => killed);
    worker.kill();
    await clarion.expireLeases();
    await clarion.start('email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)[0]!.map((line) => line.replace(' (retry)', ''))).toEqual([
      'email completed',
      ...BEGUN,
      'Success: Message sent',
    ]);
    expect(keys()).toHaveLength(1);
  });

  it('sends a message again under the same key when its worker is killed during the call, and records it', async () => {
    await clarion.start('engine');
    const transactionId = await clarion.trigger('mail', ANN);
    await killDuringProviderCall('email');
    await clarion.start('email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)).toEqual([['email completed', 'Pending: Step queued', ...SENT_AGAIN]]);
    expect(keys()).toEqual([keys()[0], keys()[0]]);
    expect(await clarion.messages(transactionId)).toMatchObject([{ status: 'sent' }]);
  });

  it('holds a message with inDoubt: hold when its worker is killed during the call', async () => {
    const [mail] = (await clarion.callOk<{ _id: string; identifier: string }[]>('GET', '/v1/integrations')).filter(
      ({ identifier }) => identifier === 'mail',
    );
    await clarion.callOk('PUT', `/v1/integrations/${mail!._id}`, { configurations: { inDoubt: 'hold' } });
    try {
      await clarion.start('engine', 'in_app');
      const transactionId = await clarion.trigger('mail-and-note', ANN);
      await killDuringProviderCall('email');
      await clarion.start('email');
      const [notification] = await clarion.activity(transactionId, allEnded());
      expect(historyOf(notification!)).toEqual([
        ['email failed', 'Pending: Step queued', 'Warning: Sending was interrupted, the message is held (retry)'],
        ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'],
      ]);
      expect(keys()).toHaveLength(1);
      expect((await clarion.messages(transactionId)).find(({ channel }) => channel === 'email')).toMatchObject({
        status: 'warning',
        errorId: 'in_doubt',
      });
    } finally {
      await clarion.callOk('PUT', `/v1/integrations/${mail!._id}`, { configurations: { inDoubt: 'resend' } });
    }
  });

  it('quarantines a step after three killed workers and delivers the others', async () => {
    await clarion.start('engine');
    const transactionId = await clarion.trigger('mail', ANN);
    await clarion.activity(transactionId, isQueued);
    for (let crash = 0; crash < 3; crash += 1) await killDuringProviderCall('email');
    clarion.provider.reset();
    const other = await clarion.trigger('mail', ANN);
    await clarion.start('email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)).toEqual([
      [
        'email failed',
        'Pending: Step queued',
        'Warning: Sending was interrupted, the message is held (retry)',
        'Failed: Step was quarantined after repeated crashes (retry)',
      ],
    ]);
    const [delivered] = await clarion.activity(other, allEnded());
    expect(historyOf(delivered!)).toEqual([['email completed', ...BEGUN, 'Success: Message sent']]);
    expect(keys()).toHaveLength(1);
  });

  it('runs a trigger again after the engine that claimed it was killed', async () => {
    let killed = false;
    const engine = await clarion.startKillable('engine', (statement) => (killed ||= statement.startsWith('commit-')));
    const transactionId = await clarion.trigger('mail', ANN);
    await until(() => killed);
    engine.kill();
    await clarion.expireLeases();
    await clarion.start('engine', 'email');
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(historyOf(notification!)).toEqual([['email completed', ...BEGUN, 'Success: Message sent']]);
  });

  it('delivers every message exactly once with several engines and workers', async () => {
    await clarion.start('engine', 'engine', 'email', 'email');
    const events = (from: number) =>
      Array.from({ length: 50 }, (_, index) => ({
        name: 'mail',
        to: { subscriberId: `s-${(from + index) % 20}`, email: 's@x.test' },
        payload: { n: from + index },
        transactionId: `once-${from + index}`,
      }));
    const bodies = [0, 50, 100, 150].map((from) => ({ events: events(from) }));
    // Every call is sent twice, and every trigger is queued once more.
    await Promise.all([...bodies, ...bodies].map((body) => clarion.callOk('POST', '/v1/events/trigger/bulk', body)));
    const rows = await clarion.database.query<{ id: TriggerId }>(
      `SELECT id FROM trigger WHERE transaction_id LIKE 'once-%'`,
    );
    await new QueueProducer(clarion.resources.queueConnection).enqueue('trigger', {
      v: 1,
      triggerIds: rows.map(({ id }) => id),
    });
    const states = async () =>
      (
        await clarion.database.query<{ state: string; count: number }>(
          `SELECT s.state, count(*)::int AS count
             FROM trigger t JOIN notification n ON n.trigger_id = t.id JOIN step s ON s.id = step_id(n.id, 0)
            WHERE t.transaction_id LIKE 'once-%' GROUP BY 1`,
        )
      ).map(({ state, count }) => `${count} ${state}`);
    await until(async () => (await states()).join() === '200 completed');
    expect(new Set(keys()).size).toBe(200);
    expect(keys()).toHaveLength(200);
    const [counts] = await clarion.database.query<object>(
      `SELECT count(*)::int AS steps, sum(json_array_length(s.details))::int AS details,
              (SELECT count(*)::int FROM message m JOIN trigger t ON t.id = m.trigger_id
                WHERE t.transaction_id LIKE 'once-%') AS messages,
              (SELECT count(*)::int FROM execution_detail d WHERE d.step_id = ANY (array_agg(s.id))) AS others
         FROM trigger t JOIN notification n ON n.trigger_id = t.id JOIN step s ON s.id = step_id(n.id, 0)
        WHERE t.transaction_id LIKE 'once-%'`,
    );
    expect(counts).toEqual({ steps: 200, messages: 200, details: 600, others: 0 });
  });

  it('continues a fan-out where it stopped when its engine was killed', async () => {
    await clarion.callOk('POST', '/v2/topics', { key: 'all' });
    await clarion.database.query(
      `WITH made AS (
         INSERT INTO subscriber (id, environment_id, subscriber_id)
         SELECT uuid_v7(), $1, 'member-' || n FROM generate_series(1, 3000) n RETURNING id
       )
       INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
       SELECT uuid_v7(), $1, (SELECT id FROM topic WHERE environment_id = $1 AND key = 'all'), id, id::text
         FROM made`,
      [clarion.environmentId],
    );
    await clarion.workflow('note', [{ type: 'in_app', controlValues: { body: 'x' } }]);
    let pages = 0;
    let killed = false;
    // The first commit has the individual recipients (none here); a commit per page follows.
    const engine = await clarion.startKillable(
      'engine',
      (statement) => (killed ||= statement.startsWith('commit-') && (pages += 1) === 3),
    );
    const transactionId = await clarion.trigger('note', { type: 'Topic', topicKey: 'all' });
    await until(() => killed);
    engine.kill();
    const count = async () =>
      (
        await clarion.database.query<{ all: number; different: number }>(
          `SELECT count(*)::int AS all, count(DISTINCT subscriber_id)::int AS different
             FROM notification n JOIN trigger t ON t.id = n.trigger_id WHERE t.transaction_id = $1`,
          [transactionId],
        )
      )[0]!;
    expect(await count()).toEqual({ all: 1000, different: 1000 });
    await clarion.expireLeases();
    await clarion.start('engine', 'engine', 'in_app');
    const isDone = async () =>
      (
        await clarion.database.query<{ done: boolean }>(
          `SELECT NOT EXISTS (SELECT 1 FROM work w WHERE w.trigger_id = t.id)
                  AND (SELECT count(*) = 3000 FROM message m WHERE m.trigger_id = t.id) AS done
             FROM trigger t WHERE t.transaction_id = $1`,
          [transactionId],
        )
      )[0]!.done;
    await until(isDone);
    expect(await count()).toEqual({ all: 3000, different: 3000 });
  });
});
