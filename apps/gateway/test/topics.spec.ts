import type {
  TopicDto,
  TopicListDto,
  TopicSubscriptionDetailsDto,
  TopicSubscriptionListDto,
  TopicSubscriptionsResultDto,
} from '@clarion/contracts';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);

const makeSubscribers = (gateway: TestGateway, subscriberIds: string[]) =>
  gateway.call('POST', '/v1/subscribers/bulk', {
    subscribers: subscriberIds.map((subscriberId) => ({ subscriberId })),
  });

describe('topics', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const create = (body: object, query = '') => gateway.call<TopicDto>('POST', `/v2/topics${query}`, body);
  const retrieve = (key: string) => gateway.call<TopicDto>('GET', `/v2/topics/${encodeURIComponent(key)}`);

  it('creates a topic and answers 201', async () => {
    const answer = await create({ key: 'product-updates', name: 'Product updates' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: 'product-updates',
      name: 'Product updates',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await retrieve('product-updates')).body).toEqual(answer.body);
  });

  it('leaves out the name of a topic that has none', async () => {
    const { status, body } = await create({ key: 'nameless' });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('name');
  });

  it('answers 200 when the topic key exists and changes the name only to a non-empty one', async () => {
    const first = await create({ key: 'twice', name: 'One' });
    const untouched = await create({ key: 'twice' });
    expect(untouched).toMatchObject({ status: 200, body: first.body });
    expect(await create({ key: 'twice', name: '' })).toMatchObject({ status: 200, body: first.body });

    const renamed = await create({ key: 'twice', name: 'Two' });
    expect(renamed).toMatchObject({ status: 200, body: { _id: first.body._id, name: 'Two' } });
    expect(renamed.body.createdAt).toBe(first.body.createdAt);
    expect(renamed.body.updatedAt! > first.body.updatedAt!).toBe(true);
  });

  it('answers 409 with the existing topic when failIfExists is true', async () => {
    const first = await create({ key: 'taken', name: 'Mine' }, '?failIfExists=true');
    expect(first.status).toBe(201);

    const second = await create({ key: 'taken', name: 'Yours' }, '?failIfExists=true');
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      statusCode: 409,
      message: 'Topic with key "taken" already exists',
      ...first.body,
    });
  });

  it.each(['a', 'A-b_c:9', 'x'.repeat(100), 'team@example.com', 'first.last+tag@sub.example.co.uk'])(
    'accepts the topic key %s and finds it by its encoded path',
    async (key) => {
      expect((await create({ key })).status).toBe(201);
      expect(await retrieve(key)).toMatchObject({ status: 200, body: { key } });
    },
  );

  it.each([
    'with space',
    ' padded',
    'dotted.key',
    'slash/ed',
    'ümlaut',
    '@',
    'not@mail',
    'a@b@c.com',
    '%',
    'line\nbreak',
  ])('answers 400 with the key for the invalid topic key %j', async (key) => {
    const answer = await create({ key });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ message: expect.stringContaining(`Invalid topic key: "${key}". `) });
  });

  it.each([
    [{}, 'key'],
    [{ key: '' }, 'key'],
    [{ key: 'x'.repeat(101) }, 'key'],
    [{ key: 7 }, 'key'],
    [{ key: null }, 'key'],
    [{ key: 'ok', name: 'x'.repeat(101) }, 'name'],
    [{ key: 'ok', name: 7 }, 'name'],
    [{ key: 'ok', name: null }, 'name'],
  ])('answers the topic %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await gateway.call('POST', '/v2/topics', body), [field]);
  });

  it('renames a topic, and keeps it unchanged for an empty patch', async () => {
    const first = await create({ key: 'to-rename', name: 'Old' });
    expect(await gateway.call('PATCH', '/v2/topics/to-rename', { name: 'New', key: 'ignored' })).toMatchObject({
      status: 200,
      body: { _id: first.body._id, key: 'to-rename', name: 'New' },
    });
    expect(await gateway.call('PATCH', '/v2/topics/to-rename', {})).toMatchObject({
      status: 200,
      body: { name: 'New' },
    });
    expect((await gateway.call('PATCH', '/v2/topics/to-rename', { name: 'x'.repeat(101) })).status).toBe(422);
    expect(await gateway.call('PATCH', '/v2/topics/no%40example.com', { name: 'X' })).toMatchObject({
      status: 404,
      body: { message: 'Topic with key no@example.com not found' },
    });
  });

  it('deletes a topic with its subscriptions', async () => {
    await makeSubscribers(gateway, ['of-deleted']);
    await gateway.call('POST', '/v2/topics/to-delete/subscriptions', { subscriptions: ['of-deleted'] });

    expect(await gateway.call('DELETE', '/v2/topics/to-delete')).toMatchObject({
      status: 200,
      body: { acknowledged: true },
    });
    expect((await retrieve('to-delete')).status).toBe(404);
    expect((await gateway.call('DELETE', '/v2/topics/to-delete')).status).toBe(404);
    expect((await gateway.call('GET', '/v2/subscribers/of-deleted/subscriptions')).body).toMatchObject({ data: [] });
  });

  it('creates one topic under 200 concurrent identical requests', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => create({ key: 'race', name: 'Race' })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(199);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
    expect((await gateway.call('GET', '/v2/topics?key=race')).body).toMatchObject({ totalCount: 1 });
  });

  it('answers 201 to one of 50 concurrent creates with failIfExists and 409 to the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create({ key: 'race-once' }, '?failIfExists=true')),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(49).fill(409)]);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
  });

  it('replays the status of the first response under an idempotency key', async () => {
    const send = (key: string) =>
      gateway.call('POST', '/v2/topics', { key: 'idempotent', name: key }, { 'idempotency-key': key });
    const [created, createdAgain] = [await send('make'), await send('make')];
    const [updated, updatedAgain] = [await send('update'), await send('update')];

    expect([created.status, createdAgain.status, updated.status, updatedAgain.status]).toEqual([201, 201, 200, 200]);
    expect(createdAgain.headers.get('idempotency-replay')).toBe('true');
    expect(updatedAgain.headers.get('idempotency-replay')).toBe('true');
    expect(createdAgain.text).toBe(created.text);
    expect(updatedAgain.text).toBe(updated.text);
  });

  it('never shows or changes topics of another environment', async () => {
    await makeSubscribers(gateway, ['mine']);
    await gateway.call('POST', '/v2/topics/mine/subscriptions', { subscriptions: ['mine'] });
    const asStranger = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const stranger = (method: string, path: string, body?: unknown) => gateway.call(method, path, body, asStranger);

    const identifier = encodeURIComponent('tk_mine:si_mine');
    for (const [method, path, body] of [
      ['GET', '/v2/topics/mine', undefined],
      ['PATCH', '/v2/topics/mine', { name: 'Stolen' }],
      ['DELETE', '/v2/topics/mine', undefined],
      ['GET', '/v2/topics/mine/subscriptions', undefined],
      ['GET', `/v2/topics/mine/subscriptions/${identifier}`, undefined],
      ['DELETE', '/v2/topics/mine/subscriptions', { subscriptions: ['mine'] }],
      ['GET', '/v1/topics/mine/subscribers/mine', undefined],
    ] as const) {
      expect(await stranger(method, path, body)).toMatchObject({
        status: 404,
        body: { message: 'Topic with key mine not found' },
      });
    }
    expect((await stranger('GET', '/v2/subscribers/mine/subscriptions')).status).toBe(404);
    expect((await stranger('GET', '/v2/topics')).body).toMatchObject({ data: [], totalCount: 0 });

    // In the other environment the same key is another topic, and the subscriber is unknown.
    expect((await stranger('POST', '/v2/topics', { key: 'mine' })).status).toBe(201);
    expect(await stranger('POST', '/v2/topics/mine/subscriptions', { subscriptions: ['mine'] })).toMatchObject({
      status: 400,
      body: { errors: [{ subscriberId: 'mine', code: 'SUBSCRIBER_NOT_FOUND' }] },
    });
    expect((await gateway.call('GET', '/v2/topics/mine/subscriptions')).body).toMatchObject({ totalCount: 1 });
    expect((await retrieve('mine')).body).not.toHaveProperty('name');
  });
});

describe('GET /v2/topics', () => {
  let gateway: TestGateway;
  const keys = numbered('t', 25);

  beforeAll(async () => {
    gateway = await startGateway();
    for (const [index, key] of keys.entries())
      await gateway.call('POST', '/v2/topics', { key, ...(index % 2 && { name: `Odd 100% Nr${index}` }) });
  });
  afterAll(() => gateway.close());

  const list = (query: string) => gateway.call<TopicListDto>('GET', `/v2/topics?${query}`);
  const keysOf = ({ data }: TopicListDto) => data.map(({ key }) => key);

  it('lists topics newest first, ten by default, with the total count', async () => {
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(keysOf(body)).toEqual(keys.slice(15).toReversed());
    expect(body).toEqual({
      data: expect.any(Array),
      previous: null,
      next: body.data[9]!._id,
      totalCount: 25,
      totalCountCapped: false,
    });
    expect((await list('limit=100')).body).toMatchObject({ next: null, previous: null });
  });

  it.each(['_id', 'createdAt', 'updatedAt'])('pages through topics forward and back by %s', async (orderBy) => {
    for (const direction of ['ASC', 'DESC']) {
      const query = `limit=7&orderBy=${orderBy}&orderDirection=${direction}`;
      let page = (await list(query)).body;
      const forward = keysOf(page);
      while (page.next !== null) {
        page = (await list(`${query}&after=${page.next}`)).body;
        forward.push(...keysOf(page));
      }
      expect(forward).toEqual(direction === 'ASC' ? keys : keys.toReversed());

      const backward = keysOf(page);
      while (page.previous !== null) {
        page = (await list(`${query}&before=${page.previous}`)).body;
        backward.unshift(...keysOf(page));
      }
      expect(backward).toEqual(forward);
    }
  });

  it('orders topics by the last change', async () => {
    await gateway.call('POST', '/v2/topics', { key: 't003', name: 'Odd 100% Nr3 changed' });
    expect(keysOf((await list('orderBy=updatedAt&limit=1')).body)).toEqual(['t003']);
    expect(keysOf((await list('orderBy=createdAt&limit=1')).body)).toEqual(['t024']);
  });

  it('counts the cursor topic toward the limit with includeCursor', async () => {
    const first = (await list('limit=5')).body;
    const again = (await list(`limit=5&includeCursor=true&after=${first.next}`)).body;
    expect(keysOf(again)).toEqual(['t020', 't019', 't018', 't017', 't016']);
  });

  it('continues after a cursor whose topic was deleted', async () => {
    await gateway.call('POST', '/v2/topics', { key: 'gone' });
    const first = (await list('limit=1')).body;
    expect(keysOf(first)).toEqual(['gone']);
    await gateway.call('DELETE', '/v2/topics/gone');
    expect(keysOf((await list(`limit=2&after=${first.next}`)).body)).toEqual(['t024', 't023']);
  });

  it.each([
    ['key=T01', ['t019', 't018', 't017', 't016', 't015', 't014', 't013', 't012', 't011', 't010']],
    ['key=01&name=oDD', ['t019', 't017', 't015', 't013', 't011', 't001']],
    ['name=nr7', ['t007']],
    ['name=100%25%20nr9', ['t009']],
    ['name=1%250', []],
    ['key=t_1', []],
    ['key=%5C', []],
  ])('filters topics by %s', async (query, expected) => {
    const { body } = await list(query);
    expect(keysOf(body)).toEqual(expected);
    expect(body.totalCount).toBe(expected.length);
  });

  it.each([
    ['after=x', 422, 'after'],
    ['before=x', 422, 'before'],
    ['orderBy=createdAt&after=0190b8a0-0000-7000-8000-000000000000', 422, 'after'],
    ['limit=0', 422, 'limit'],
    ['limit=101', 422, 'limit'],
    ['orderBy=name', 422, 'orderBy'],
    ['orderDirection=UP', 422, 'orderDirection'],
    [`key=${'x'.repeat(257)}`, 422, 'key'],
    ['name=%00', 400, 'name'],
  ])('answers the topic query %s with %i that names %s', async (query, status, field) => {
    expectFieldErrors(await gateway.call('GET', `/v2/topics?${query}`), [field], status);
  });

  it('answers 400 to a topic query with both cursors', async () => {
    expect(await list('after=x&before=y')).toMatchObject({
      status: 400,
      body: { message: 'Cannot specify both "before" and "after" cursors at the same time.' },
    });
  });
});

describe('topic subscriptions', () => {
  let gateway: TestGateway;
  const people = numbered('p', 250);

  beforeAll(async () => {
    gateway = await startGateway();
    await makeSubscribers(gateway, people);
    await gateway.call('POST', '/v2/subscribers', {
      subscriberId: 'ada@example.com',
      firstName: 'Ada',
      email: 'ada@example.com',
    });
  });
  afterAll(() => gateway.close());

  const subscribe = (key: string, body: object) =>
    gateway.call<TopicSubscriptionsResultDto>('POST', `/v2/topics/${encodeURIComponent(key)}/subscriptions`, body);
  const unsubscribe = (key: string, body: object) =>
    gateway.call<TopicSubscriptionsResultDto>('DELETE', `/v2/topics/${encodeURIComponent(key)}/subscriptions`, body);
  const list = (key: string, query = '') =>
    gateway.call<TopicSubscriptionListDto>('GET', `/v2/topics/${encodeURIComponent(key)}/subscriptions?${query}`);
  const subscribersOf = ({ data }: { data: TopicSubscriptionListDto['data'] }) =>
    data.map(({ subscriber }) => subscriber.subscriberId);

  it('subscribes, creates the topic, and shows the same subscription in every endpoint', async () => {
    const key = 'red@example.com';
    const answer = await subscribe(key, { subscriptions: ['ada@example.com'], name: 'Red' });

    const subscriber = (await gateway.call('GET', '/v2/subscribers/ada%40example.com')).body;
    const topic = (await gateway.call<TopicDto>('GET', `/v2/topics/${encodeURIComponent(key)}`)).body;
    expect(topic).toMatchObject({ key, name: 'Red' });
    const subscription = {
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      identifier: `tk_${key}:si_ada@example.com`,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      topic,
      subscriber: {
        _id: subscriber['_id'],
        subscriberId: 'ada@example.com',
        firstName: 'Ada',
        lastName: null,
        email: 'ada@example.com',
        avatar: null,
      },
    };
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: [subscription],
      meta: { totalCount: 1, successful: 1, failed: 0 },
    });

    const envelope = { next: null, previous: null, totalCount: 1, totalCountCapped: false };
    expect((await list(key)).body).toEqual({ data: answer.body.data, ...envelope });
    const ofSubscriber = await gateway.call('GET', '/v2/subscribers/ada%40example.com/subscriptions');
    expect(ofSubscriber).toMatchObject({ status: 200, body: { data: answer.body.data, ...envelope } });
    const one = await gateway.call<TopicSubscriptionDetailsDto>(
      'GET',
      `/v2/topics/${encodeURIComponent(key)}/subscriptions/${encodeURIComponent(`tk_${key}:si_ada@example.com`)}`,
    );
    expect(one.status).toBe(200);
    expect(one.body).toEqual({ id: answer.body.data[0]!._id, ...answer.body.data[0] });
    const check = await gateway.call(
      'GET',
      `/v1/topics/${encodeURIComponent(key)}/subscribers/${encodeURIComponent('ada@example.com')}`,
    );
    expect(check.status).toBe(200);
    expect(check.body).toEqual({
      _organizationId: gateway.organizationId,
      _environmentId: gateway.environmentId,
      _subscriberId: subscriber['_id'],
      _topicId: topic._id,
      topicKey: key,
      externalSubscriberId: 'ada@example.com',
    });
  });

  it('accepts texts, objects and subscriberIds, and subscribes each once in the given order', async () => {
    const answer = await subscribe('forms', {
      subscriptions: [
        'p002',
        { subscriberId: 'p001', identifier: 'own', name: 'Mine' },
        { subscriberId: 'p000' },
        'p002',
      ],
      subscriberIds: ['p003', 'p000'],
    });
    expect(answer.status).toBe(201);
    expect(answer.body.meta).toEqual({ totalCount: 4, successful: 4, failed: 0 });
    expect(answer.body.data.map(({ identifier }) => identifier)).toEqual([
      'tk_forms:si_p002',
      'own',
      'tk_forms:si_p000',
      'tk_forms:si_p003',
    ]);
    expect(answer.body.data[1]).toMatchObject({ name: 'Mine', subscriber: { subscriberId: 'p001' } });
    expect(subscribersOf((await list('forms', 'orderDirection=ASC')).body)).toEqual(['p002', 'p001', 'p000', 'p003']);
  });

  it('returns the existing subscription when a subscriber subscribes again', async () => {
    const first = await subscribe('again', { subscriptions: ['p001'] });
    const second = await subscribe('again', { subscriptions: ['p001', 'p002'], name: 'Ignored' });
    expect(second.status).toBe(201);
    expect(second.body.data[0]).toEqual(first.body.data[0]);
    expect(second.body.data[1]!.topic).not.toHaveProperty('name');
    expect((await list('again')).body.totalCount).toBe(2);
  });

  it('reports unknown subscribers and subscribes the others', async () => {
    const answer = await subscribe('partly', { subscriptions: ['missing', 'p001'] });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      data: [{ subscriber: { subscriberId: 'p001' } }],
      meta: { totalCount: 2, successful: 1, failed: 1 },
      errors: [{ subscriberId: 'missing', code: 'SUBSCRIBER_NOT_FOUND', message: 'Subscriber missing was not found' }],
    });
  });

  it('answers 400 with the errors and creates no topic when every subscriber is unknown', async () => {
    const answer = await subscribe('missing-came', { subscriptions: ['missing', 'nemo'] });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      statusCode: 400,
      message: expect.any(String),
      meta: { totalCount: 2, successful: 0, failed: 2 },
      errors: [
        { subscriberId: 'missing', code: 'SUBSCRIBER_NOT_FOUND' },
        { subscriberId: 'nemo', code: 'SUBSCRIBER_NOT_FOUND' },
      ],
    });
    expect((await gateway.call('GET', '/v2/topics/missing-came')).status).toBe(404);
  });

  it('rejects an identifier of another subscriber, and accepts a second one for the same subscriber', async () => {
    await subscribe('identified', { subscriptions: [{ subscriberId: 'p001', identifier: 'x' }] });
    const answer = await subscribe('identified', {
      subscriptions: [
        { subscriberId: 'p002', identifier: 'x' },
        { subscriberId: 'p001', identifier: 'y' },
      ],
    });
    expect(answer.body).toMatchObject({
      data: [{ identifier: 'y', subscriber: { subscriberId: 'p001' } }],
      errors: [{ subscriberId: 'p002', code: 'IDENTIFIER_TAKEN' }],
    });
    expect((await list('identified')).body.totalCount).toBe(2);
  });

  it.each([
    ['no subscriptions', {}, ['subscriptions']],
    ['an empty list', { subscriptions: [] }, ['subscriptions']],
    ['a text for a list', { subscriptions: 'p001' }, ['subscriptions']],
    ['a number', { subscriptions: [7] }, ['subscriptions', 'subscriptions.0']],
    ['an empty text', { subscriptions: [''] }, ['subscriptions.0.subscriberId']],
    ['no subscriber', { subscriptions: ['p001', { identifier: 'x' }] }, ['subscriptions.1.subscriberId']],
    ['a bad identifier', { subscriptions: [{ subscriberId: 'p001', identifier: 7 }] }, ['subscriptions.0.identifier']],
    ['101 subscriptions', { subscriptions: numbered('p', 101) }, ['subscriptions']],
    ['101 subscriberIds', { subscriberIds: numbered('p', 101) }, ['subscriberIds']],
    ['a number among subscriberIds', { subscriberIds: [7] }, ['subscriberIds']],
    ['101 in both', { subscriptions: numbered('p', 60), subscriberIds: numbered('q', 41) }, ['subscriptions']],
  ])('answers %s with a 422 that names the field', async (_, body, fields) => {
    const answer = await gateway.call('POST', '/v2/topics/refused/subscriptions', body);
    expectFieldErrors(answer, fields);
    expect((await gateway.call('GET', '/v2/topics/refused')).status).toBe(404);
  });

  it('rejects a subscription to an invalid topic key', async () => {
    expect(await subscribe('dotted.key', { subscriptions: ['p001'] })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Invalid topic key: "dotted.key". ') },
    });
    expect(await subscribe('x'.repeat(101), { subscriptions: ['p001'] })).toMatchObject({
      status: 422,
      body: { errors: { topicKey: { messages: [expect.any(String)] } } },
    });
  });

  it('subscribes and unsubscribes 100 subscribers with as many statements as one', async () => {
    const counted = async (work: () => Promise<{ body: TopicSubscriptionsResultDto }>, successful: number) => {
      const stop = gateway.watchStatements();
      expect((await work()).body.meta.successful).toBe(successful);
      return stop().length;
    };
    await subscribe('counted', { subscriptions: ['p249'] });
    const one = await counted(() => subscribe('counted', { subscriptions: ['p200'] }), 1);
    const hundred = await counted(() => subscribe('counted', { subscriptions: people.slice(0, 100) }), 100);
    expect(hundred).toBe(one);
    const oneAway = await counted(() => unsubscribe('counted', { subscriptions: ['p200'] }), 1);
    const hundredAway = await counted(() => unsubscribe('counted', { subscriptions: people.slice(0, 100) }), 100);
    expect(hundredAway).toBe(oneAway);
  });

  it('creates one topic and one subscription per subscriber under concurrent calls in any order', async () => {
    const group = people.slice(0, 40);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        subscribe('crowd', {
          subscriptions: index % 2 ? group.toReversed() : [...group.slice(index), ...group.slice(0, index)],
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(24).fill(201));
    expect(new Set(answers.flatMap(({ body }) => body.data.map(({ _id }) => _id))).size).toBe(40);
    expect((await list('crowd')).body.totalCount).toBe(40);
  });

  const isLockAwaited = async (): Promise<boolean> => {
    const waiting = await gateway.database.query(
      `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE NOT l.granted AND a.datname = current_database()`,
    );
    return waiting.length > 0;
  };

  /** Starts the work during an uncommitted deletion, and commits the deletion when the work waits for its lock. */
  const duringDeletion = async <T>(sql: string, name: string, work: () => Promise<T>): Promise<T> => {
    const runner = gateway.database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(sql, [gateway.environmentId, name]);
      const result = work();
      let finished = false;
      void result.then(() => (finished = true));
      while (!finished && !(await isLockAwaited())) continue;
      await runner.commitTransaction();
      return await result;
    } finally {
      await runner.release();
    }
  };

  it('creates the topic again when it is deleted during the subscription', async () => {
    await subscribe('reborn', { subscriptions: ['p000'] });
    const answer = await duringDeletion(`DELETE FROM topic WHERE environment_id = $1 AND key = $2`, 'reborn', () =>
      subscribe('reborn', { subscriptions: ['p001'] }),
    );
    expect(answer.status).toBe(201);
    expect(subscribersOf((await list('reborn')).body)).toEqual(['p001']);
  });

  it('reports a subscriber who is deleted during the subscription', async () => {
    await makeSubscribers(gateway, ['fading']);
    const answer = await duringDeletion(
      `DELETE FROM subscriber WHERE environment_id = $1 AND subscriber_id = $2`,
      'fading',
      () => subscribe('faded', { subscriptions: ['fading', 'p001'] }),
    );
    expect(answer).toMatchObject({
      status: 201,
      body: {
        data: [{ subscriber: { subscriberId: 'p001' } }],
        errors: [{ subscriberId: 'fading', code: 'SUBSCRIBER_NOT_FOUND' }],
      },
    });
  });

  it('answers concurrent deletions of subscribers and topics without a 5xx', async () => {
    const shortLived = numbered('v', 20);
    await makeSubscribers(gateway, shortLived);
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => subscribe('vanishing', { subscriptions: [...shortLived, 'p001'] })),
      ...shortLived.map((subscriberId) => gateway.call('DELETE', `/v2/subscribers/${subscriberId}`)),
      ...Array.from({ length: 5 }, () => gateway.call('DELETE', '/v2/topics/vanishing')),
      ...Array.from({ length: 5 }, () => unsubscribe('vanishing', { subscriptions: shortLived })),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 404].includes(status))).toEqual([]);
    await subscribe('vanishing', { subscriptions: ['p001'] });
    expect(subscribersOf((await list('vanishing')).body)).toEqual(['p001']);
  });

  it('unsubscribes by subscriber or identifier and reports subscriptions that do not exist', async () => {
    await subscribe('leaving', {
      subscriptions: [
        'p000',
        'p001',
        { subscriberId: 'p001', identifier: 'second' },
        { subscriberId: 'p002', identifier: 'a' },
        { subscriberId: 'p002', identifier: 'b' },
        { subscriberId: 'p003', identifier: 'c' },
        'p004',
      ],
    });
    const answer = await unsubscribe('leaving', {
      subscriptions: [
        'p001',
        { subscriberId: 'p002', identifier: 'a' },
        { identifier: 'c' },
        { subscriberId: 'p004', identifier: 'b' },
        'p005',
        'missing',
        { identifier: 'none' },
      ],
      subscriberIds: ['p004'],
    });

    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ identifier }) => identifier)).toEqual([
      'tk_leaving:si_p001',
      'second',
      'a',
      'c',
      'tk_leaving:si_p004',
    ]);
    expect(answer.body.data[0]).toMatchObject({
      topic: { key: 'leaving' },
      subscriber: { subscriberId: 'p001' },
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(answer.body.meta).toEqual({ totalCount: 8, successful: 4, failed: 4 });
    expect(answer.body.errors).toEqual([
      { subscriberId: 'p004', code: 'SUBSCRIPTION_NOT_FOUND', message: 'Subscription b was not found' },
      {
        subscriberId: 'p005',
        code: 'SUBSCRIPTION_NOT_FOUND',
        message: 'Subscriber p005 is not subscribed to this topic',
      },
      { subscriberId: 'missing', code: 'SUBSCRIBER_NOT_FOUND', message: 'Subscriber missing was not found' },
      { subscriberId: 'none', code: 'SUBSCRIPTION_NOT_FOUND', message: 'Subscription none was not found' },
    ]);
    const left = (await list('leaving')).body.data.map(({ identifier }) => identifier);
    expect(left).toEqual(['b', 'tk_leaving:si_p000']);

    expect(await unsubscribe('leaving', { subscriberIds: ['p009'] })).toMatchObject({
      status: 200,
      body: { data: [], meta: { totalCount: 1, successful: 0, failed: 1 } },
    });
    expect((await unsubscribe('leaving', { subscriptions: [{}] })).status).toBe(422);
    expect((await unsubscribe('leaving', { subscriptions: numbered('p', 101) })).status).toBe(422);
    expect((await unsubscribe('leaving', {})).status).toBe(422);
    expect((await unsubscribe('no-such-topic', { subscriptions: ['p001'] })).status).toBe(404);
  });

  it('unsubscribes from the given topic only', async () => {
    await subscribe('left', { subscriptions: [{ subscriberId: 'p001', identifier: 'same' }, 'p002'] });
    await subscribe('right', { subscriptions: [{ subscriberId: 'p001', identifier: 'same' }, 'p002'] });
    await unsubscribe('left', { subscriptions: [{ identifier: 'same' }, 'p002'] });
    expect((await list('left')).body.totalCount).toBe(0);
    expect((await list('right')).body.totalCount).toBe(2);
  });

  it('answers 404 for unknown topics, subscriptions and subscribers', async () => {
    await gateway.call('POST', '/v2/topics', { key: 'empty' });
    for (const [path, message] of [
      ['/v2/topics/none/subscriptions', 'Topic with key none not found'],
      ['/v2/topics/none/subscriptions/x', 'Topic with key none not found'],
      ['/v2/topics/empty/subscriptions/x', 'Subscription x to topic empty was not found'],
      ['/v1/topics/none/subscribers/p001', 'Topic with key none not found'],
      ['/v1/topics/empty/subscribers/p001', 'Subscriber p001 is not subscribed to topic empty'],
      ['/v1/topics/empty/subscribers/missing', 'Subscriber missing is not subscribed to topic empty'],
      ['/v2/subscribers/missing/subscriptions', 'Subscriber missing was not found'],
    ] as const) {
      expect(await gateway.call('GET', path)).toMatchObject({ status: 404, body: { message } });
    }
  });

  it('deletes the subscriptions of a deleted subscriber', async () => {
    await makeSubscribers(gateway, ['leaver']);
    await subscribe('shrinking', { subscriptions: ['leaver', 'p001'] });
    await gateway.call('DELETE', '/v2/subscribers/leaver');
    expect((await list('shrinking')).body).toMatchObject({ totalCount: 1 });
    expect((await gateway.call('GET', '/v1/topics/shrinking/subscribers/leaver')).status).toBe(404);
  });

  describe('lists of topic subscriptions', () => {
    beforeAll(async () => {
      for (const start of [0, 100, 200]) await subscribe('big', { subscriptions: people.slice(start, start + 100) });
    });

    it('pages through 250 subscriptions by 100, forward and back', async () => {
      const forward: string[][] = [];
      let page: TopicSubscriptionListDto | undefined;
      do {
        page = (await list('big', `limit=100${page ? `&after=${page.next}` : ''}`)).body;
        expect(page).toMatchObject({ totalCount: 250, totalCountCapped: false });
        forward.push(subscribersOf(page));
      } while (page.next !== null);
      expect(forward.map(({ length }) => length)).toEqual([100, 100, 50]);
      expect(forward.flat()).toEqual(people.toReversed());

      const backward = subscribersOf(page);
      while (page.previous !== null) {
        page = (await list('big', `limit=100&before=${page.previous}`)).body;
        backward.unshift(...subscribersOf(page));
      }
      expect(backward).toEqual(forward.flat());
    });

    it('continues after a cursor whose subscription was deleted', async () => {
      await subscribe('walked', { subscriptions: ['p000', 'p001', 'p002'] });
      const first = (await list('walked', 'limit=1')).body;
      expect(subscribersOf(first)).toEqual(['p002']);
      await unsubscribe('walked', { subscriptions: ['p002'] });
      expect(subscribersOf((await list('walked', `after=${first.next}`)).body)).toEqual(['p001', 'p000']);
    });

    it('filters topic subscriptions by the exact subscriberId', async () => {
      const { body } = await list('big', 'subscriberId=p042');
      expect(subscribersOf(body)).toEqual(['p042']);
      expect(body.totalCount).toBe(1);
      for (const none of ['p04', 'P042', 'missing', 'ada@example.com'])
        expect((await list('big', `subscriberId=${none}`)).body).toMatchObject({ data: [], totalCount: 0 });
    });

    it('lists the topics of a subscriber, filtered by the exact key', async () => {
      await makeSubscribers(gateway, ['joiner']);
      for (const key of ['j1', 'j2', 'j3', 'J1']) await subscribe(key, { subscriptions: ['joiner', 'p001'] });
      const of = async (query: string) =>
        (await gateway.call<TopicSubscriptionListDto>('GET', `/v2/subscribers/joiner/subscriptions?${query}`)).body;
      const keysOf = ({ data }: TopicSubscriptionListDto) => data.map(({ topic }) => topic.key);

      const first = await of('limit=3');
      expect(keysOf(first)).toEqual(['J1', 'j3', 'j2']);
      expect(first).toMatchObject({ totalCount: 4, previous: null });
      const second = await of(`limit=3&after=${first.next}`);
      expect(keysOf(second)).toEqual(['j1']);
      expect(second.next).toBeNull();
      expect(keysOf(await of('key=j1'))).toEqual(['j1']);
      expect(await of('key=j')).toMatchObject({ data: [], totalCount: 0 });
    });

    it('filters topic subscriptions by exactly the given contexts', async () => {
      await subscribe('contexts', { subscriptions: ['p000', 'p001', 'p002'] });
      const setContexts = (subscriberId: string, keys: string[]) =>
        gateway.database.query(`UPDATE topic_subscription SET context_keys = $2 WHERE identifier = $1`, [
          `tk_contexts:si_${subscriberId}`,
          keys,
        ]);
      await setContexts('p001', ['project:x', 'tenant:a']);
      await setContexts('p002', ['tenant:a']);

      const matching = async (query: string) => subscribersOf((await list('contexts', query)).body);
      expect(await matching('contextKeys=tenant:a&contextKeys=project:x')).toEqual(['p001']);
      expect(await matching('contextKeys=tenant:a')).toEqual(['p002']);
      expect(await matching('contextKeys=')).toEqual(['p000']);
      expect(await matching('')).toEqual(['p002', 'p001', 'p000']);
      expect((await list('contexts', 'subscriberId=p001')).body.data[0]).toMatchObject({
        contextKeys: ['project:x', 'tenant:a'],
      });
    });

    it.each([
      ['after=x', 422, 'after'],
      ['before=x', 422, 'before'],
      ['limit=0', 422, 'limit'],
      ['limit=101', 422, 'limit'],
      ['orderBy=updatedAt', 422, 'orderBy'],
      ['orderDirection=up', 422, 'orderDirection'],
      ['contextKeys=1&contextKeys=2&contextKeys=3&contextKeys=4&contextKeys=5&contextKeys=6', 422, 'contextKeys'],
    ])('answers the subscription query %s with %i that names %s', async (query, status, field) => {
      for (const path of ['/v2/topics/big/subscriptions', '/v2/subscribers/p001/subscriptions']) {
        const answer = await gateway.call('GET', `${path}?${query}`);
        expectFieldErrors(answer, [field], status);
      }
    });

    it('accepts orderBy=_id and answers 400 to both cursors', async () => {
      expect((await list('big', 'orderBy=_id')).status).toBe(200);
      expect(await list('big', 'after=x&before=y')).toMatchObject({
        status: 400,
        body: { message: 'Cannot specify both "before" and "after" cursors at the same time.' },
      });
    });
  });
});
