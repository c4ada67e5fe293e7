import {
  type ErasureReceiptDto,
  idAtTime,
  LIMITS,
  type SubscriberDto,
  type SubscriberListDto,
} from '@clarion/contracts';
import { insertWorkflow } from '@clarion/testing';
import { type Answer, expectFieldErrors, startGateway, type TestGateway } from './harness';

type ExportPage = { records: { otherTriggers: { id: string }[] }; next: string | null };

describe('subscribers', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const create = (body: object, query = '') => gateway.call<SubscriberDto>('POST', `/v2/subscribers${query}`, body);

  it('creates a subscriber with every field and answers 201', async () => {
    const answer = await create({
      subscriberId: 'full',
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '+4412345',
      avatar: 'https://example.com/a.png',
      locale: 'en_GB',
      timezone: 'Europe/London',
      data: { plan: 'gold', nested: { a: [1, null] } },
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      subscriberId: 'full',
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '+4412345',
      avatar: 'https://example.com/a.png',
      locale: 'en_GB',
      timezone: 'Europe/London',
      data: { plan: 'gold', nested: { a: [1, null] } },
      channels: [],
      topics: [],
      isOnline: null,
      lastOnlineAt: null,
      deleted: false,
      __v: 0,
      _organizationId: gateway.organizationId,
      _environmentId: gateway.environmentId,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it('updates a subscriber on the second create: keeps absent fields and clears null ones', async () => {
    const first = await create({ subscriberId: 'twice', firstName: 'A', email: 'a@example.com', data: { a: 1 } });
    const second = await create({ subscriberId: 'twice', firstName: null, lastName: 'B' });

    expect(second.status).toBe(201);
    expect(second.body).toMatchObject({
      _id: first.body._id,
      firstName: null,
      lastName: 'B',
      email: 'a@example.com',
      data: { a: 1 },
    });
  });

  it('answers 409 with the existing subscriber when failIfExists is true', async () => {
    const first = await create({ subscriberId: 'taken' });
    const second = await create({ subscriberId: 'taken', firstName: 'X' }, '?failIfExists=true');

    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      statusCode: 409,
      message: 'Subscriber with id "taken" already exists',
      _id: first.body._id,
    });
  });

  it.each([
    [{}, 'subscriberId'],
    [{ subscriberId: '  ' }, 'subscriberId'],
    [{ subscriberId: 5 }, 'subscriberId'],
    [{ subscriberId: 'x', email: 'nope' }, 'email'],
    [{ subscriberId: 'x', email: '' }, 'email'],
    [{ subscriberId: 'x', timezone: 'Moon/Base' }, 'timezone'],
    [{ subscriberId: 'x', locale: 'no such' }, 'locale'],
    [{ subscriberId: 'x', data: [] }, 'data'],
    [{ subscriberId: 'x', firstName: 7 }, 'firstName'],
  ])('answers the subscriber %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await gateway.call('POST', '/v2/subscribers', body), [field]);
  });

  it('patches a subscriber: keeps absent fields, clears null ones and answers 404 for an unknown one', async () => {
    await create({ subscriberId: 'patched', firstName: 'A', lastName: 'B' });
    const patched = await gateway.call('PATCH', '/v2/subscribers/patched', { lastName: null, subscriberId: 'ignored' });
    expect(patched).toMatchObject({ status: 200, body: { subscriberId: 'patched', firstName: 'A', lastName: null } });

    const empty = await gateway.call('PATCH', '/v2/subscribers/patched', {});
    expect(empty).toMatchObject({ status: 200, body: { firstName: 'A' } });

    const missing = await gateway.call('PATCH', '/v2/subscribers/missing', {});
    expect(missing).toMatchObject({ status: 404, body: { message: 'Subscriber missing was not found' } });
  });

  it.each([
    ['that need percent-encoding and are longer than 100 characters', `user:${'x'.repeat(150)}/ü@example.com`],
    ['of the maximal length', '😀'.repeat(256)],
  ])('reads and deletes subscribers with ids %s', async (_, id) => {
    await create({ subscriberId: id });
    const path = `/v2/subscribers/${encodeURIComponent(id)}`;
    expect((await gateway.call('GET', path)).body).toMatchObject({ subscriberId: id });
    expect(await gateway.call('DELETE', path)).toMatchObject({
      status: 200,
      body: { acknowledged: true, status: 'deleted' },
    });
    expect((await gateway.call('GET', path)).status).toBe(404);
    expect((await gateway.call('DELETE', path)).status).toBe(404);
  });

  it('creates subscribers in bulk and reports the result of each', async () => {
    await create({ subscriberId: 'bulk-0' });
    const subscribers = [
      ...Array.from({ length: 5 }, (_, index) => ({
        subscriberId: `bulk-${index}`,
        ...(index % 2 && { firstName: `N${index}` }),
      })),
      { subscriberId: 'bulk-bad', email: 'nope' },
      null,
      { subscriberId: 'bulk-1', firstName: 'last wins' },
    ];
    const answer = await gateway.call<{ created: object[]; updated: object[]; failed: object[] }>(
      'POST',
      '/v1/subscribers/bulk',
      { subscribers },
    );

    expect(answer.status).toBe(201);
    expect(answer.body.updated).toEqual([{ subscriberId: 'bulk-0' }]);
    expect(answer.body.created).toHaveLength(4);
    expect(answer.body.failed).toEqual([
      { message: 'email must be an email', subscriberId: 'bulk-bad' },
      { message: 'must be an object' },
    ]);
    expect((await gateway.call('GET', '/v2/subscribers/bulk-1')).body).toMatchObject({ firstName: 'last wins' });

    const tooMany = await gateway.call('POST', '/v1/subscribers/bulk', {
      subscribers: Array.from({ length: 501 }, () => ({})),
    });
    expect(tooMany.status).toBe(422);
  });

  it('imports 100 subscribers with as many statements as 2, and reports bad elements', async () => {
    const integration = { providerId: 'expo', channel: 'push', active: true, credentials: { apiKey: 'k' } };
    await gateway.call('POST', '/v1/integrations', integration);
    const channel = (...deviceTokens: string[]) => ({ providerId: 'expo', credentials: { deviceTokens } });
    const imported = (count: number, prefix: string) => ({
      subscribers: Array.from({ length: count }, (_, index) => ({
        subscriberId: `${prefix}-${index}`,
        channels: [channel(`${prefix}-${index}`)],
        topics: ['imported', `group-${index % 2}`],
      })),
    });
    const statementsOf = async (count: number, prefix: string): Promise<number> => {
      const stop = gateway.watchStatements();
      const { status, body } = await gateway.call('POST', '/v1/subscribers/bulk', imported(count, prefix));
      expect([status, (body['created'] as unknown[]).length, body['failed']]).toEqual([201, count, []]);
      return stop().filter((statement) => /subscriber|topic|integration/.test(statement)).length;
    };
    const few = await statementsOf(2, 'few');
    expect(await statementsOf(100, 'many')).toBe(few);
    const retrieve = async (id: string) => (await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${id}`)).body;
    expect(await retrieve('many-7')).toMatchObject({
      channels: [{ providerId: 'expo', credentials: { deviceTokens: ['many-7'] } }],
      topics: ['group-1', 'imported'],
    });

    const tooMany = Array.from({ length: 100 }, (_, index) => `token-${index}`);
    const { body } = await gateway.call<{ created: object[]; updated: object[]; failed: { subscriberId: string }[] }>(
      'POST',
      '/v1/subscribers/bulk',
      {
        subscribers: [
          { subscriberId: 'many-7', channels: [channel('second'), channel('many-7', 'third')], topics: ['imported'] },
          { subscriberId: 'no-provider', channels: [{ providerId: 'fcm', credentials: {} }] },
          { subscriberId: 'bad-topic', topics: ['not a key'] },
          { subscriberId: 'many-8', firstName: 'Changed', channels: [channel(...tooMany)] },
          { subscriberId: 'plain' },
        ],
      },
    );
    expect(body).toMatchObject({ created: [{ subscriberId: 'plain' }], updated: [{ subscriberId: 'many-7' }] });
    expect(body.failed.map(({ subscriberId }) => subscriberId).toSorted()).toEqual([
      'bad-topic',
      'many-8',
      'no-provider',
    ]);
    expect((await retrieve('many-7')).channels![0]!.credentials.deviceTokens).toEqual(['many-7', 'second', 'third']);
    expect((await retrieve('many-8')).firstName).toBeNull();
    expect((await gateway.call('GET', '/v2/subscribers/no-provider')).status).toBe(404);
  });

  it('refuses data of more than 64 KiB wherever a body has it, and names the field', async () => {
    await insertWorkflow(gateway.database, { environmentId: gateway.environmentId, workflowId: 'for-data' });
    const fits = { text: 'x'.repeat(LIMITS.dataBytes - '{"text":""}'.length) };
    const large = { text: `${fits.text}x` };
    const subscriber = (data: object) => ({ subscriberId: 'with-data', data });
    const event = (more: object) => ({ name: 'for-data', to: 'with-data', ...more });
    const bodies: [string, string, (data: object) => object, string][] = [
      ['POST', '/v2/subscribers', subscriber, 'data'],
      ['PATCH', '/v2/subscribers/with-data', (data) => ({ data }), 'data'],
      ['POST', '/v1/subscribers', subscriber, 'data'],
      ['POST', '/v1/tenants', (data) => ({ identifier: 'with-data', data }), 'data'],
      ['PATCH', '/v1/tenants/with-data', (data) => ({ data }), 'data'],
      ['POST', '/v2/contexts', (data) => ({ type: 'a', id: 'with-data', data }), 'data'],
      ['PATCH', '/v2/contexts/a/with-data', (data) => ({ data }), 'data'],
      ['POST', '/v1/events/trigger', (data) => event({ actor: subscriber(data) }), 'actor'],
      ['POST', '/v1/events/trigger', (data) => event({ context: { b: { id: 'c', data } } }), 'context.b.data'],
    ];
    for (const [method, path, body, field] of bodies) {
      const refused = await gateway.call(method, path, body(large));
      expectFieldErrors(refused, [field]);
      expect(refused.text).toContain('data must not be larger than 65536 bytes as JSON');
      expect((await gateway.call(method, path, body(fits))).status).toBe(method === 'POST' ? 201 : 200);
    }
    const bulk = await gateway.call('POST', '/v1/subscribers/bulk', { subscribers: [subscriber(large)] });
    expect(bulk.body).toMatchObject({ failed: [{ message: expect.stringMatching(/^data must not be larger/) }] });
    const named = await gateway.call('POST', '/v1/events/trigger', event({ to: [subscriber(large)] }));
    expect(named.body).toMatchObject({ error: ['to.0: data must not be larger than 65536 bytes as JSON'] });
  });

  it('creates one subscriber under 200 concurrent identical requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => create({ subscriberId: 'race' }, '?failIfExists=true')),
    );
    const statuses = answers.map(({ status, text }) => (status < 500 ? status : text));
    expect(statuses.sort()).toEqual([201, ...Array<number>(199).fill(409)]);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
  });

  it('shows the topic keys of a subscriber, each once and at most 100 with a sign, alone and in a list', async () => {
    for (const subscriberId of ['member', 'outsider']) await gateway.call('POST', '/v2/subscribers', { subscriberId });
    await gateway.call('POST', '/v2/topics/red/subscriptions', { subscriptions: ['member'] });
    await gateway.call('POST', '/v2/topics/blue/subscriptions', {
      subscriptions: [
        { subscriberId: 'member', identifier: 'one' },
        { subscriberId: 'member', identifier: 'two' },
      ],
    });
    const retrieve = async (id: string) =>
      (await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${id}`)).body.topics;
    expect(await retrieve('member')).toEqual(['red', 'blue']);
    expect(await retrieve('outsider')).toEqual([]);
    const stop = gateway.watchStatements();
    const { body } = await gateway.call<SubscriberListDto>('GET', '/v2/subscribers?limit=100');
    expect(stop().filter((statement) => statement.includes('topic_subscription'))).toHaveLength(1);
    const topics = Object.fromEntries(body.data.map((item) => [item.subscriberId, item.topics]));
    expect(topics).toMatchObject({ member: ['red', 'blue'], outsider: [] });

    for (let index = 0; index < 100; index += 1) {
      await gateway.call('POST', `/v2/topics/many-${index}/subscriptions`, { subscriptions: ['member'] });
    }
    expect(await retrieve('member')).toHaveLength(LIMITS.subscriberTopics);
    expect((await gateway.call('GET', '/v2/subscribers/member')).body).toMatchObject({ topicsCapped: true });
    expect((await gateway.call('GET', '/v2/subscribers/outsider')).body).not.toHaveProperty('topicsCapped');
  });

  it('never shows subscribers of another environment', async () => {
    await create({ subscriberId: 'mine' });
    const key = await gateway.secondKey();
    const asStranger = { authorization: `ApiKey ${key}` };
    const foreign = await gateway.call('GET', '/v2/subscribers/mine', undefined, asStranger);
    const missing = await gateway.call('GET', '/v2/subscribers/none', undefined, asStranger);
    expect(foreign.status).toBe(404);
    expect(foreign.body['message']).toBe('Subscriber mine was not found');
    expect(Object.keys(foreign.body)).toEqual(Object.keys(missing.body));
    const list = await gateway.call<SubscriberListDto>('GET', '/v2/subscribers', undefined, asStranger);
    expect(list.body).toMatchObject({ data: [], totalCount: 0 });
  });
});

describe('GET /v2/subscribers', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    const subscribers = Array.from({ length: 25 }, (_, index) => ({
      subscriberId: `s${String(index).padStart(2, '0')}`,
      firstName: index % 2 ? 'Grace' : 'Alan',
      lastName: `Nr${index}`,
      email: `user${index}@Example.com`,
      phone: `+49-${1000 + index}`,
    }));
    for (const subscriber of subscribers) await gateway.call('POST', '/v2/subscribers', subscriber);
  });
  afterAll(() => gateway.close());

  const search = (query: string) => gateway.call<SubscriberListDto>('GET', `/v2/subscribers?${query}`);
  const ids = (list: SubscriberListDto) => list.data.map(({ subscriberId }) => subscriberId);

  it('lists subscribers newest first, ten by default, with the total count', async () => {
    const { status, body } = await search('');
    expect(status).toBe(200);
    expect(ids(body)).toEqual(['s24', 's23', 's22', 's21', 's20', 's19', 's18', 's17', 's16', 's15']);
    expect(body).toMatchObject({ previous: null, totalCount: 25, totalCountCapped: false, next: body.data[9]!._id });
  });

  it.each(['_id', 'createdAt', 'updatedAt'])(
    'pages forward and back by %s without losing or repeating a subscriber',
    async (orderBy) => {
      for (const direction of ['ASC', 'DESC']) {
        const forward: string[] = [];
        let query = `limit=7&orderBy=${orderBy}&orderDirection=${direction}`;
        let last: SubscriberListDto | undefined;
        for (let next: string | null = ''; next !== null; next = last.next) {
          last = (await search(`${query}${next && `&after=${next}`}`)).body;
          forward.push(...ids(last));
        }
        expect(forward).toHaveLength(25);
        expect(forward.toSorted()).toEqual(direction === 'ASC' ? forward : forward.toReversed());

        const backward: string[] = ids(last!);
        query += '';
        for (let previous: string | null = last!.previous; previous !== null;) {
          const page: SubscriberListDto = (await search(`${query}&before=${previous}`)).body;
          backward.unshift(...ids(page));
          previous = page.previous;
        }
        expect(backward).toEqual(forward);
      }
    },
  );

  it('returns a cursor on each side only when there are more subscribers', async () => {
    const first = (await search('limit=5')).body;
    const second = (await search(`limit=5&after=${first.next}`)).body;
    const back = (await search(`limit=5&before=${second.previous}`)).body;
    expect(ids(back)).toEqual(ids(first));
    expect({ next: back.next, previous: back.previous }).toEqual({ next: first.next, previous: null });
    const middle = (await search(`limit=3&before=${second.previous}`)).body;
    expect([middle.previous, middle.next]).toEqual([middle.data[0]!._id, middle.data[2]!._id]);
  });

  it('counts the cursor subscriber toward the limit with includeCursor', async () => {
    const first = (await search('limit=5')).body;
    const again = (await search(`limit=5&includeCursor=true&after=${first.next}`)).body;
    expect(ids(again)).toEqual(['s20', 's19', 's18', 's17', 's16']);
  });

  it('continues after a cursor whose subscriber was deleted', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'zz-gone' });
    const first = (await search('limit=1')).body;
    expect(ids(first)).toEqual(['zz-gone']);
    await gateway.call('DELETE', '/v2/subscribers/zz-gone');
    expect(ids((await search(`limit=2&after=${first.next}`)).body)).toEqual(['s24', 's23']);
  });

  it.each([
    ['email=user1%40', ['s01']],
    ['email=user1%40Ex', ['s01']],
    ['email=user1%40ex', []],
    ['email=Example', 25],
    ['email=example', []],
    ['name=Grace%20Nr3', ['s03']],
    ['name=grace', []],
    ['phone=1007', ['s07']],
    ['phone=%2549', []],
    ['subscriberId=s07', ['s07']],
    ['subscriberId=s0', []],
    ['search=S07', ['s07']],
    ['search=USER7%40example', ['s07']],
    ['search=alan%20nr8', ['s08']],
    ['search=9-1011', ['s11']],
    ['search=EXAMPLE', 25],
    ['search=grace%25', []],
    ['search=1&email=user1%40', ['s01']],
    ['email=user1&name=Grace&limit=100', ['s19', 's17', 's15', 's13', 's11', 's01']],
  ])('filters subscribers by %s', async (query, expected) => {
    const { body } = await search(query);
    if (typeof expected === 'number') expect(body.totalCount).toBe(expected);
    else expect(ids(body)).toEqual(expected);
  });

  it.each([
    ['after=x', 422, 'after'],
    ['before=x', 422, 'before'],
    ['limit=0', 422, 'limit'],
    ['limit=101', 422, 'limit'],
    ['limit=ten', 422, 'limit'],
    ['orderBy=email', 422, 'orderBy'],
    ['orderDirection=UP', 422, 'orderDirection'],
    ['includeCursor=maybe', 422, 'includeCursor'],
    ['email=%00', 400, 'email'],
  ])('answers the subscriber query %s with %i that names %s', async (query, status, field) => {
    expectFieldErrors(await gateway.call('GET', `/v2/subscribers?${query}`), [field], status);
  });

  it('answers 400 to a subscriber query with both cursors', async () => {
    const answer = await search('after=x&before=y');
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'Cannot specify both "before" and "after" cursors at the same time.' },
    });
  });

  it('exports large events on several pages, each once', async () => {
    const workflow = await insertWorkflow(gateway.database, { environmentId: gateway.environmentId });
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'acting' });
    const payload = { text: 'x'.repeat(400_000) };
    const events = Array.from({ length: 18 }, () => ({
      name: workflow.workflowId,
      to: 'named',
      actor: 'acting',
      payload,
    }));
    expect((await gateway.call('POST', '/v1/events/trigger/bulk', { events })).status).toBe(201);
    const ids: string[] = [];
    let after: string | null = '';
    for (let pages = 0; after !== null && pages < 10; pages += 1) {
      const path: string = `/v2/subscribers/acting/export${after && `?after=${encodeURIComponent(after)}`}`;
      const page: Answer<ExportPage> = await gateway.call<ExportPage>('POST', path);
      expect(page.text.length).toBeLessThan(1.1 * LIMITS.pageBytes);
      ids.push(...page.body.records.otherTriggers.map(({ id }) => id));
      after = page.body.next;
    }
    expect([ids.length, new Set(ids).size, after]).toEqual([18, 18, null]);
  });

  it('searches the events of the environment in parts, before the transaction', async () => {
    const { database, environmentId } = gateway;
    const workflow = await insertWorkflow(database, { environmentId });
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'eve' });
    const start = idAtTime(Date.now() - 600_000).slice(0, 24);
    await database.query(
      `INSERT INTO trigger (id, environment_id, workflow_id, workflow_version, transaction_id, fingerprint, recipients, payload)
       SELECT ($1 || lpad(to_hex(n), 12, '0'))::uuid, $2, $3, 1, n, '',
              CASE WHEN n IN (1, 20001) THEN '[{"subscriberId": "eve"}]' ELSE '[{"subscriberId": "bob"}]' END::jsonb, '{}'
         FROM generate_series(1, 20005) AS n`,
      [start, environmentId, workflow.id],
    );
    const watched = gateway.watchStatements();
    const { body } = await gateway.call<ErasureReceiptDto>('POST', '/v2/subscribers/eve/erase');
    const searches = watched().filter((statement) => statement.includes('recipients, actor FROM trigger'));
    expect(body.counts).toMatchObject({ trigger: 2 });
    // Two parts before, and what is new within the transaction.
    expect(searches).toHaveLength(3);
  });
});
