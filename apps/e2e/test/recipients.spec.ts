import type { NotificationDto, TriggerResultDto } from '@clarion/contracts';
import { allEnded, type Clarion, historyOf, startClarion } from './harness';

const SENT = ['in_app completed', 'Pending: Step queued', 'Pending: Message created', 'Success: Message sent'];

describe('recipients of a trigger', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'in_app'] });
    await clarion.workflow('note', [{ type: 'in_app', controlValues: { body: 'Hi {{subscriber.firstName}}' } }]);
    for (const subscriberId of ['ann', 'bob', 'cat', 'dan']) {
      await clarion.callOk('POST', '/v2/subscribers', { subscriberId, firstName: subscriberId });
    }
    await subscribe('red', ['ann', 'bob', 'cat']);
    await subscribe('blue', ['cat', 'dan']);
  });
  afterAll(() => clarion.close());

  const subscribe = (topicKey: string, subscriberIds: string[], more: object = {}) =>
    clarion.callOk('POST', `/v2/topics/${topicKey}/subscriptions`, { subscriptions: subscriberIds, ...more });
  const topic = (topicKey: string, more: object = {}) => ({ type: 'Topic', topicKey, ...more });
  const reached = async (to: unknown, count: number, more: object = {}): Promise<NotificationDto[]> => {
    const transactionId = await clarion.trigger('note', to, more);
    const isDone = async () =>
      (
        await clarion.database.query<{ done: boolean }>(
          `SELECT NOT EXISTS (SELECT 1 FROM work w WHERE w.id = t.id) AS done FROM trigger t WHERE t.transaction_id = $1`,
          [transactionId],
        )
      )[0]!.done;
    const notifications = await clarion.activity(transactionId, allEnded(count));
    // The fan-out is done, so no more recipients can follow.
    expect(await isDone()).toBe(true);
    return notifications;
  };
  const names = (notifications: NotificationDto[]) =>
    notifications.map(({ subscriber }) => subscriber!.subscriberId).sort();

  it('reaches subscribers given as text and as object, each once, and stores the profile', async () => {
    const notifications = await reached(
      ['ann', { subscriberId: 'new', firstName: 'New', timezone: 'Europe/Rome' }, 'ann'],
      2,
    );
    expect(names(notifications)).toEqual(['ann', 'new']);
    for (const notification of notifications) expect(historyOf(notification)).toEqual([SENT]);
    expect(await clarion.callOk('GET', '/v2/subscribers/new')).toMatchObject({
      firstName: 'New',
      timezone: 'Europe/Rome',
    });
    const { to } = notifications.find(({ subscriber }) => subscriber!.subscriberId === 'new')!;
    expect(to).toEqual({ subscriberId: 'new', firstName: 'New', timezone: 'Europe/Rome' });
    await clarion.callOk('DELETE', '/v2/subscribers/new');
  });

  it('reaches the subscribers of a topic except excluded ones and the actor', async () => {
    const all = await reached(topic('red'), 3);
    expect(names(all)).toEqual(['ann', 'bob', 'cat']);
    expect(all[0]!.topics).toEqual([{ _topicId: expect.any(String), topicKey: 'red' }]);
    expect(names(await reached(topic('red', { exclude: ['bob'] }), 2))).toEqual(['ann', 'cat']);
    expect(names(await reached(topic('red'), 2, { actor: 'cat' }))).toEqual(['ann', 'bob']);
  });

  it('reaches the subscribers of several topics and single subscribers once each', async () => {
    const notifications = await reached([topic('red'), topic('blue'), topic('nowhere'), 'ann'], 4);
    expect(names(notifications)).toEqual(['ann', 'bob', 'cat', 'dan']);
    const topicsOf = (name: string) =>
      notifications
        .find(({ subscriber }) => subscriber!.subscriberId === name)!
        .topics?.map(({ topicKey }) => topicKey);
    expect(topicsOf('cat')!.sort()).toEqual(['blue', 'red']);
    expect(topicsOf('ann')).toBeUndefined();
  });

  it('reaches the actor when the actor is also a recipient', async () => {
    expect(names(await reached(['ann', 'bob'], 2, { actor: 'ann' }))).toEqual(['ann', 'bob']);
  });

  it('reaches the subscribers of a topic whose subscription preferences allow the workflow', async () => {
    await subscribe('choosy', ['ann'], { preferences: [{ workflowId: 'note', enabled: false }] });
    await subscribe('choosy', ['bob'], {
      preferences: [{ workflowId: 'note', condition: { '==': [{ var: 'payload.kind' }, 'good'] } }],
    });
    await subscribe('choosy', ['cat'], {
      preferences: [{ workflowId: 'note', condition: { '==': [{ var: 'subscriber.firstName' }, 'cat'] } }],
    });
    await subscribe('choosy', ['dan']);
    expect(names(await reached(topic('choosy'), 3, { payload: { kind: 'good' } }))).toEqual(['bob', 'cat', 'dan']);
    expect(names(await reached(topic('choosy'), 2, { payload: { kind: 'bad' } }))).toEqual(['cat', 'dan']);
  });

  it('reaches all subscribers of the environment by a broadcast', async () => {
    const { transactionId } = await clarion.callOk<TriggerResultDto>('POST', '/v1/events/trigger/broadcast', {
      name: 'note',
      payload: {},
    });
    expect(names(await clarion.activity(transactionId!, allEnded(4)))).toEqual(['ann', 'bob', 'cat', 'dan']);
  });

  it('does not reach subscribers of another environment by a broadcast', async () => {
    const other = await clarion.callOk<{ apiKeys: { key: string }[] }>('POST', '/v1/environments', { name: 'Other' });
    const response = await fetch(`${clarion.url}/v2/subscribers`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${other.apiKeys[0]!.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscriberId: 'stranger' }),
    });
    expect(response.status).toBe(201);
    const { transactionId } = await clarion.callOk<TriggerResultDto>('POST', '/v1/events/trigger/broadcast', {
      name: 'note',
      payload: {},
    });
    expect(names(await clarion.activity(transactionId!, allEnded(4)))).not.toContain('stranger');
  });

  it('processes the valid events of a bulk call beside rejected and failing ones', async () => {
    await clarion.workflow('strict', [{ type: 'in_app', controlValues: { body: 'x' } }], {
      payloadSchema: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
      validatePayload: true,
    });
    await clarion.workflow('broken', [{ type: 'in_app', controlValues: { body: '{% if %}' } }]);
    await clarion.workflow('keyed', [
      { type: 'digest', controlValues: { type: 'regular', amount: 1, unit: 'hours', digestKey: 'key' } },
    ]);
    await clarion.workflow('late', [{ type: 'delay', controlValues: { type: 'scheduled', delayPath: 'at' } }]);
    const results = await clarion.callOk<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', {
      events: [
        { name: 'note', to: 'ann' },
        { name: 'nothing', to: 'ann' },
        { name: 'strict', to: 'ann', payload: { n: 'text' } },
        { name: 'note', to: 'ann', tenant: 'unknown' },
        { name: 'note', to: '' },
        { name: 'broken', to: 'ann' },
        { name: 'keyed', to: 'ann' },
        { name: 'late', to: 'ann', payload: { at: '2001-01-01T00:00:00Z' } },
        { name: 'note', to: 'ann', overrides: { typo: 1 } },
        { name: 'note', to: 'bob' },
      ],
    });
    expect(results.map(({ status }) => status)).toEqual([
      'processed',
      'error',
      'error',
      'no_tenant_found',
      'invalid_recipients',
      'processed',
      'processed',
      'processed',
      'processed',
      'processed',
    ]);
    expect(results[1]!.error![0]).toBe('workflow_not_found');
    expect(results[2]!.error!.join()).toContain('n');
    const histories = await Promise.all(
      [0, 5, 6, 7, 8, 9].map(
        async (at) => historyOf((await clarion.activity(results[at]!.transactionId!, allEnded()))[0]!)[0]!,
      ),
    );
    expect(histories).toEqual([
      SENT,
      ['in_app failed', 'Pending: Step queued', 'Failed: Message content could not be generated'],
      ['digest failed', 'Failed: Digest key is missing in the payload'],
      ['delay failed', 'Failed: Invalid delay configuration'],
      expect.arrayContaining(['in_app completed', 'Warning: Some overrides are not known and were not used']),
      SENT,
    ]);
  });
});
