import type {
  ContextDto,
  TopicSubscriptionDto,
  TopicSubscriptionListDto,
  TopicSubscriptionsResultDto,
  WorkflowDto,
} from '@clarion/contracts';
import { expectFieldErrors, type Refusal, startGateway, type TestGateway } from './harness';

const condition = { '==': [{ var: 'payload.plan' }, 'gold'] };

describe('preferences and contexts of topic subscriptions', () => {
  let gateway: TestGateway;
  let news: WorkflowDto;
  let alerts: WorkflowDto;
  let billing: WorkflowDto;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.call('POST', '/v1/subscribers/bulk', {
      subscribers: ['ada', 'bob'].map((subscriberId) => ({ subscriberId })),
    });
    const workflow = async (workflowId: string, rest: object = {}) =>
      (await gateway.call<WorkflowDto>('POST', '/v2/workflows', { name: workflowId, workflowId, steps: [], ...rest }))
        .body;
    news = await workflow('news', { tags: ['marketing', 'weekly'] });
    alerts = await workflow('alerts', { severity: 'high', preferences: { workflow: { all: { readOnly: true } } } });
    billing = await workflow('billing', { tags: ['weekly'] });
  });
  afterAll(() => gateway.close());

  let topics = 0;
  const newTopic = () => `topic-${(topics += 1)}`;
  const subscribe = (topic: string, body: object) =>
    gateway.call<TopicSubscriptionsResultDto>('POST', `/v2/topics/${topic}/subscriptions`, {
      subscriptions: ['ada'],
      ...body,
    });
  const patch = (topic: string, identifier: string, body: object) =>
    gateway.call<TopicSubscriptionDto>('PATCH', `/v2/topics/${topic}/subscriptions/${identifier}`, body);
  const storedOf = async (id: string) => {
    const [row] = await gateway.database.query<{ preferences: unknown; context_keys: string[] }>(
      'SELECT preferences, context_keys FROM topic_subscription WHERE id = $1',
      [id],
    );
    return row!;
  };
  const shown = ({ preferences = [] }: TopicSubscriptionDto) =>
    preferences.map(({ workflow, enabled, condition: rule }) => [workflow.identifier, enabled, rule]);

  it('accepts preferences as workflowIds, objects and groups, and stores them by workflow', async () => {
    const topic = newTopic();
    const answer = await subscribe(topic, {
      preferences: [
        'alerts',
        { filter: { tags: ['weekly'] }, enabled: false },
        { workflowId: news._id, condition },
        { filter: { workflowIds: ['billing'], tags: ['no-such-tag'] }, condition, enabled: true },
      ],
    });

    expect(answer.status).toBe(201);
    const [subscription] = answer.body.data;
    expect(subscription!.preferences).toEqual([
      {
        subscriptionId: subscription!._id,
        workflow: {
          id: news._id,
          identifier: 'news',
          name: 'news',
          critical: false,
          tags: ['marketing', 'weekly'],
          severity: 'none',
        },
        enabled: true,
        condition,
      },
      {
        subscriptionId: subscription!._id,
        workflow: { id: alerts._id, identifier: 'alerts', name: 'alerts', critical: true, tags: [], severity: 'high' },
        enabled: true,
      },
      {
        subscriptionId: subscription!._id,
        workflow: {
          id: billing._id,
          identifier: 'billing',
          name: 'billing',
          critical: false,
          tags: ['weekly'],
          severity: 'none',
        },
        enabled: true,
        condition,
      },
    ]);
    expect((await storedOf(subscription!._id)).preferences).toEqual({
      [alerts._id]: { enabled: true },
      [news._id]: { enabled: true, condition },
      [billing._id]: { enabled: true, condition },
    });

    const path = `/v2/topics/${topic}/subscriptions`;
    const listed = (await gateway.call<TopicSubscriptionListDto>('GET', path)).body;
    expect(listed.data[0]!.preferences).toEqual(subscription!.preferences);
    const one = await gateway.call('GET', `${path}/${encodeURIComponent(subscription!.identifier)}`);
    expect(one.body).toMatchObject({ id: subscription!._id, preferences: subscription!.preferences });
  });

  it('leaves out the preferences and contexts of a subscription that has none', async () => {
    const [subscription] = (await subscribe(newTopic(), {})).body.data;
    expect(subscription).not.toHaveProperty('preferences');
    expect(subscription).not.toHaveProperty('contextKeys');
    expect((await storedOf(subscription!._id)).preferences).toBeNull();
  });

  it('sets preferences on subscriptions that a call creates, not on existing ones', async () => {
    const topic = newTopic();
    await subscribe(topic, { preferences: [{ workflowId: 'news', enabled: false }] });
    const again = await subscribe(topic, { subscriptions: ['ada', 'bob'], preferences: ['alerts'] });
    expect(again.body.data.map(shown)).toEqual([[['news', false, undefined]], [['alerts', true, undefined]]]);
  });

  it('replaces preferences by a patch that contains them and keeps them otherwise', async () => {
    const topic = newTopic();
    const [made] = (await subscribe(topic, { preferences: ['news'] })).body.data;
    const { identifier } = made!;

    const replaced = await patch(topic, identifier, { preferences: [{ workflowId: 'alerts', enabled: false }] });
    expect(replaced).toMatchObject({ status: 200, body: { _id: made!._id, identifier } });
    expect(shown(replaced.body)).toEqual([['alerts', false, undefined]]);
    expect(replaced.body).not.toHaveProperty('name');

    const named = await patch(topic, identifier, { name: 'Mine' });
    expect(named.body).toMatchObject({ name: 'Mine', preferences: replaced.body.preferences });
    expect(named.body.updatedAt > made!.createdAt).toBe(true);
    expect((await patch(topic, identifier, { preferences: [] })).body).toMatchObject({ name: 'Mine', preferences: [] });
    expect((await patch(topic, identifier, {})).status).toBe(200);
  });

  it('does not show the preferences of a deleted workflow', async () => {
    await gateway.call('POST', '/v2/workflows', { name: 'Brief', workflowId: 'brief', steps: [] });
    const topic = newTopic();
    const [made] = (await subscribe(topic, { preferences: ['brief', 'news'] })).body.data;
    await gateway.call('DELETE', '/v2/workflows/brief');
    expect(shown((await patch(topic, made!.identifier, {})).body)).toEqual([['news', true, undefined]]);
  });

  it.each<[string, unknown, string]>([
    ['an unknown workflow', ['no-such'], 'preferences.0.workflowId'],
    [
      'an unknown workflow in a group',
      ['news', { filter: { workflowIds: ['no-such'] } }],
      'preferences.1.filter.workflowIds',
    ],
    ['neither a workflow nor a group', [{ enabled: true }], 'preferences.0'],
    ['a workflow and a group together', [{ workflowId: 'news', filter: {} }], 'preferences.0'],
    ['preferences that are not a list', 'news', 'preferences'],
    ['a condition that is not an object', [{ workflowId: 'news', condition: 'x' }], 'preferences.0.condition'],
    ['a flag that is not a boolean', [{ workflowId: 'news', enabled: 'yes' }], 'preferences.0.enabled'],
    ['more than 100 preferences', Array(101).fill('news'), 'preferences'],
  ])(
    'answers preferences with %s with a 422 that names the field, on create and patch',
    async (_, preferences, field) => {
      const topic = newTopic();
      const created = await subscribe(topic, { preferences });
      expectFieldErrors(created, [field]);
      expect((await gateway.call('GET', `/v2/topics/${topic}`)).status).toBe(404);

      await subscribe(topic, {});
      const patched = await patch(topic, `tk_${topic}:si_ada`, { preferences });
      expectFieldErrors(patched, [field]);
    },
  );

  it('answers 404 for an unknown or foreign subscription or topic', async () => {
    const topic = newTopic();
    const [made] = (await subscribe(topic, {})).body.data;
    expect(await patch(topic, 'none', { name: 'X' })).toMatchObject({
      status: 404,
      body: { message: `Subscription none to topic ${topic} was not found` },
    });
    expect((await patch('no-such-topic', 'none', { name: 'X' })).status).toBe(404);

    const headers = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const path = `/v2/topics/${topic}/subscriptions/${made!.identifier}`;
    expect((await gateway.call('PATCH', path, { name: 'Stolen' }, headers)).status).toBe(404);
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' }, headers);
    const foreign = { subscriptions: ['ada'], preferences: ['news'] };
    const stranger = await gateway.call<Refusal>('POST', `/v2/topics/${topic}/subscriptions`, foreign, headers);
    expect(Object.keys(stranger.body.errors)).toEqual(['preferences.0.workflowId']);
  });

  it('separates subscriptions of one subscriber by context, and creates missing contexts', async () => {
    const topic = newTopic();
    await gateway.call('POST', '/v2/contexts', { type: 'team', id: 'red', data: { kept: true } });
    const plain = await subscribe(topic, {});
    const red = await subscribe(topic, { context: { team: { id: 'red', data: { kept: false } }, region: 'eu' } });
    const again = await subscribe(topic, { context: { region: 'eu', team: 'red' } });
    const blue = await subscribe(topic, { context: { team: { id: 'blue', data: { color: 1 } } } });

    expect(red.body.data).toEqual([expect.objectContaining({ contextKeys: ['region:eu', 'team:red'] })]);
    expect(again.body.data[0]!._id).toBe(red.body.data[0]!._id);
    expect(new Set([plain, red, blue].map(({ body }) => body.data[0]!._id)).size).toBe(3);
    const found = await gateway.call<TopicSubscriptionListDto>(
      'GET',
      `/v2/topics/${topic}/subscriptions?contextKeys=team:red&contextKeys=region:eu`,
    );
    expect(found.body.data.map(({ _id }) => _id)).toEqual([red.body.data[0]!._id]);
    const dataOf = async (path: string) => (await gateway.call<ContextDto>('GET', `/v2/contexts/${path}`)).body.data;
    expect([await dataOf('team/red'), await dataOf('team/blue'), await dataOf('region/eu')]).toEqual([
      { kept: true },
      { color: 1 },
      {},
    ]);
  });

  it.each([
    [{ a: 'a', b: 'b', c: 'c', d: 'd', e: 'e', f: 'f' }, 'context'],
    [{ team: '' }, 'context.team'],
    [{ team: { id: 'x', data: [] } }, 'context.team.data'],
    ['text', 'context'],
  ])('answers the context %j with a 422 that names %s', async (context, field) => {
    expectFieldErrors(await subscribe(newTopic(), { context }), [field]);
  });
});
