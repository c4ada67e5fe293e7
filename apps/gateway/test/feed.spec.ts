import { type FeedDto, newId, type SubscriberDto, type SubscriberRowId } from '@clarion/contracts';
import { ensurePartitions } from '@clarion/persistence';
import { type GivenMessage, insertMessages, insertWorkflow } from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

const LAST_WEEKS = new Date(Date.now() - 21 * 24 * 3600 * 1000);

describe('in-app feed', () => {
  let gateway: TestGateway;
  let ada: SubscriberDto;
  let bob: SubscriberDto;

  beforeAll(async () => {
    gateway = await startGateway();
    await ensurePartitions(gateway.database, { from: LAST_WEEKS.getTime() });
    ada = await subscriber({ subscriberId: 'ada', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' });
    bob = await subscriber({ subscriberId: 'bob@example.com/1' });
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM message`));

  const subscriber = async (body: object) => (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', body)).body;
  const insert = (...rows: GivenMessage[]) =>
    insertMessages(
      gateway.database,
      rows.map((row) => ({ environmentId: gateway.environmentId, subscriberId: ada._id!, ...row })),
    );
  const feed = (query = '', of = 'ada') =>
    gateway.call<FeedDto>('GET', `/v1/subscribers/${encodeURIComponent(of)}/notifications/feed?${query}`);
  const contents = ({ data }: FeedDto) => data.map(({ content }) => content);
  const at = (minute: number) => new Date(Date.now() - 3600 * 1000 + minute * 60 * 1000);
  const encode = (payload: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(payload)).toString('base64'));

  it('shows every field of a feed item', async () => {
    const { database, environmentId } = gateway;
    const workflow = await insertWorkflow(database, { environmentId, workflowId: 'welcome' });
    const [row] = await insert({
      workflowId: workflow.id,
      messageTemplateId: newId(),
      transactionId: 'tx-1',
      providerId: 'platform',
      subject: 'Subject',
      content: 'Hello',
      deviceTokens: ['t'],
      cta: { type: 'redirect', data: { url: '/x' }, action: { status: 'done', result: { type: 'primary' } } },
      actor: { type: 'user', data: 'https://example.com/a.png' },
      status: 'warning',
      payload: { order: 7 },
      overrides: { x: 1 },
      data: { y: 2 },
      tags: ['billing'],
      read: true,
      seen: true,
      archived: true,
      updatedAt: new Date('2030-01-01T00:00:00.000Z'),
    });

    const { status, body } = await feed();

    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          _id: row!.id,
          _templateId: row!.workflowId,
          _environmentId: gateway.environmentId,
          _messageTemplateId: row!.messageTemplateId,
          _organizationId: gateway.organizationId,
          _notificationId: row!.notificationId,
          _subscriberId: ada._id,
          _feedId: null,
          _jobId: row!.stepId,
          createdAt: row!.createdAt.toISOString(),
          updatedAt: '2030-01-01T00:00:00.000Z',
          actor: { type: 'user', data: 'https://example.com/a.png' },
          subscriber: { _id: ada._id, subscriberId: 'ada', firstName: 'Ada', lastName: 'Byron' },
          transactionId: 'tx-1',
          templateIdentifier: 'welcome',
          providerId: 'platform',
          content: 'Hello',
          subject: 'Subject',
          channel: 'in_app',
          read: true,
          seen: true,
          archived: true,
          deviceTokens: ['t'],
          cta: { type: 'redirect', data: { url: '/x' }, action: { status: 'done', result: { type: 'primary' } } },
          status: 'warning',
          payload: { order: 7 },
          data: { y: 2 },
          overrides: { x: 1 },
          tags: ['billing'],
        },
      ],
      hasMore: false,
      pageSize: 10,
      page: 0,
      totalCount: 1,
    });
  });

  it('shows the avatar of the step as the actor, before the actor of the trigger', async () => {
    const avatar = 'https://example.com/step.png';
    await insert({ avatar }, { avatar, actor: { type: 'user', data: null } });
    const actors = (await feed()).body.data.map(({ actor }) => actor);
    expect(actors).toEqual([
      { type: 'system_custom', data: avatar },
      { type: 'system_custom', data: avatar },
    ]);
  });

  it('sends null only in fields that the interface defines as nullable and leaves out absent fields', async () => {
    const [row] = await insert({
      subscriberId: bob._id! as SubscriberRowId,
      transactionId: 'tx-2',
      actor: { type: 'system_icon' },
    });

    expect((await feed('', bob.subscriberId)).body.data).toEqual([
      {
        _id: row!.id,
        _templateId: '',
        _environmentId: gateway.environmentId,
        _organizationId: gateway.organizationId,
        _notificationId: row!.notificationId,
        _subscriberId: bob._id,
        _feedId: null,
        _jobId: row!.stepId,
        createdAt: row!.createdAt.toISOString(),
        updatedAt: row!.createdAt.toISOString(),
        actor: { type: 'system_icon', data: null },
        subscriber: { _id: bob._id, subscriberId: bob.subscriberId },
        transactionId: 'tx-2',
        payload: {},
        templateIdentifier: null,
        providerId: null,
        content: '',
        subject: null,
        channel: 'in_app',
        read: false,
        seen: false,
        archived: false,
        deviceTokens: null,
        cta: {},
        status: 'sent',
        data: null,
        tags: null,
      },
    ]);
  });

  it('pages through the feed by time of arrival across partitions and counts all messages', async () => {
    const old = Array.from({ length: 6 }, (_, index) => new Date(LAST_WEEKS.getTime() + index * 1000));
    const fresh = Array.from({ length: 5 }, (_, index) => at(index));
    await insert(...[...old, ...fresh].map((createdAt, index) => ({ createdAt, content: String(index) })));
    // The end of a snooze moves an old message to the top.
    await gateway.database.execute(`UPDATE message SET created_at = now() WHERE content = '"2"'`);

    const walked: string[] = [];
    for (let page = 0; page < 3; page += 1) {
      const { body } = await feed(`limit=4&page=${page}`);
      expect(body).toMatchObject({ page, pageSize: 4, totalCount: 11, hasMore: page < 2 });
      walked.push(...contents(body));
    }
    expect(walked).toEqual(['2', '10', '9', '8', '7', '6', '5', '4', '3', '1', '0']);
    expect((await feed('limit=4&page=3')).body).toMatchObject({ data: [], hasMore: false, totalCount: 11 });
  });

  it.each([
    ['', ['nested', 'both', 'seen', 'new']],
    ['read=true', ['both']],
    ['read=false', ['nested', 'seen', 'new']],
    ['seen=true', ['both', 'seen']],
    ['seen=false&read=false', ['nested', 'new']],
    ['read=', ['nested', 'both', 'seen', 'new']],
    [`payload=${encode({ kind: 'order' })}`, ['nested', 'both']],
    [`payload=${encode({ kind: 'order', user: { city: 'Bern' } })}`, ['nested']],
    [`payload=${encode({ user: { zip: 3000 } })}`, ['nested']],
    [`payload=${encode({ user: { zip: '3000' } })}`, []],
    [`payload=${encode({ kind: 'order' })}&read=false`, ['nested']],
    [`payload=${encode({})}`, ['nested', 'both', 'seen', 'new']],
    ['payload=', ['nested', 'both', 'seen', 'new']],
    ['feedIdentifier=any', ['nested', 'both', 'seen', 'new']],
  ])('filters the feed by the query "%s"', async (query, expected) => {
    await insert(
      { content: 'new', createdAt: at(1), snoozedUntil: new Date('2030-01-01') },
      { content: 'seen', createdAt: at(2), seen: true, archived: true },
      { content: 'both', createdAt: at(3), seen: true, read: true, payload: { kind: 'order' } },
      {
        content: 'nested',
        createdAt: at(4),
        payload: { kind: 'order', user: { city: 'Bern', zip: 3000 }, items: [1, 2] },
      },
      { content: 'email', createdAt: at(5), channel: 'email' },
      { content: 'of bob', createdAt: at(6), subscriberId: bob._id! as SubscriberRowId },
    );

    const { status, body } = await feed(query);
    expect(status).toBe(200);
    expect(contents(body)).toEqual(expected);
    expect(body.totalCount).toBe(expected.length);
  });

  it.each([
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=100001&limit=100', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['read=maybe', 'read'],
    ['seen=1', 'seen'],
    ['payload=a&payload=b', 'payload'],
  ])('rejects the query %s with a 422 that names %s', async (query, field) => {
    const answer = await gateway.call<{ errors: Record<string, unknown> }>(
      'GET',
      `/v1/subscribers/ada/notifications/feed?${query}`,
    );
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('rejects a payload filter that is not base64 JSON', async () => {
    expect(await feed('payload=%7B%22a%22%3A1%7D')).toMatchObject({
      status: 400,
      body: { message: 'Invalid payload, the JSON object should be encoded to base64 string.' },
    });
  });

  it('answers 404 for an unknown subscriber and for a subscriber of another environment', async () => {
    await insert({ content: 'mine' });
    expect(await feed('', 'missing')).toMatchObject({
      status: 404,
      body: { message: 'Subscriber missing was not found' },
    });

    const { key, environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Other' });
    const asStranger = () => callGateway<FeedDto>(gateway.url, key, 'GET', '/v1/subscribers/ada/notifications/feed');
    expect(await asStranger()).toMatchObject({ status: 404, body: { message: 'Subscriber ada was not found' } });

    // The same subscriberId in the other environment is another subscriber.
    await callGateway(gateway.url, key, 'POST', '/v2/subscribers', { subscriberId: 'ada' });
    expect(await asStranger()).toMatchObject({ status: 200, body: { data: [], totalCount: 0 } });
    await insert({ content: 'misfiled', environmentId: environment.id });
    expect((await feed('limit=1')).body).toMatchObject({ data: [{ content: 'mine' }], hasMore: false, totalCount: 1 });
  });

  it('reads a page of the feed with three statements', async () => {
    await insert({}, {});
    const stop = gateway.watchStatements();
    await feed();
    expect(stop()).toHaveLength(3);
  });
});
