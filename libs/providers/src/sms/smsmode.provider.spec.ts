import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { smsmode } from './smsmode.provider';

describe('smsmode', () => {
  const response = (status: JsonObject = { value: 'ENROUTE' }): JsonObject => ({
    messageId: '5f4cf4e8',
    acceptedAt: '2026-01-01T12:00:01.000Z',
    channel: { channelId: 'x' },
    status,
  });

  const rig = testProviderContract(smsmode, {
    credentials: { from: 'Clarion' },
    success: { status: 201, json: response() },
    id: '5f4cf4e8',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message as JSON with the documented headers', async () => {
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

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    const context = { ...rig.stage.context('smsmode'), callbackUrl };
    expect(await smsmode.send(SMS, CREDENTIALS, context)).toMatchObject({ ok: true });
    expect(json()).toMatchObject({ callbackUrlStatus: callbackUrl });
  });

  it('applies overrides of the body and the date', async () => {
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
  ])('classifies %s in a 201 as %s', async (detail, kind) => {
    const json = response({ value: 'UNDELIVERABLE', detail });
    expect(await rig.answering({ status: 201, json })).toMatchObject({ ok: false, kind, message: detail });
  });

  it('classifies an undeliverable message without a detail as permanent', async () => {
    const json = response({ value: 'UNDELIVERABLE' });
    expect(await rig.answering({ status: 201, json })).toMatchObject({ kind: 'permanent', message: 'UNDELIVERABLE' });
  });

  it('reports the error text', async () => {
    const json = { title: 'Bad Request', message: 'no', detail: 'why', status: '400', errorCode: '400.001' };
    expect(await rig.answering({ status: 400, json })).toMatchObject({ kind: 'permanent', message: 'why' });
  });

  describe('delivery events', () => {
    testSharedKeyVerification(smsmode);

    const MESSAGE_ID = '01234567-89ab-7def-8123-456789abcdef';
    const report = (status: JsonObject, over: JsonObject = {}): JsonObject => ({
      messageId: '5f4cf4e8',
      direction: 'MT',
      recipient: { to: '15551234567' },
      refClient: MESSAGE_ID,
      status: { deliveryDate: '2026-01-01T12:00:05.000Z', ...status },
      ...over,
    });

    it.each([
      ['ENROUTE', 'sent'],
      ['DELIVERED', 'delivered'],
      ['UNDELIVERED', 'bounced'],
      ['UNDELIVERABLE', 'rejected'],
    ])('maps the status %s to the event %s', (value, kind) => {
      expect(eventsOf(smsmode, inbound(report({ value })))).toEqual([
        {
          id: expect.stringContaining(value) as string,
          kind,
          providerMessageId: '5f4cf4e8',
          messageId: MESSAGE_ID,
          recipient: '15551234567',
          at: new Date('2026-01-01T12:00:05Z'),
        },
      ]);
    });

    it('turns an invalid phone number into a permanent bounce', () => {
      const [one, two] = ['INVALID_PHONE_NUMBER', 'SPAM'].map((detail) => report({ value: 'UNDELIVERABLE', detail }));
      expect(eventsOf(smsmode, inbound([one!, two!]))).toMatchObject([
        { kind: 'bounced', isPermanent: true, reason: 'INVALID_PHONE_NUMBER' },
        { kind: 'rejected', reason: 'SPAM' },
      ]);
    });

    it('ignores a client reference that is not a message id of Clarion', () => {
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
    ])('returns no event for %j', (body) => {
      expect(eventsOf(smsmode, inbound(body))).toEqual([]);
    });
  });
});
