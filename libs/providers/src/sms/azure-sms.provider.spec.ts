import { createHash, createHmac } from 'node:crypto';
import { idAtTime, type JsonObject } from '@clarion/contracts/core';
import {
  eventsOf,
  inbound,
  inboundContext,
  NOW,
  testProviderContract,
  testSharedKeyVerification,
} from '../../test/contract';
import { SMS } from '../../test/samples';
import { azureSms } from './azure-sms.provider';

describe('Azure SMS', () => {
  const KEY = Buffer.from('canary-access-key').toString('base64');
  const CONNECTION = `endpoint=https://canary.communication.azure.com/;accesskey=${KEY}`;

  const value = (over: JsonObject = {}): JsonObject => ({
    value: [
      {
        to: '+15551234567',
        messageId: 'Outgoing_1_noam',
        httpStatusCode: 202,
        repeatabilityResult: 'accepted',
        successful: true,
        ...over,
      },
    ],
  });

  const rig = testProviderContract(azureSms, {
    credentials: { accessKey: CONNECTION, from: '+15550000000' },
    success: { status: 202, json: value() },
    id: 'Outgoing_1_noam',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  /** The expected signature, computed from the received request. */
  function signatureOf(method: string, path: string, body: string): string {
    const { host } = new URL(rig.stage.fake.url);
    const hash = createHash('sha256').update(body).digest('base64');
    const text = `${method}\n${path}\n${NOW.toUTCString()};${host};${hash}`;
    return createHmac('sha256', 'canary-access-key').update(text).digest('base64');
  }

  it('posts a message and signs its body and host', async () => {
    expect(await rig.send({ content: 'Grüße ✓' })).toMatchObject({ ok: true, id: 'Outgoing_1_noam' });
    const { method, path, headers, body } = rig.calls[0]!;
    expect([method, path]).toEqual(['POST', '/sms?api-version=2021-03-07']);
    expect(json()).toEqual({
      from: '+15550000000',
      smsRecipients: [
        {
          to: '+15551234567',
          repeatabilityRequestId: 'message-1',
          repeatabilityFirstSent: 'Thu, 01 Jan 2026 12:00:00 GMT',
        },
      ],
      message: 'Grüße ✓',
      smsSendOptions: { enableDeliveryReport: true, tag: 'message-1' },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-ms-date': 'Thu, 01 Jan 2026 12:00:00 GMT',
      'x-ms-content-sha256': createHash('sha256').update(body).digest('base64'),
      authorization:
        'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256' +
        `&Signature=${signatureOf(method, path, body)}`,
    });
  });

  it('signs passed-through members too', async () => {
    await rig.send({}, { _passthrough: { body: { extra: '✓' }, query: { 'a b': 'c&d' } } });
    const { path, headers, body } = rig.calls[0]!;
    expect(path).toBe('/sms?api-version=2021-03-07&a+b=c%26d');
    expect(json()).toMatchObject({ extra: '✓', message: 'hi' });
    expect(headers.authorization).toContain(`&Signature=${signatureOf('POST', path, body)}`);
  });

  it('sends the message id and its creation time as the same key for every attempt', async () => {
    const id = idAtTime(Date.parse('2025-12-31T23:59:58Z'));
    await rig.send({ id });
    expect(json()).toMatchObject({
      smsRecipients: [{ repeatabilityRequestId: id, repeatabilityFirstSent: 'Wed, 31 Dec 2025 23:59:58 GMT' }],
      smsSendOptions: { tag: id },
    });
  });

  it('applies overrides to smsSendOptions and ignores an override of the tag', async () => {
    const result = await rig.send({}, { delivery_report_timeout_in_seconds: 600, tag: 'mine' });
    expect(json()).toMatchObject({
      smsSendOptions: { enableDeliveryReport: true, tag: 'message-1', deliveryReportTimeoutInSeconds: 600 },
    });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('tag')] });
  });

  it.each([
    `ENDPOINT=https://canary.communication.azure.com ; AccessKey = ${KEY} `,
    `accesskey=${KEY};endpoint=https://canary.communication.azure.com/some/path;`,
  ])('accepts other spellings of a connection string (case %#)', async (accessKey) => {
    expect(await rig.send({}, {}, { accessKey })).toMatchObject({ ok: true });
    const { path, headers, body } = rig.calls[0]!;
    expect(headers.authorization).toContain(`&Signature=${signatureOf('POST', path, body)}`);
  });

  it.each([
    '',
    KEY,
    `accesskey=${KEY}`,
    'endpoint=https://canary.communication.azure.com/',
    'endpoint=https://canary.communication.azure.com/;accesskey=',
    `endpoint=canary.communication.azure.com;accesskey=${KEY}`,
    `endpoint=file:///etc/passwd;accesskey=${KEY}`,
    `endpoint=https://;accesskey=${KEY}`,
  ])('makes no call without a complete connection string (case %#)', async (accessKey) => {
    expect(await rig.send({}, {}, { accessKey })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(await rig.check({ accessKey })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.stage.fake.count).toBe(0);
  });

  it('calls the host of the connection string', async () => {
    const request = jest.fn(() => Promise.resolve({ status: 500, headers: {}, body: Buffer.alloc(0) }));
    const context = { ...rig.stage.context('azure-sms'), http: { request, addressOf: (url: string) => url } };
    await azureSms.send(SMS, { accessKey: CONNECTION, from: '+15550000000' }, context);
    expect(request).toHaveBeenCalledWith(
      expect.objectContaining({ url: 'https://canary.communication.azure.com/sms?api-version=2021-03-07' }),
    );
  });

  it.each([
    [400, 'recipient'],
    [404, 'recipient'],
    [401, 'credentials'],
    [403, 'credentials'],
    [429, 'rate-limited'],
    [500, 'transient'],
    [503, 'transient'],
    [418, 'permanent'],
  ])('classifies the recipient status %d in a 202 as %s', async (httpStatusCode, kind) => {
    const json = value({ successful: false, httpStatusCode, messageId: null, errorMessage: 'no' });
    expect(await rig.answering({ status: 202, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it.each([
    ['without an id', value({ messageId: '' })],
    ['without a success flag', value({ successful: null })],
    ['without a recipient', { value: [] }],
  ])('reports an unknown outcome for a 202 %s', async (_, json) => {
    expect(await rig.answering({ status: 202, json })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('classifies an unsuccessful recipient without a status as permanent', async () => {
    const json = value({ successful: false, httpStatusCode: null, errorMessage: 'no' });
    expect(await rig.answering({ status: 202, json })).toMatchObject({ ok: false, kind: 'permanent', message: 'no' });
  });

  it('reports the error text', async () => {
    const json = { error: { code: 'InvalidRequest', message: 'no' } };
    expect(await rig.answering({ status: 400, json })).toMatchObject({ ok: false, kind: 'permanent', message: 'no' });
  });

  it('reads the phone numbers of the resource to check the credentials', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    const { method, path, headers } = rig.calls[0]!;
    expect([method, path]).toEqual(['GET', '/phoneNumbers?top=1&api-version=2022-12-01']);
    expect(headers.authorization).toContain(`&Signature=${signatureOf('GET', path, '')}`);
    rig.stage.fake.always('/', { status: 404 });
    expect(await rig.check()).toMatchObject({ ok: true });
  });

  describe('delivery events', () => {
    testSharedKeyVerification(azureSms);

    const TAG = '01234567-89ab-7def-8123-456789abcdef';
    const report = (data: JsonObject = {}, over: JsonObject = {}): JsonObject => ({
      id: 'event-1',
      topic: '/subscriptions/x',
      eventType: 'Microsoft.Communication.SMSDeliveryReportReceived',
      data: {
        messageId: 'Outgoing_1_noam',
        from: '+15550000000',
        to: '+15551234567',
        deliveryStatus: 'Delivered',
        deliveryStatusDetails: 'No error.',
        receivedTimestamp: '2026-01-01T12:00:05.5Z',
        tag: TAG,
        ...data,
      },
      eventTime: '2026-01-01T12:00:06Z',
      ...over,
    });
    const delivered = {
      id: 'event-1',
      kind: 'delivered',
      providerMessageId: 'Outgoing_1_noam',
      messageId: TAG,
      recipient: '+15551234567',
      at: new Date('2026-01-01T12:00:05.500Z'),
    };

    it('reads reports in the Event Grid and CloudEvents schemas', () => {
      const failed = report({ deliveryStatus: 'Failed', deliveryStatusDetails: 'Unreachable' }, { id: 'event-2' });
      const other = report({}, { eventType: 'Microsoft.Communication.SMSReceived' });
      expect(eventsOf(azureSms, inbound([report(), failed, other]))).toEqual([
        delivered,
        { ...delivered, id: 'event-2', kind: 'failed', reason: 'Unreachable' },
      ]);
      const cloud = { ...report(), type: 'Microsoft.Communication.SMSDeliveryReportReceived', eventType: undefined };
      expect(eventsOf(azureSms, inbound(cloud))).toEqual([delivered]);
    });

    it('derives an id for a report without one', () => {
      expect(eventsOf(azureSms, inbound([report({}, { id: null })]))).toEqual([
        { ...delivered, id: 'Outgoing_1_noam:Delivered' },
      ]);
    });

    it('ignores a tag that is not a message id of Clarion', () => {
      expect(eventsOf(azureSms, inbound([report({ tag: 'spring' })]))[0]).not.toHaveProperty('messageId');
    });

    it.each([
      '',
      '[]',
      '[null]',
      '{"id":"x"}',
      'nonsense',
      report({ deliveryStatus: 'constructor' }),
      report({ messageId: 7, deliveryStatus: null }),
      report({}, { data: null }),
    ])('returns no event for %j', (body) => {
      expect(eventsOf(azureSms, inbound(body))).toEqual([]);
    });

    it('answers the validation event of a new subscription', async () => {
      const body = [
        {
          id: 'x',
          eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
          data: { validationCode: 'code-1', validationUrl: 'https://evil.example/' },
        },
      ];
      const answer = await azureSms.events!.answer!(inbound(body), inboundContext('right'));
      expect(answer).toEqual({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"validationResponse":"code-1"}',
      });
      expect(eventsOf(azureSms, inbound(body))).toEqual([]);
      expect(await azureSms.events!.answer!(inbound([report()]), inboundContext('right'))).toBeUndefined();
      expect(await azureSms.events!.answer!(inbound('nonsense'), inboundContext('right'))).toBeUndefined();
    });
  });
});
