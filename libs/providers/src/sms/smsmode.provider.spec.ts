import type { JsonObject } from '@clarion/contracts';
import { believesTheSharedKey, eventsOf, inbound, keepsTheContract } from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { smsmode } from './smsmode.provider';

const taken = (status: JsonObject = { value: 'ENROUTE' }): JsonObject => ({
  messageId: '5f4cf4e8',
  acceptedAt: '2026-01-01T12:00:01.000Z',
  channel: { channelId: 'x' },
  status,
});

const rig = keepsTheContract(smsmode, {
  credentials: { from: 'Clarion' },
  success: { status: 201, json: taken() },
  id: '5f4cf4e8',
});
const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

it('posts a message', async () => {
  expect(await rig.send({ content: 'Grüße ✓' })).toMatchObject({
    ok: true,
    id: '5f4cf4e8',
    date: new Date('2026-01-01T12:00:01Z'),
  });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/sms/v1/messages' });
  expect(rig.calls[0]!.headers).toMatchObject({
    'x-api-key': 'canary-api-key',
    'content-type': 'application/json',
  });
  expect(json()).toEqual({
    recipient: { to: '+15551234567' },
    from: 'Clarion',
    body: { text: 'Grüße ✓' },
    refClient: 'message-1',
  });
});

it('asks for reports where the integration wants to hear them', async () => {
  const callbackUrl = 'https://clarion.example/hook?token=canary-key';
  const context = { ...rig.stage.context('smsmode'), callbackUrl };
  expect(await smsmode.send(SMS, CREDENTIALS, context)).toMatchObject({ ok: true });
  expect(json()).toMatchObject({ callbackUrlStatus: callbackUrl });
});

it('sets members of the body and a date', async () => {
  await rig.send({}, { sent_date: '2026-01-02T00:00:00Z', body: { stop: true }, recipient: { to: '1' } });
  expect(json()).toMatchObject({
    sentDate: '2026-01-02T00:00:00Z',
    body: { text: 'hi', stop: true },
    recipient: { to: '+15551234567' },
  });
});

it.each([
  ['INVALID_PHONE_NUMBER', 'recipient'],
  ['BLACKLISTED', 'recipient'],
  ['INSUFFICIENT_CREDIT', 'quota'],
  ['DAILY_LIMIT_EXCEEDED', 'quota'],
  ['ORGANISATION_MONTHLY_LIMIT_EXCEEDED', 'quota'],
  ['SPAM', 'content'],
  ['constructor', 'permanent'],
])('finds %s in a 201', async (detail, kind) => {
  const json = taken({ value: 'UNDELIVERABLE', detail });
  expect(await rig.answering({ status: 201, json })).toMatchObject({ ok: false, kind, message: detail });
});

it('finds in a 201 that nothing is sent, also without a word why', async () => {
  const json = taken({ value: 'UNDELIVERABLE' });
  expect(await rig.answering({ status: 201, json })).toMatchObject({ kind: 'permanent', message: 'UNDELIVERABLE' });
});

it('quotes the error', async () => {
  const json = { title: 'Bad Request', message: 'no', detail: 'why', status: '400', errorCode: '400.001' };
  expect(await rig.answering({ status: 400, json })).toMatchObject({ kind: 'permanent', message: 'why' });
});

describe('events', () => {
  believesTheSharedKey(smsmode);

  const OURS = '01234567-89ab-7def-8123-456789abcdef';
  const report = (status: JsonObject, over: JsonObject = {}): JsonObject => ({
    messageId: '5f4cf4e8',
    direction: 'MT',
    recipient: { to: '15551234567' },
    refClient: OURS,
    status: { deliveryDate: '2026-01-01T12:00:05.000Z', ...status },
    ...over,
  });

  it.each([
    ['ENROUTE', 'sent'],
    ['DELIVERED', 'delivered'],
    ['UNDELIVERED', 'bounced'],
    ['UNDELIVERABLE', 'rejected'],
  ])('call %s %s', (value, kind) => {
    expect(eventsOf(smsmode, inbound(report({ value })))).toEqual([
      {
        id: expect.stringContaining(value) as string,
        kind,
        providerMessageId: '5f4cf4e8',
        messageId: OURS,
        recipient: '15551234567',
        at: new Date('2026-01-01T12:00:05Z'),
      },
    ]);
  });

  it('know a number that will never work', () => {
    const [one, two] = ['INVALID_PHONE_NUMBER', 'SPAM'].map((detail) => report({ value: 'UNDELIVERABLE', detail }));
    expect(eventsOf(smsmode, inbound([one!, two!]))).toMatchObject([
      { kind: 'bounced', isPermanent: true, reason: 'INVALID_PHONE_NUMBER' },
      { kind: 'rejected', reason: 'SPAM' },
    ]);
  });

  it('carry no id of ours that is none', () => {
    expect(eventsOf(smsmode, inbound(report({ value: 'DELIVERED' }, { refClient: 'x' })))[0]).not.toHaveProperty(
      'messageId',
    );
  });

  it.each([
    '',
    'nonsense',
    'null',
    '[null]',
    '{}',
    report({ value: 'SCHEDULED' }),
    report({ value: 'constructor' }),
    report({ value: 'DELIVERED' }, { direction: 'MO' }),
    report({ value: 'DELIVERED' }, { messageId: null }),
    report({ value: 7 }),
    { messageId: 'x', status: 'DELIVERED' },
  ])('are none in %j', (body) => {
    expect(eventsOf(smsmode, inbound(body))).toEqual([]);
  });
});
