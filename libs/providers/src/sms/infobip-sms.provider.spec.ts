import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { infobipSms } from './infobip-sms.provider';

describe('Infobip SMS', () => {
  const PENDING = { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED', description: 'Pending' };
  const statusOf = (groupName: string, name: string) => ({
    groupId: 5,
    groupName,
    id: 6,
    name,
    description: 'Not this',
  });
  const OWN = { from: 'Clarion', baseUrl: 'https://abc.api.infobip.com/' };

  const rig = testProviderContract(infobipSms, {
    credentials: OWN,
    success: { json: { messages: [{ to: '15551234567', status: PENDING, messageId: '2250be2d' }] } },
    id: '2250be2d',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as { messages: Record<string, unknown>[] };

  it('posts JSON to the host of the account', async () => {
    await rig.send({ content: 'Grüße 🙂' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/sms/2/text/advanced' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'App canary-api-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      messages: [
        { from: 'Clarion', destinations: [{ to: '15551234567' }], text: 'Grüße 🙂', callbackData: 'message-1' },
      ],
    });
  });

  it.each([
    ['https://abc.api.infobip.com', 'https://abc.api.infobip.com/sms/2/text/advanced'],
    ['https://abc.api.infobip.com//', 'https://abc.api.infobip.com/sms/2/text/advanced'],
    ['abc.api.infobip.com', 'https://abc.api.infobip.com/sms/2/text/advanced'],
    ['http://proxy.example:8080/infobip', 'http://proxy.example:8080/infobip/sms/2/text/advanced'],
  ])('derives the API URL from the base URL %s', async (baseUrl, url) => {
    const asked: string[] = [];
    const http = {
      request: (request: { url: string }) => {
        asked.push(request.url);
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}') });
      },
      addressOf: (text: string) => text,
    };
    await infobipSms.send(SMS, { ...CREDENTIALS, baseUrl }, { ...rig.stage.context('infobip-sms'), http });
    expect(asked).toEqual([url]);
  });

  it('makes no call when the base URL is empty', async () => {
    const result = await rig.send({}, {}, { baseUrl: '' });
    expect(result).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.calls).toEqual([]);
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    const context = { ...rig.stage.context('infobip-sms'), callbackUrl };
    await infobipSms.send(SMS, { ...CREDENTIALS, ...OWN }, context);
    expect(body().messages).toMatchObject([{ notifyUrl: callbackUrl, notifyContentType: 'application/json' }]);
  });

  it('uses the sender of the message, puts overrides into it and ignores those of the recipient', async () => {
    const overrides = {
      validity_period: 720,
      regional: { indiaDlt: { principalEntityId: 'p' } },
      destinations: [],
      messages: [],
    };
    const result = await rig.send({ from: 'Own' }, overrides);
    expect(body().messages).toEqual([
      {
        from: 'Own',
        destinations: [{ to: '15551234567' }],
        text: 'hi',
        callbackData: 'message-1',
        validityPeriod: 720,
        regional: { indiaDlt: { principalEntityId: 'p' } },
      },
    ]);
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('destinations'), expect.stringContaining('messages')],
    });
  });

  it.each([
    ['REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS', 'quota'],
    ['REJECTED', 'REJECTED_PREPAID_PACKAGE_EXPIRED', 'quota'],
    ['REJECTED', 'REJECTED_DESTINATION', 'recipient'],
    ['REJECTED', 'REJECTED_PREFIX_MISSING', 'recipient'],
    ['REJECTED', 'REJECTED_NETWORK', 'recipient'],
    ['REJECTED', 'REJECTED_DND', 'recipient'],
    ['REJECTED', 'REJECTED_SENDER', 'credentials'],
    ['REJECTED', 'REJECTED_DESTINATION_NOT_REGISTERED', 'credentials'],
    ['REJECTED', 'REJECTED_ROUTE_NOT_AVAILABLE', 'credentials'],
    ['REJECTED', 'REJECTED_FLOODING_FILTER', 'rate-limited'],
    ['REJECTED', 'REJECTED_SYSTEM_ERROR', 'transient'],
    ['REJECTED', 'REJECTED_MESSAGE_TOO_LONG', 'content'],
    ['REJECTED', 'REJECTED_SOMETHING_NEW', 'permanent'],
    ['UNDELIVERABLE', 'UNDELIVERABLE_REJECTED_OPERATOR', 'permanent'],
    ['EXPIRED', 'EXPIRED_EXPIRED', 'permanent'],
  ])('classifies %s %s in a 200 as %s', async (group, name, kind) => {
    const messages = [{ to: '15551234567', status: statusOf(group, name), messageId: 'a' }];
    expect(await rig.answering({ json: { messages } })).toMatchObject({
      ok: false,
      kind,
      message: 'Not this',
      status: 200,
    });
  });

  it.each([
    [0, { ok: true, id: 'a' }],
    [1, { ok: true, id: 'a' }],
    [2, { ok: false, kind: 'permanent', message: 'UNDELIVERABLE' }],
    [4, { ok: false, kind: 'permanent', message: 'EXPIRED' }],
    [5, { ok: false, kind: 'permanent', message: 'REJECTED' }],
  ])('reads the status group %d without its name', async (groupId, result) => {
    const messages = [{ to: '15551234567', status: { groupId }, messageId: 'a' }];
    expect(await rig.answering({ json: { messages } })).toMatchObject(result);
  });

  it('classifies an error that is not permanent as transient', async () => {
    const error = { groupId: 2, name: 'EC_TRY_LATER', description: 'Later', permanent: false };
    const messages = [{ to: '15551234567', status: { groupId: 5, groupName: 'REJECTED' }, error, messageId: 'a' }];
    expect(await rig.answering({ json: { messages } })).toMatchObject({
      ok: false,
      kind: 'transient',
      message: 'Later',
    });
  });

  it('accepts the single entry of a response with another spelling of the number', async () => {
    const messages = [{ to: '0015551234567', status: PENDING, messageId: 'a' }];
    expect(await rig.answering({ json: { messages } })).toMatchObject({ ok: true, id: 'a' });
  });

  it('reports the error text', async () => {
    const json = { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' } } };
    expect(await rig.answering({ status: 401, json })).toMatchObject({
      ok: false,
      kind: 'credentials',
      message: 'Invalid login details',
    });
  });

  describe('batch', () => {
    const MANY = [
      { id: 'm-1', to: '+15551110001', content: 'one' },
      { id: 'm-2', to: '+15551110002', content: 'two', from: 'Own' },
      { id: 'm-3', to: '+15551110003', content: 'three' },
    ];
    const entryOf = (to: string, messageId: string, status: object = PENDING) => ({ to, messageId, status });

    it('sends one call and returns one result per message', async () => {
      const messages = [
        entryOf('15551110001', 'a'),
        entryOf('15551110002', 'b', statusOf('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS')),
        entryOf('15551110003', 'c'),
      ];
      rig.stage.fake.always('/', { json: { bulkId: 'x', messages } });
      expect(await rig.sendBatch(MANY, { flash: true, colour: 'red' })).toMatchObject([
        { ok: true, id: 'a', raw: JSON.stringify(messages[0]), warnings: [expect.stringContaining('colour')] },
        { ok: false, kind: 'quota' },
        { ok: true, id: 'c' },
      ]);
      expect(rig.calls).toHaveLength(1);
      expect(body().messages).toEqual([
        { from: 'Clarion', destinations: [{ to: '15551110001' }], text: 'one', callbackData: 'm-1', flash: true },
        { from: 'Own', destinations: [{ to: '15551110002' }], text: 'two', callbackData: 'm-2', flash: true },
        { from: 'Clarion', destinations: [{ to: '15551110003' }], text: 'three', callbackData: 'm-3', flash: true },
      ]);
    });

    it('assigns entries by number when they are incomplete or in another order', async () => {
      rig.stage.fake.always('/', { json: { messages: [entryOf('15551110001', 'a'), entryOf('15551110003', 'c')] } });
      expect(await rig.sendBatch(MANY)).toMatchObject([
        { ok: true, id: 'a' },
        { ok: false, kind: 'unknown-outcome' },
        { ok: true, id: 'c' },
      ]);
      const mixed = [entryOf('15551110003', 'c'), entryOf('15551110001', 'a'), entryOf('15551110002', 'b')];
      rig.stage.fake.always('/', { json: { messages: mixed } });
      expect(await rig.sendBatch(MANY)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    });

    it('assigns entries in their order when numbers are equal or missing', async () => {
      const answers = [entryOf('15551110001', 'a'), entryOf('15551110002', 'b'), entryOf('15551110001', 'c')];
      rig.stage.fake.always('/', { json: { messages: answers } });
      const same = [MANY[0]!, MANY[1]!, MANY[0]!];
      expect(await rig.sendBatch(same)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
      rig.stage.fake.always('/', { json: { messages: answers.map((one) => ({ ...one, to: undefined })) } });
      expect(await rig.sendBatch(MANY)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 429, headers: { 'retry-after': '7' } });
      const failure = { ok: false, kind: 'rate-limited', retryAfterMs: 7_000 };
      expect(await rig.sendBatch(MANY)).toMatchObject([failure, failure, failure]);
    });

    it('sends the others when one message has no valid number', async () => {
      rig.stage.fake.always('/', { json: { messages: [entryOf('15551110001', 'a')] } });
      const results = await rig.sendBatch([{ to: 'bob' }, MANY[0]!]);
      expect(results).toMatchObject([
        { ok: false, kind: 'recipient' },
        { ok: true, id: 'a' },
      ]);
    });

    it('groups all messages except those with a passthrough', () => {
      const groupOf = (overrides: object) =>
        infobipSms.batch!.groupOf({ message: SMS, overrides: { ...overrides } }, CREDENTIALS);
      expect(groupOf({})).toBe(groupOf({ flash: true }));
      expect(groupOf({ _passthrough: { body: { bulkId: 'x' } } })).toBeUndefined();
      expect(infobipSms.batch!.size).toBe(100);
    });
  });

  describe('check', () => {
    it('reads the balance to check the credentials', async () => {
      await rig.check();
      expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/account/1/balance' });
      expect(rig.calls[0]!.headers.authorization).toBe('App canary-api-key');
    });

    it.each([403, 404])(
      'passes the check with a %d, which a key that may only send or a host without balances causes',
      async (status) => {
        rig.stage.fake.always('/', { status });
        expect(await rig.check()).toMatchObject({ ok: true });
      },
    );
  });

  describe('delivery events', () => {
    const NO_ERROR = {
      groupId: 0,
      groupName: 'Ok',
      id: 0,
      name: 'NO_ERROR',
      description: 'No Error',
      permanent: false,
    };
    const REPORT = {
      bulkId: 'x',
      messageId: '2250be2d',
      to: '15551234567',
      sentAt: '2026-01-01T11:57:00.000+0000',
      doneAt: '2026-01-01T11:58:00.000+0000',
      smsCount: 1,
      callbackData: 'message-1',
      error: NO_ERROR,
    };
    const posted = (...results: object[]) => inbound({ results });

    testSharedKeyVerification(infobipSms);

    it.each([
      ['DELIVERED', 'DELIVERED_TO_HANDSET', 'delivered'],
      ['DELIVERED', 'DELIVERED_TO_OPERATOR', 'sent'],
      ['UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED', 'bounced'],
      ['EXPIRED', 'EXPIRED_EXPIRED', 'failed'],
      ['REJECTED', 'REJECTED_NETWORK', 'rejected'],
    ])('maps the status %s, %s to the event %s', (group, name, kind) => {
      expect(eventsOf(infobipSms, posted({ ...REPORT, status: statusOf(group, name) }))).toEqual([
        {
          id: `2250be2d:${name}:2026-01-01T11:58:00.000+0000`,
          kind,
          providerMessageId: '2250be2d',
          messageId: 'message-1',
          recipient: '15551234567',
          at: new Date('2026-01-01T11:58:00Z'),
          ...(group !== 'DELIVERED' && { reason: 'No Error' }),
        },
      ]);
    });

    it('reads several reports of one call', () => {
      const status = statusOf('DELIVERED', 'DELIVERED_TO_HANDSET');
      const events = eventsOf(
        infobipSms,
        posted({ ...REPORT, status }, { ...REPORT, messageId: 'b', status }, { a: 1 }),
      );
      expect(events.map(({ providerMessageId }) => providerMessageId)).toEqual(['2250be2d', 'b']);
    });

    it.each([
      [{ groupId: 1, permanent: true }, true],
      [{ groupId: 1, permanent: false }, undefined],
      [{ groupId: 3, permanent: true }, undefined],
    ])('treats the error %j as permanent: %s', (error, isPermanent) => {
      const status = statusOf('UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED');
      const [event] = eventsOf(infobipSms, posted({ ...REPORT, status, error: { ...NO_ERROR, ...error } }));
      expect(event!.isPermanent).toBe(isPermanent);
    });

    it('skips a pending status', () => {
      expect(eventsOf(infobipSms, posted({ ...REPORT, status: PENDING }))).toEqual([]);
    });

    testUnreadableEvents(infobipSms);
  });
});
