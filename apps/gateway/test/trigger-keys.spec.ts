import type { TriggerResultDto } from '@clarion/contracts';
import { startGateway, type TestGateway } from './harness';

describe('what a key of the scope trigger may say about an event', () => {
  let gateway: TestGateway;
  let triggerKey: string;

  beforeAll(async () => {
    gateway = await startGateway();
    const keys = `/v1/environments/${gateway.environmentId}/api-keys`;
    triggerKey = (await gateway.call<{ key: string }>('POST', keys, { scope: 'trigger' })).body.key;
    await gateway.call('POST', '/v2/workflows', {
      name: 'Mail',
      workflowId: 'mail',
      steps: [{ name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'x' } }],
    });
  });
  afterAll(() => gateway.close());

  const event = (overrides?: object) => ({ name: 'mail', to: 'ada', ...(overrides && { overrides }) });
  const asTrigger = () => ({ authorization: `ApiKey ${triggerKey}` });
  const one = (body: object, headers?: Record<string, string>) =>
    gateway.call<TriggerResultDto & { message: string; errors: object }>('POST', '/v1/events/trigger', body, headers);
  const bulk = async (events: object[], headers?: Record<string, string>) =>
    (await gateway.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', { events }, headers)).body;

  const REFUSED: [string, object][] = [
    ['overrides.email.from', { email: { from: 'ceo@example.com' } }],
    ['overrides.email.bcc', { email: { bcc: ['thief@example.com'] } }],
    ['overrides.email.to', { email: { to: ['thief@example.com'] } }],
    ['overrides.providers.sendgrid._passthrough', { providers: { sendgrid: { _passthrough: { body: {} } } } }],
    ['overrides.sendgrid.personalizations', { sendgrid: { personalizations: [{ to: [{ email: 'x@y.z' }] }] } }],
  ];

  it('rejects the overrides of single events of a bulk call with a trigger key and names the path', async () => {
    const results = await bulk(
      [...REFUSED.map(([, overrides]) => event(overrides)), event({ email: { subject: 'S' } })],
      asTrigger(),
    );
    for (const [index, [path]] of REFUSED.entries()) {
      expect(results[index]).toMatchObject({
        status: 'error',
        error: [`${path}: a key of the scope "trigger" may not change sender or recipients in this environment`],
      });
    }
    expect(results.at(-1)!.status).toBe('processed');
  });

  it('answers 403 to the overrides of a trigger key in a single trigger and a broadcast', async () => {
    const [path, overrides] = REFUSED[0]!;
    expect(await one(event(overrides), asTrigger())).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(path), errors: { [path]: { messages: [expect.any(String)] } } },
    });
    const broadcast = { name: 'mail', overrides, payload: {} };
    expect((await gateway.call('POST', '/v1/events/trigger/broadcast', broadcast, asTrigger())).status).toBe(403);
  });

  it('accepts sender and recipient overrides from a key of the scope full', async () => {
    const results = await bulk(REFUSED.map(([, overrides]) => event(overrides)));
    expect(results.map(({ status }) => status)).toEqual(REFUSED.map(() => 'processed'));
  });

  it('accepts sender and recipient overrides from a trigger key when the environment allows it', async () => {
    const environment = `/v1/environments/${gateway.environmentId}`;
    expect((await gateway.call('PUT', environment, { allowRecipientOverrides: true })).status).toBe(200);
    expect((await one(event(REFUSED[0]![1]), asTrigger())).body).toMatchObject({ status: 'processed' });
    expect((await gateway.call('PUT', environment, { allowRecipientOverrides: false })).status).toBe(200);
    expect((await one(event(REFUSED[0]![1]), asTrigger())).status).toBe(403);
  });

  describe('priority', () => {
    const laneOf = async (body: object, headers?: Record<string, string>, path = '/v1/events/trigger') => {
      const answer = await gateway.call<TriggerResultDto>('POST', path, body, headers);
      const [row] = await gateway.database.query<{ lane: number }>(
        `SELECT w.lane FROM work w JOIN trigger t ON t.id = w.id WHERE t.transaction_id = $1`,
        [answer.body.transactionId],
      );
      return row?.lane ?? answer.status;
    };
    const broadcast = { name: 'mail', payload: {} };
    const toAll = (more: object = {}, headers?: Record<string, string>) =>
      laneOf({ ...broadcast, ...more }, headers, '/v1/events/trigger/broadcast');

    beforeAll(async () => {
      await gateway.call('POST', '/v2/workflows', {
        name: 'Code',
        workflowId: 'code',
        steps: [{ name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'x' } }],
        preferences: { workflow: { all: { enabled: true, readOnly: true } } },
      });
      for (const key of ['small', 'large']) await gateway.call('POST', '/v2/topics', { key });
      await gateway.database.query(
        `WITH member AS (
           INSERT INTO subscriber (id, environment_id, subscriber_id)
           SELECT gen_random_uuid(), $1, 'member-' || n FROM generate_series(1, 1001) n RETURNING id, subscriber_id)
         INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
         SELECT gen_random_uuid(), $1, t.id, m.id, t.key || m.subscriber_id FROM topic t JOIN member m
             ON t.key = 'large' OR m.subscriber_id <> 'member-1'
          WHERE t.environment_id = $1`,
        [gateway.environmentId],
      );
    });

    it('is critical for a critical workflow, bulk for many recipients and normal otherwise', async () => {
      expect(await laneOf({ name: 'code', to: 'ada' })).toBe(1);
      expect(await laneOf({ name: 'mail', to: 'ada' })).toBe(2);
      expect(await laneOf({ name: 'mail', to: { type: 'Topic', topicKey: 'small' } })).toBe(2);
      expect(await laneOf({ name: 'mail', to: { type: 'Topic', topicKey: 'large' } })).toBe(3);
      expect(await laneOf({ name: 'code', to: { type: 'Topic', topicKey: 'large' } })).toBe(1);
      expect(await toAll()).toBe(3);
    });

    it('is what the event says, in single, bulk and broadcast calls', async () => {
      expect(await laneOf({ name: 'code', to: 'ada', priority: 'bulk' })).toBe(3);
      expect(await laneOf({ name: 'mail', to: 'ada', priority: 'critical' })).toBe(1);
      expect(await toAll({ priority: 'normal' })).toBe(2);
      const results = await bulk([
        { name: 'mail', to: 'ada', priority: 'bulk' },
        { name: 'mail', to: 'ada', priority: 'urgent' },
      ]);
      expect(results.map(({ status }) => status)).toEqual(['processed', 'error']);
      expect(results[1]!.error![0]).toContain('priority');
      expect((await one({ name: 'mail', to: 'ada', priority: 1 })).status).toBe(422);
    });

    it('is lowered by a trigger key, and raised where the environment allows it', async () => {
      const raised = { name: 'mail', to: 'ada', priority: 'critical' };
      expect(await laneOf({ ...raised, priority: 'bulk' }, asTrigger())).toBe(3);
      expect(await laneOf({ name: 'code', to: 'ada', priority: 'critical' }, asTrigger())).toBe(1);
      expect(await toAll({ priority: 'normal' }, asTrigger())).toBe(403);
      expect(await one(raised, asTrigger())).toMatchObject({
        status: 403,
        body: { errors: { priority: { messages: [expect.stringContaining('may not raise')] } } },
      });
      expect((await bulk([raised], asTrigger()))[0]).toMatchObject({ status: 'error' });
      const environment = `/v1/environments/${gateway.environmentId}`;
      const { body } = await gateway.call('PUT', environment, { allowRaisedPriority: true });
      expect(body).toMatchObject({ allowRaisedPriority: true });
      expect(await laneOf(raised, asTrigger())).toBe(1);
      await gateway.call('PUT', environment, { allowRaisedPriority: false });
    });

    it('is part of the event', async () => {
      const again = { name: 'mail', to: 'ada', transactionId: 'with-priority' };
      expect((await one({ ...again, priority: 'bulk' })).body.status).toBe('processed');
      expect((await one({ ...again, priority: 'bulk' })).body.status).toBe('processed');
      expect((await one(again)).body.status).toBe('error');
    });
  });
});
