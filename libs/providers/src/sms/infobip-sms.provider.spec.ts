import {
  believesTheSharedKey,
  eventsOf,
  inbound,
  keepsTheContract,
  readsNothingIntoGarbage,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { infobipSms } from './infobip-sms.provider';

const PENDING = { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED', description: 'Pending' };
const statusOf = (groupName: string, name: string) => ({ groupId: 5, groupName, id: 6, name, description: 'Not this' });
const OWN = { from: 'Clarion', baseUrl: 'https://abc.api.infobip.com/' };

const rig = keepsTheContract(infobipSms, {
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
    messages: [{ from: 'Clarion', destinations: [{ to: '15551234567' }], text: 'Grüße 🙂', callbackData: 'message-1' }],
  });
});

it.each([
  ['https://abc.api.infobip.com', 'https://abc.api.infobip.com/sms/2/text/advanced'],
  ['https://abc.api.infobip.com//', 'https://abc.api.infobip.com/sms/2/text/advanced'],
  ['abc.api.infobip.com', 'https://abc.api.infobip.com/sms/2/text/advanced'],
  ['http://proxy.example:8080/infobip', 'http://proxy.example:8080/infobip/sms/2/text/advanced'],
])('finds the API at %s', async (baseUrl, url) => {
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

it('calls nobody where there is no address', async () => {
  const result = await rig.send({}, {}, { baseUrl: '' });
  expect(result).toMatchObject({ ok: false, kind: 'credentials' });
  expect(rig.calls).toEqual([]);
});

it('asks for reports where the integration wants them', async () => {
  const callbackUrl = 'https://clarion.example/hook?token=canary-key';
  const context = { ...rig.stage.context('infobip-sms'), callbackUrl };
  await infobipSms.send(SMS, { ...CREDENTIALS, ...OWN }, context);
  expect(body().messages).toMatchObject([{ notifyUrl: callbackUrl, notifyContentType: 'application/json' }]);
});

it('takes a sender and overrides inside the message, but nobody else to write to', async () => {
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
])('finds %s %s inside a 200: %s', async (group, name, kind) => {
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
])('knows the group %d of states without its name', async (groupId, result) => {
  const messages = [{ to: '15551234567', status: { groupId }, messageId: 'a' }];
  expect(await rig.answering({ json: { messages } })).toMatchObject(result);
});

it('tries again where the error is called passing', async () => {
  const error = { groupId: 2, name: 'EC_TRY_LATER', description: 'Later', permanent: false };
  const messages = [{ to: '15551234567', status: { groupId: 5, groupName: 'REJECTED' }, error, messageId: 'a' }];
  expect(await rig.answering({ json: { messages } })).toMatchObject({ ok: false, kind: 'transient', message: 'Later' });
});

it('knows its own answer however the number is spelled in it', async () => {
  const messages = [{ to: '0015551234567', status: PENDING, messageId: 'a' }];
  expect(await rig.answering({ json: { messages } })).toMatchObject({ ok: true, id: 'a' });
});

it('repeats what the provider says', async () => {
  const json = { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' } } };
  expect(await rig.answering({ status: 401, json })).toMatchObject({
    ok: false,
    kind: 'credentials',
    message: 'Invalid login details',
  });
});

describe('many messages', () => {
  const MANY = [
    { id: 'm-1', to: '+15551110001', content: 'one' },
    { id: 'm-2', to: '+15551110002', content: 'two', from: 'Own' },
    { id: 'm-3', to: '+15551110003', content: 'three' },
  ];
  const told = (to: string, messageId: string, status: object = PENDING) => ({ to, messageId, status });

  it('go in one call, each with a text of its own and an answer of its own', async () => {
    const messages = [
      told('15551110001', 'a'),
      told('15551110002', 'b', statusOf('REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS')),
      told('15551110003', 'c'),
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

  it('are not lost when the answer leaves one out or mixes them up', async () => {
    rig.stage.fake.always('/', { json: { messages: [told('15551110001', 'a'), told('15551110003', 'c')] } });
    expect(await rig.sendBatch(MANY)).toMatchObject([
      { ok: true, id: 'a' },
      { ok: false, kind: 'unknown-outcome' },
      { ok: true, id: 'c' },
    ]);
    const mixed = [told('15551110003', 'c'), told('15551110001', 'a'), told('15551110002', 'b')];
    rig.stage.fake.always('/', { json: { messages: mixed } });
    expect(await rig.sendBatch(MANY)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  });

  it('to the same number, or without a number in the answer, are told of in their order', async () => {
    const answers = [told('15551110001', 'a'), told('15551110002', 'b'), told('15551110001', 'c')];
    rig.stage.fake.always('/', { json: { messages: answers } });
    const same = [MANY[0]!, MANY[1]!, MANY[0]!];
    expect(await rig.sendBatch(same)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    rig.stage.fake.always('/', { json: { messages: answers.map((one) => ({ ...one, to: undefined })) } });
    expect(await rig.sendBatch(MANY)).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  });

  it('fail together when the call fails', async () => {
    rig.stage.fake.always('/', { status: 429, headers: { 'retry-after': '7' } });
    const failure = { ok: false, kind: 'rate-limited', retryAfterMs: 7_000 };
    expect(await rig.sendBatch(MANY)).toMatchObject([failure, failure, failure]);
  });

  it('do not wait for one to nobody', async () => {
    rig.stage.fake.always('/', { json: { messages: [told('15551110001', 'a')] } });
    const results = await rig.sendBatch([{ to: 'bob' }, MANY[0]!]);
    expect(results).toMatchObject([
      { ok: false, kind: 'recipient' },
      { ok: true, id: 'a' },
    ]);
  });

  it('may go together unless one passes something through', () => {
    const groupOf = (overrides: object) =>
      infobipSms.batch!.groupOf({ message: SMS, overrides: { ...overrides } }, CREDENTIALS);
    expect(groupOf({})).toBe(groupOf({ flash: true }));
    expect(groupOf({ _passthrough: { body: { bulkId: 'x' } } })).toBeUndefined();
    expect(infobipSms.batch!.size).toBe(100);
  });
});

describe('the check', () => {
  it('looks at the balance', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/account/1/balance' });
    expect(rig.calls[0]!.headers.authorization).toBe('App canary-api-key');
  });

  it.each([403, 404])('passes with a %d: a key that may only send, and a host without a balance', async (status) => {
    rig.stage.fake.always('/', { status });
    expect(await rig.check()).toMatchObject({ ok: true });
  });
});

describe('reports', () => {
  const NO_ERROR = { groupId: 0, groupName: 'Ok', id: 0, name: 'NO_ERROR', description: 'No Error', permanent: false };
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

  believesTheSharedKey(infobipSms);

  it.each([
    ['DELIVERED', 'DELIVERED_TO_HANDSET', 'delivered'],
    ['DELIVERED', 'DELIVERED_TO_OPERATOR', 'sent'],
    ['UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED', 'bounced'],
    ['EXPIRED', 'EXPIRED_EXPIRED', 'failed'],
    ['REJECTED', 'REJECTED_NETWORK', 'rejected'],
  ])('say %s, %s: %s', (group, name, kind) => {
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

  it('come many at a time', () => {
    const status = statusOf('DELIVERED', 'DELIVERED_TO_HANDSET');
    const events = eventsOf(infobipSms, posted({ ...REPORT, status }, { ...REPORT, messageId: 'b', status }, { a: 1 }));
    expect(events.map(({ providerMessageId }) => providerMessageId)).toEqual(['2250be2d', 'b']);
  });

  it.each([
    [{ groupId: 1, permanent: true }, true],
    [{ groupId: 1, permanent: false }, undefined],
    [{ groupId: 3, permanent: true }, undefined],
  ])('with the error %j end the number: %s', (error, isPermanent) => {
    const status = statusOf('UNDELIVERABLE', 'UNDELIVERABLE_NOT_DELIVERED');
    const [event] = eventsOf(infobipSms, posted({ ...REPORT, status, error: { ...NO_ERROR, ...error } }));
    expect(event!.isPermanent).toBe(isPermanent);
  });

  it('of what is still pending are left out', () => {
    expect(eventsOf(infobipSms, posted({ ...REPORT, status: PENDING }))).toEqual([]);
  });

  readsNothingIntoGarbage(infobipSms);
});
