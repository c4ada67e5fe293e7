import {
  type EnvironmentId,
  idAtTime,
  LIMITS,
  type MessageDto,
  type MessageListDto,
  newId,
  type SubscriberDto,
} from '@clarion/contracts';
import { ensurePartitions, MessageRepository } from '@clarion/persistence';
import { SecretBox, sealMessageTarget } from '@clarion/platform';
import { type GivenMessage, insertMessages, insertWorkflow, until } from '@clarion/testing';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';
import { open } from './raw-http';

const LAST_WEEKS = new Date(Date.now() - 21 * 24 * 3600 * 1000);

describe('messages', () => {
  let gateway: TestGateway;
  let ada: SubscriberDto;
  let bob: SubscriberDto;
  let stranger: { key: string; environmentId: EnvironmentId };

  beforeAll(async () => {
    gateway = await startGateway();
    await ensurePartitions(gateway.database, { from: LAST_WEEKS.getTime() });
    ada = await subscriber('ada', { firstName: 'Ada', avatar: 'https://example.com/a.png', email: 'ada@example.com' });
    bob = await subscriber('bob');
    const other = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Other' });
    stranger = { key: other.key, environmentId: other.environment.id };
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM message`));

  const subscriber = async (subscriberId: string, profile: object = {}) =>
    (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', { subscriberId, ...profile })).body;
  const insert = (...rows: (GivenMessage & { of?: SubscriberDto })[]) =>
    insertMessages(
      gateway.database,
      rows.map(({ of = ada, ...row }) => ({
        environmentId: gateway.environmentId,
        subscriberId: of._id!,
        channel: 'email',
        ...row,
      })),
    );
  const list = (query = '') => gateway.call<MessageListDto>('GET', `/v1/messages?${query}`);
  const asStranger = <T>(method: string, path: string) => callGateway<T>(gateway.url, stranger.key, method, path);
  const subjects = ({ data }: MessageListDto) => data.map(({ subject }) => subject);
  const stored = async () =>
    (await gateway.database.query<{ subject: string }>(`SELECT subject FROM message ORDER BY subject`)).map(
      (row) => row.subject,
    );
  const at = (minute: number) => new Date(Date.now() - 3600 * 1000 + minute * 60 * 1000);

  it('leaves large values out of a page that is too large, says so, and shows them in a smaller page', async () => {
    const payload = { text: 'x'.repeat(200_000) };
    const large = Array.from({ length: 20 }, (_, index) => ({ subject: `large ${index}`, content: 'Hello', payload }));
    await insert(...large.map((row, index) => ({ ...row, createdAt: at(index) })));
    await insert({ subject: 'small', payload: { a: 1 }, createdAt: at(30) });
    const { body, text } = await list('limit=20');
    expect(text.length).toBeLessThan(LIMITS.pageBytes);
    expect(body).toMatchObject({ hasMore: true, totalCount: 21, pageSize: 20 });
    expect(body.data).toHaveLength(20);
    const [small, ...others] = body.data;
    expect(small).toMatchObject({ subject: 'small', payload: { a: 1 } });
    expect(small).not.toHaveProperty('leftOut');
    for (const each of others) {
      expect(each).toMatchObject({ content: 'Hello', leftOut: ['payload'] });
      expect(each).not.toHaveProperty('payload');
    }
    const { body: smaller } = await list('limit=10&page=2');
    expect(smaller).toMatchObject({ hasMore: false, data: [{ subject: 'large 0', payload }] });
    expect(smaller.data[0]).not.toHaveProperty('leftOut');
  });

  it('leaves out the address of a message that no key decrypts, and shows the other fields', async () => {
    const lost = new SecretBox(SecretBox.generateKey('lost'));
    const id = newId();
    const sealed = sealMessageTarget(lost, gateway.environmentId, id, 'https://example.com/hook');
    await insert({ id, subject: 'sealed', directWebhookUrl: sealed, deviceTokens: [sealed, 'clear'] });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.data).toMatchObject([{ subject: 'sealed', deviceTokens: ['clear'] }]);
    expect(body.data[0]).not.toHaveProperty('directWebhookUrl');
  });

  it('shows every field of a message', async () => {
    const { database, environmentId } = gateway;
    const workflow = await insertWorkflow(database, { environmentId, workflowId: 'welcome' });
    const [row] = await insert({
      workflowId: workflow.id,
      messageTemplateId: newId(),
      transactionId: 'tx-full',
      channel: 'push',
      providerId: 'fcm',
      title: 'Title',
      subject: 'Subject',
      content: [{ type: 'text', content: 'Hello', styles: { textAlign: 'left' } }],
      email: 'ada@example.com',
      phone: '+44',
      directWebhookUrl: 'https://example.com/hook',
      deviceTokens: ['t1', 't2'],
      cta: { type: 'redirect', data: { url: '/x' }, action: { status: 'pending', buttons: [] } },
      status: 'error',
      errorId: 'unexpected_push_error',
      errorText: 'gone',
      payload: { a: { b: [1, null] } },
      overrides: { fcm: { x: 1 } },
      contextKeys: ['region:eu', 'tenant:acme'],
      read: true,
      seen: true,
      lastSeenAt: new Date('2026-01-02T03:04:05.678Z'),
      lastReadAt: new Date('2026-01-02T03:04:06.000Z'),
      snoozedUntil: new Date('2030-01-01T00:00:00.000Z'),
      deliveredAt: [new Date('2026-01-01T00:00:00.000Z'), new Date('2026-01-02T00:00:00.000Z')],
    });

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          _id: row!.id,
          _templateId: row!.workflowId,
          _messageTemplateId: row!.messageTemplateId,
          _feedId: null,
          _environmentId: gateway.environmentId,
          _organizationId: gateway.organizationId,
          _notificationId: row!.notificationId,
          _subscriberId: ada._id,
          subscriber: (await gateway.call('GET', '/v2/subscribers/ada')).body,
          template: expect.objectContaining({ _id: workflow.id }),
          templateIdentifier: 'welcome',
          createdAt: row!.createdAt.toISOString(),
          deliveredAt: ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
          lastSeenDate: '2026-01-02T03:04:05.678Z',
          lastReadDate: '2026-01-02T03:04:06.000Z',
          snoozedUntil: '2030-01-01T00:00:00.000Z',
          content: [{ type: 'text', content: 'Hello', styles: { textAlign: 'left' } }],
          transactionId: 'tx-full',
          subject: 'Subject',
          email: 'ada@example.com',
          phone: '+44',
          directWebhookUrl: 'https://example.com/hook',
          providerId: 'fcm',
          title: 'Title',
          errorId: 'unexpected_push_error',
          errorText: 'gone',
          channel: 'push',
          read: true,
          seen: true,
          deviceTokens: ['t1', 't2'],
          cta: { type: 'redirect', data: { url: '/x' }, action: { status: 'pending', buttons: [] } },
          status: 'error',
          payload: { a: { b: [1, null] } },
          overrides: { fcm: { x: 1 } },
          contextKeys: ['region:eu', 'tenant:acme'],
        },
      ],
      hasMore: false,
      pageSize: 10,
      page: 0,
      totalCount: 1,
    });
  });

  it('embeds the whole workflow of a message, also after it was deleted', async () => {
    const filter = {
      isNegated: false,
      type: 'GROUP',
      value: 'AND',
      children: [{ field: 'plan', value: 'gold', operator: 'EQUAL', on: 'payload' }],
    };
    const { _environmentId, _organizationId } = ada;
    const created = await gateway.call<{ _id: string; steps: { _id: string; variants: { _id: string }[] }[] }>(
      'POST',
      '/v2/workflows',
      {
        name: 'Whole',
        workflowId: 'whole',
        steps: [
          { name: 'Collect', type: 'digest', controlValues: { amount: 5, unit: 'minutes', digestKey: 'order' } },
          { name: 'Weekly', type: 'digest', controlValues: { timed: { atTime: '09:30', monthDays: [1, '15'] } } },
          { name: 'Due', type: 'delay', controlValues: { type: 'scheduled', delayPath: 'due' } },
          { name: 'Later', type: 'delay', controlValues: { type: 'dynamic', dynamicKey: 'due' } },
          {
            name: 'Mail',
            type: 'email',
            filters: [{ children: filter.children }],
            variants: [{ name: 'Gold', filters: [filter], controlValues: { subject: 'Dear' } }],
          },
        ],
      },
    );
    expect(created.text).toContain('steps');
    const { _id, steps } = created.body;
    const [collect, weekly, due, later, mail] = steps;
    await insert({ workflowId: _id });
    const embedded = async () => (await list()).body.data[0]!.template!;

    const whole = await embedded();
    const { body: keys } = await gateway.call<{ _id: string; key: string }[]>(
      'GET',
      `/v1/environments/${gateway.environmentId}/api-keys`,
    );
    const content = (step: { _id: string }, name: string, type: string, more: object = {}) => ({
      _id: step._id,
      uuid: step._id,
      _templateId: step._id,
      name,
      active: true,
      shouldStopOnFail: false,
      template: { type },
      filters: [],
      replyCallback: { active: false },
      ...more,
    });
    expect(whole).toMatchObject({
      _creatorId: keys[0]!._id,
      _notificationGroupId: _environmentId,
      notificationGroup: { _id: _environmentId, name: 'General', _environmentId, _organizationId },
      data: {},
      workflowIntegrationStatus: {
        hasActiveIntegrations: false,
        hasPrimaryIntegrations: false,
        channels: { email: { hasActiveIntegrations: false, hasPrimaryIntegrations: false } },
      },
      deletedBy: '',
    });
    expect(whole.steps).toEqual([
      content(collect!, 'Collect', 'digest', {
        metadata: { type: 'regular', amount: 5, unit: 'minutes', digestKey: 'order' },
        variants: [],
      }),
      content(weekly!, 'Weekly', 'digest', {
        _parentId: collect!._id,
        metadata: { type: 'timed', timed: { atTime: '09:30', monthDays: ['1', '15'] } },
        variants: [],
      }),
      content(due!, 'Due', 'delay', {
        _parentId: weekly!._id,
        metadata: { type: 'scheduled', delayPath: 'due' },
        variants: [],
      }),
      content(later!, 'Later', 'delay', { _parentId: due!._id, variants: [] }),
      content(mail!, 'Mail', 'email', {
        _parentId: later!._id,
        filters: [filter],
        variants: [content(mail!.variants[0]!, 'Gold', 'email', { filters: [filter] })],
      }),
    ]);

    expect((await gateway.call('DELETE', '/v2/workflows/whole')).status).toBe(204);
    expect(await embedded()).toMatchObject({ deleted: true, deletedBy: keys[0]!._id, _creatorId: keys[0]!._id });
  });

  it('leaves large fields out of the workflow and the subscriber when a page repeats them too often', async () => {
    const value = 'x'.repeat(4_000);
    const children = Array.from({ length: 40 }, () => ({ field: 'plan', value, operator: 'EQUAL', on: 'payload' }));
    const { body: workflow } = await gateway.call<{ _id: string }>('POST', '/v2/workflows', {
      name: 'Large',
      workflowId: 'large',
      steps: [{ name: 'Mail', type: 'email', filters: [{ children }] }],
    });
    const rich = await subscriber('rich', { data: { text: 'x'.repeat(60_000) } });
    await insert(...Array.from({ length: 60 }, () => ({ of: rich, workflowId: workflow._id })));

    const { body, text } = await list('limit=60');
    expect(text.length).toBeLessThan(3 * LIMITS.pageBytes);
    const [first, last] = [body.data[0]!, body.data.at(-1)!];
    expect(first.template!.steps[0]!.filters![0]!.children).toHaveLength(40);
    expect(first.template).not.toHaveProperty('leftOut');
    expect(last.template!.steps[0]).not.toHaveProperty('filters');
    expect(last.template!.leftOut).toEqual(['steps.filters', 'steps.variants']);
    expect(first.subscriber!.data).toEqual({ text: 'x'.repeat(60_000) });
    expect(last.subscriber).toMatchObject({ data: null, leftOut: ['channels', 'topics', 'data', 'avatar'] });
    expect((await list('limit=1&page=59')).body.data[0]!.subscriber).toEqual(rich);
  });

  it('leaves out absent fields and a deleted subscriber', async () => {
    const [row] = await insert({ subscriberId: newId(), transactionId: 'tx-bare' });
    await gateway.database.execute(`UPDATE message SET content = 'null'`);

    expect((await list()).body.data).toEqual([
      {
        _id: row!.id,
        _templateId: null,
        _messageTemplateId: null,
        _feedId: null,
        _environmentId: gateway.environmentId,
        _organizationId: gateway.organizationId,
        _notificationId: row!.notificationId,
        _subscriberId: row!.subscriberId,
        createdAt: row!.createdAt.toISOString(),
        content: '',
        payload: {},
        transactionId: 'tx-bare',
        channel: 'email',
        read: false,
        seen: false,
        cta: {},
        status: 'sent',
      },
    ]);
  });

  it('pages through messages of two weeks, newest first, with an exact end', async () => {
    const old = Array.from({ length: 7 }, (_, index) => new Date(LAST_WEEKS.getTime() + index * 1000));
    const fresh = Array.from({ length: 8 }, (_, index) => at(index));
    await insert(...[...fresh, ...old].map((createdAt) => ({ createdAt, subject: createdAt.toISOString() })));
    const expected = [...old, ...fresh].map((time) => time.toISOString()).reverse();

    const walked: (string | undefined)[] = [];
    for (let page = 0; page < 3; page += 1) {
      const { body } = await list(`limit=5&page=${page}`);
      expect(body).toMatchObject({ page, pageSize: 5, totalCount: 15, hasMore: page < 2 });
      walked.push(...subjects(body));
    }
    expect(walked).toEqual(expected);
    expect((await list('limit=5&page=3')).body).toEqual({
      data: [],
      hasMore: false,
      page: 3,
      pageSize: 5,
      totalCount: 15,
    });
    expect((await list('limit=1000')).body.data).toHaveLength(15);
  });

  it.each(['', 'channel=email', 'subscriberId=ada', 'transactionId=t1&transactionId=t2', 'contextKeys=team:red'])(
    'sorts messages by createdAt, which is not the order of the ids, with the filters "%s"',
    async (query) => {
      const rows = [at(1), at(2), at(3), at(4)].map((createdAt, index) => ({
        createdAt,
        subject: `${index}`,
        transactionId: `t${(index % 2) + 1}`,
        contextKeys: ['team:red'],
      }));
      // Its step was created three weeks ago and waited until now.
      const waited = { ...rows[0]!, id: idAtTime(LAST_WEEKS.getTime()), createdAt: at(5) };
      await insert(...rows.slice(1), waited);

      expect(subjects((await list(query)).body)).toEqual(['0', '3', '2', '1']);
      const pages = [0, 1, 2, 3].map(async (page) => subjects((await list(`${query}&limit=1&page=${page}`)).body));
      expect((await Promise.all(pages)).flat()).toEqual(['0', '3', '2', '1']);
    },
  );

  it.each([
    ['subscriberId=ada', ['s', 'e', 'a']],
    ['subscriberId=bob', ['b']],
    ['subscriberId=', ['s', 'b', 'e', 'a']],
    ['channel=sms', ['s', 'b']],
    ['channel=chat', []],
    ['channel=sms&subscriberId=bob', ['b']],
    ['transactionId=t1', ['s', 'a']],
    ['transactionId=t1&transactionId=t2&transactionId=t1', ['s', 'b', 'a']],
    ['transactionId[]=t1&transactionId[]=none', ['s', 'a']],
    ['transactionId=t1&transactionId=t2&limit=1&page=1', ['b']],
    ['transactionId=t1&transactionId=t2&channel=email', ['a']],
    ['transactionId=none', []],
    ['contextKeys=region:eu&contextKeys=tenant:acme', ['e']],
    ['contextKeys=tenant:acme&contextKeys=region:eu', ['e']],
    ['contextKeys=tenant:acme', ['b']],
    ['contextKeys=region:eu', []],
    ['contextKeys=', ['s', 'a']],
  ])('filters messages by %s', async (query, expected) => {
    await insert(
      { subject: 'a', createdAt: at(1), transactionId: 't1' },
      { subject: 'e', createdAt: at(2), contextKeys: ['region:eu', 'tenant:acme'] },
      { subject: 'b', createdAt: at(3), transactionId: 't2', of: bob, channel: 'sms', contextKeys: ['tenant:acme'] },
      { subject: 's', createdAt: at(4), transactionId: 't1', channel: 'sms', contextKeys: [] },
    );

    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(subjects(body)).toEqual(expected);
    if (!query.includes('page=')) expect(body.totalCount).toBe(expected.length);
  });

  it('stops counting at the cap, reports it as capped and caches the count', async () => {
    jest.replaceProperty(LIMITS as { countCap: number }, 'countCap', 3);
    try {
      await insert(...[1, 2, 3].map(() => ({ transactionId: 'many' })));
      expect((await list('transactionId=many')).body).toMatchObject({ totalCount: 3 });
      expect((await list('transactionId=many')).body).not.toHaveProperty('totalCountCapped');
      await insert({ transactionId: 'many' }, { transactionId: 'many' });
      const capped = (await list('transactionId=many&limit=4')).body;
      expect(capped).toMatchObject({ totalCount: 3, totalCountCapped: true, hasMore: true });
      expect(capped.data).toHaveLength(4);

      const query = jest.spyOn(gateway.database, 'query');
      expect((await list('transactionId=many')).body).toMatchObject({ totalCount: 3, totalCountCapped: true });
      expect(query.mock.calls.filter(([sql]) => sql.includes('AS count'))).toEqual([]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('reads each table once for a page of messages', async () => {
    await insert({ workflowId: newId() }, { of: bob });
    const query = jest.spyOn(gateway.database, 'query');
    await list('channel=email');
    const tables = ['message', 'subscriber', 'subscriber_channel', 'topic_subscription', 'integration', 'audit_log'];
    const read = query.mock.calls.flatMap(([sql]) => /FROM (\w+)/.exec(sql)?.[1] ?? []);
    expect(read.filter((name) => tables.includes(name)).sort()).toEqual(tables.sort());
    jest.restoreAllMocks();
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['page=-1', 'page'],
    ['page=x', 'page'],
    ['page=1000001&limit=10', 'page'],
    ['page=999999999999999', 'page'],
    ['channel=pigeon', 'channel'],
    ['channel=sms&channel=email', 'channel'],
    ['subscriberId=a&subscriberId=b', 'subscriberId'],
    [`transactionId=${'x'.repeat(513)}`, 'transactionId'],
  ])('answers the message query %s with a 422 that names %s', async (query, field) => {
    expectFieldErrors(await gateway.call('GET', `/v1/messages?${query}`), [field]);
  });

  it('answers lists of more than 100 messages one after the other', async () => {
    const read = MessageRepository.prototype.list;
    let [open, most, isShort] = [0, 0, false];
    const list = jest.spyOn(MessageRepository.prototype, 'list').mockImplementation(async function (
      this: MessageRepository,
      ...given
    ) {
      most = Math.max(most, (open += 1));
      // Short lists are read together, however late the other calls arrive.
      if (isShort) await until(() => most > 1);
      return read.apply(this, given).finally(() => (open -= 1));
    });
    const ask = (limit: number) =>
      Promise.all(Array.from({ length: 4 }, () => gateway.call('GET', `/v1/messages?limit=${limit}`)));
    for (const { status } of await ask(LIMITS.messagesPage)) expect(status).toBe(200);
    expect(most).toBe(1);
    isShort = true;
    for (const { status } of await ask(100)) expect(status).toBe(200);
    list.mockRestore();
  });

  it('answers the next long list while the caller of one does not read it', async () => {
    const read = jest.spyOn(MessageRepository.prototype, 'list');
    const long = `/v1/messages?limit=${LIMITS.messagesPage}`;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${gateway.key}\r\n\r\n`;
    const caller = open(gateway.url);
    // The list is not sent before the stream ends, so it is not read, however much a connection buffers.
    caller.write(get('/v1/activity/stream') + get(long));
    await until(() => read.mock.calls.length > 0);
    await until(async () => (await gateway.call('GET', long)).status === 200);
    caller.destroy();
    read.mockRestore();
  });

  it('answers 400 to a limit over 1000, and 200 to the last allowed page', async () => {
    expect(await list('limit=1001')).toMatchObject({
      status: 400,
      body: { message: 'Limit can not be larger then 1000' },
    });
    expect(await list('page=1000000&limit=10')).toMatchObject({ status: 200, body: { data: [] } });
  });

  it('answers 404 for an unknown subscriber and for one of another environment', async () => {
    const missing = await list("subscriberId=o'hara");
    expect(missing).toMatchObject({ status: 404, body: { message: "Subscriber 'o'hara' was not found" } });
    const foreign = await asStranger<{ message: string }>('GET', '/v1/messages?subscriberId=ada');
    expect(foreign).toMatchObject({ status: 404, body: { message: "Subscriber 'ada' was not found" } });
  });

  it('never shows or deletes messages of another environment', async () => {
    const [mine] = await insert({ subject: 'mine', transactionId: 'shared' });
    const foreignRow = { subject: 'theirs', transactionId: 'shared', environmentId: stranger.environmentId };
    await insert(foreignRow, foreignRow);

    for (const query of ['', 'transactionId=shared', 'channel=email', 'subscriberId=ada']) {
      const own = (await list(`${query}&limit=1`)).body;
      expect([query, own]).toMatchObject([query, { data: [{ subject: 'mine' }], hasMore: false, totalCount: 1 }]);
    }
    const theirs = (await asStranger<MessageListDto>('GET', '/v1/messages?transactionId=shared')).body;
    expect(theirs).toMatchObject({ totalCount: 2, data: [{ subject: 'theirs' }, { subject: 'theirs' }] });
    // The row names a subscriber of the first environment: it must not be embedded.
    expect(theirs.data[0]).not.toHaveProperty('subscriber');

    const foreign = await asStranger<MessageDto>('DELETE', `/v1/messages/${mine!.id}`);
    const unknown = await asStranger<MessageDto>('DELETE', `/v1/messages/${newId()}`);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(Object.keys(foreign.body)).toEqual(Object.keys(unknown.body));
    expect(await stored()).toEqual(['mine', 'theirs', 'theirs']);

    expect((await gateway.call('DELETE', '/v1/messages/transaction/shared')).status).toBe(204);
    expect(await stored()).toEqual(['theirs', 'theirs']);
  });

  it('deletes one message and answers 404 afterwards', async () => {
    const [first] = await insert({ subject: 'first' }, { subject: 'second' });
    expect(await gateway.call('DELETE', `/v1/messages/${first!.id.toUpperCase()}`)).toMatchObject({
      status: 200,
      body: { acknowledged: true, status: 'deleted' },
    });
    expect(await stored()).toEqual(['second']);
    expect(await gateway.call('DELETE', `/v1/messages/${first!.id}`)).toMatchObject({
      status: 404,
      body: { message: `Message with id ${first!.id} not found` },
    });
    expect(await gateway.call('DELETE', '/v1/messages/nope')).toMatchObject({
      status: 422,
      body: { errors: { messageId: { value: 'nope' } } },
    });
  });

  it('deletes all messages of a transaction, also more than one statement deletes', async () => {
    await insert({ subject: 'other' }, ...Array.from({ length: 5_001 }, () => ({ transactionId: 'broadcast' })));
    expect((await gateway.call('DELETE', '/v1/messages/transaction/broadcast')).status).toBe(204);
    expect(await stored()).toEqual(['other']);
  });

  it('deletes the messages of a transaction in every week, all or those of one channel', async () => {
    const transactionId = 'order/7 ü';
    const path = `/v1/messages/transaction/${encodeURIComponent(transactionId)}`;
    await insert(
      { subject: 'email', transactionId },
      { subject: 'old email', transactionId, createdAt: LAST_WEEKS },
      { subject: 'other', transactionId: 'other' },
      { subject: 'sms', transactionId, channel: 'sms' },
    );

    expect(await gateway.call('DELETE', `${path}?channel=sms`)).toMatchObject({ status: 204, text: '' });
    expect(await stored()).toEqual(['email', 'old email', 'other']);
    expect(await gateway.call('DELETE', `${path}?channel=sms`)).toMatchObject({
      status: 404,
      body: { message: `Transaction ${transactionId} has no sms messages` },
    });
    expect((await gateway.call('DELETE', `${path}?channel=fax`)).status).toBe(422);
    expect((await gateway.call('DELETE', path)).status).toBe(204);
    expect(await stored()).toEqual(['other']);
    expect(await gateway.call('DELETE', path)).toMatchObject({
      status: 404,
      body: { message: `Transaction ${transactionId} has no messages` },
    });
  });
});
