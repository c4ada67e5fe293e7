import type { JsonObject } from '@clarion/contracts';
import { hmac } from '../events';
import {
  eventsOf,
  inbound,
  inboundContext,
  NOW,
  testProviderContract,
  testSharedKeyVerification,
  verdictOf,
} from '../../test/contract';
import { SMS } from '../../test/samples';
import { sinch } from './sinch.provider';

describe('Sinch', () => {
  const OWN = { servicePlanId: 'plan/1', apiToken: 'canary-api-token', region: 'eu', from: '+15550000000' };
  const rig = testProviderContract(sinch, {
    credentials: OWN,
    success: {
      status: 201,
      json: { id: '01FC66621XXXXX119Z8PMV1QPQ', to: ['15551234567'], created_at: '2026-01-01T12:00:01.000Z' },
    },
    id: '01FC66621XXXXX119Z8PMV1QPQ',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a batch with one message', async () => {
    expect(await rig.send({ content: 'Grüße ✓' })).toMatchObject({
      ok: true,
      id: '01FC66621XXXXX119Z8PMV1QPQ',
      date: new Date('2026-01-01T12:00:01Z'),
    });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/xms/v1/plan%2F1/batches' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-token',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      from: '+15550000000',
      to: ['+15551234567'],
      body: 'Grüße ✓',
      client_reference: 'message-1',
    });
  });

  it('requests a report when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    await sinch.send(SMS, OWN, { ...rig.stage.context('sinch'), callbackUrl });
    expect(json()).toMatchObject({ delivery_report: 'per_recipient', callback_url: callbackUrl });
  });

  it('applies overrides and ignores an override of the recipient', async () => {
    const result = await rig.send({}, { expireAt: '2026-01-02T00:00:00Z', flash_message: true, to: ['1'] });
    expect(json()).toMatchObject({ expire_at: '2026-01-02T00:00:00Z', flash_message: true, to: ['+15551234567'] });
    expect(result).toMatchObject({ warnings: [expect.stringContaining(' to;')] });
  });

  it.each([
    [{ servicePlanId: undefined, accountSid: 'sid', applicationId: 'app' }, 'sid'],
    [{ servicePlanId: undefined, accountSid: undefined, applicationId: 'app' }, 'app'],
  ])('reads the service plan from %j', async (own, plan) => {
    await rig.send({}, {}, own);
    expect(rig.calls[0]!.path).toBe(`/xms/v1/${plan}/batches`);
  });

  it.each(['eu', 'us', 'au', 'br', 'ca', ' US '])('calls the host of the region %s', async (region) => {
    const request = jest.fn(() => Promise.resolve({ status: 500, headers: {}, body: Buffer.alloc(0) }));
    const context = { ...rig.stage.context('sinch'), http: { request, addressOf: (url: string) => url } };
    await sinch.send(SMS, { ...OWN, region }, context);
    const host = `${region.trim().toLowerCase()}.sms.api.sinch.com`;
    expect(request).toHaveBeenCalledWith(expect.objectContaining({ url: `https://${host}/xms/v1/plan%2F1/batches` }));
  });

  it.each(['', 'de', 'evil.example/', 'eu.evil.example#', '__proto__'])('rejects the region %p', async (region) => {
    expect(await rig.send({}, {}, { region })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(await rig.check({ region })).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.calls).toEqual([]);
  });

  it.each([
    [400, { code: 'syntax_invalid_json', text: 'no' }, 'content'],
    [400, { code: 'syntax_invalid_parameter_format', text: 'no' }, 'content'],
    [400, { code: 'syntax_constraint_violation', text: 'no' }, 'content'],
    [403, { code: 'missing_callback_url', text: 'no' }, 'content'],
    [403, { code: 'illegal_number_type', text: 'no' }, 'recipient'],
    [403, { code: 'blocked_account', text: 'no' }, 'credentials'],
    [400, { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }, 'permanent'],
    [404, { code: 'constructor', text: 'no' }, 'permanent'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the batches to check the credentials', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/xms/v1/plan%2F1/batches?page_size=1' });
    expect(rig.calls[0]!.headers.authorization).toBe('Bearer canary-api-token');
  });

  describe('delivery events', () => {
    testSharedKeyVerification(sinch);

    const time = NOW.getTime() / 1000;
    const signed = (body: string, at: number | string = time, key = 'right') =>
      inbound(body, {
        headers: {
          'x-sinch-webhook-signature': hmac('sha256', key, `${body}.nonce-1.${at}`, 'base64'),
          'x-sinch-webhook-signature-nonce': 'nonce-1',
          'x-sinch-webhook-signature-timestamp': String(at),
          'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
        },
      });

    it.each([
      ['accepts a valid signature', signed('{"a":"ü"}'), 'right', true],
      ['rejects a signature with another key', signed('{}', time, 'wrong'), 'right', false],
      ['rejects an old signature', signed('{}', time - 301), 'right', false],
      ['rejects a signature without a time', signed('{}', ''), 'right', false],
      ['rejects a signature of another body', { ...signed('{}'), body: Buffer.from('{"a":1}') }, 'right', false],
      ['rejects a signature when no key is set', signed('{}', time, ''), undefined, false],
      [
        'rejects a wrong signature even if the URL has the key',
        { ...signed('{}', time, 'wrong'), url: 'https://clarion.example/hook?token=right' },
        'right',
        false,
      ],
    ])('%s', async (_, call, key, isGenuine) => {
      expect(await verdictOf(sinch, call, inboundContext(key))).toBe(isGenuine);
    });

    const MESSAGE_ID = '01234567-89ab-7def-8123-456789abcdef';
    const report = (over: JsonObject = {}): JsonObject => ({
      type: 'recipient_delivery_report_sms',
      batch_id: 'batch-1',
      recipient: '15551234567',
      code: 0,
      status: 'Delivered',
      at: '2026-01-01T12:00:05.000Z',
      client_reference: MESSAGE_ID,
      ...over,
    });

    it('reads a report about one recipient', () => {
      const [event, ...others] = eventsOf(sinch, inbound(report()));
      expect([event, others]).toEqual([
        {
          id: expect.stringContaining('batch-1') as string,
          kind: 'delivered',
          providerMessageId: 'batch-1',
          messageId: MESSAGE_ID,
          recipient: '15551234567',
          at: new Date('2026-01-01T12:00:05Z'),
        },
        [],
      ]);
      expect(eventsOf(sinch, inbound(report()))).toEqual([event]);
      expect(eventsOf(sinch, inbound(report({ status: 'Failed' })))[0]!.id).not.toBe(event!.id);
    });

    it('reads a report without a type', () => {
      expect(eventsOf(sinch, inbound(report({ type: null })))).toEqual(eventsOf(sinch, inbound(report())));
    });

    it('reads a report about the whole batch', () => {
      const whole = {
        type: 'delivery_report_sms',
        batch_id: 'batch-1',
        total_message_count: 1,
        statuses: [{ code: 402, status: 'Aborted', count: 1, recipients: ['15551234567'] }, null, 'x'],
      };
      expect(eventsOf(sinch, inbound(whole))).toEqual([
        {
          id: expect.any(String) as string,
          kind: 'rejected',
          providerMessageId: 'batch-1',
          recipient: '15551234567',
          reason: 'Code 402',
        },
      ]);
    });

    it.each([
      ['Dispatched', 401, 'sent', undefined],
      ['Delivered', 0, 'delivered', undefined],
      ['Failed', 5, 'failed', 'Code 5'],
      ['Expired', 406, 'failed', 'Code 406'],
      ['Deleted', 5, 'bounced', 'Code 5'],
      ['Rejected', 408, 'rejected', 'Code 408'],
      ['Aborted', 402, 'rejected', 'Code 402'],
      ['Cancelled', 407, 'rejected', 'Code 407'],
    ])('maps the status %s with code %d to the event %s', (status, code, kind, reason) => {
      const [event] = eventsOf(sinch, inbound(report({ status, code })));
      expect(event).toMatchObject({ kind });
      expect(event!.reason).toBe(reason);
      expect(event).not.toHaveProperty('isPermanent');
    });

    it.each([
      '',
      'nonsense',
      'null',
      '[null]',
      '{}',
      report({ status: 'Queued' }),
      report({ status: 'Unknown' }),
      report({ status: 'constructor' }),
      report({ batch_id: null }),
      report({ type: 'mo_text' }),
      report({ statuses: 'x' }),
    ])('returns no event for %j', (body) => {
      expect(eventsOf(sinch, inbound(body))).toEqual([]);
    });
  });
});
