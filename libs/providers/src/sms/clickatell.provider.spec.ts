import {
  eventsOf,
  inbound,
  inboundContext,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { clickatell } from './clickatell.provider';

describe('Clickatell', () => {
  const rig = testProviderContract(clickatell, {
    credentials: { from: '' },
    success: {
      status: 202,
      json: { messages: [{ apiMessageId: 'af750c2d', accepted: true, to: '15551234567', error: null }], error: null },
    },
    id: 'af750c2d',
    check: { json: { balance: 1267.9, currency: 'ZAR' } },
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts JSON with the bare key in the header', async () => {
    await rig.send({ content: 'Grüße 🙂' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'canary-api-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      content: 'Grüße 🙂',
      to: ['15551234567'],
      clientMessageId: 'message-1',
      charset: 'UTF-8',
    });
  });

  it('uses the sender of the message, applies overrides and ignores those of the recipient', async () => {
    const result = await rig.send({ from: '15550000000' }, { validity_period: 10, to: ['1'], clientMessageId: 'x' });
    expect(body()).toMatchObject({ from: '15550000000', to: ['15551234567'], validityPeriod: 10 });
    expect(body()).toMatchObject({ clientMessageId: 'message-1' });
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('to'), expect.stringContaining('clientMessageId')],
    });
  });

  it.each([
    ['001', 'credentials'],
    ['105', 'recipient'],
    ['106', 'credentials'],
    ['108', 'credentials'],
    ['113', 'content'],
    ['122', 'recipient'],
    ['301', 'quota'],
    ['901', 'transient'],
    ['777', 'permanent'],
  ])('classifies code %s in a 202 as %s', async (errorCode, kind) => {
    const messages = [{ apiMessageId: null, accepted: false, errorCode, error: 'no', errorDescription: 'not so' }];
    expect(await rig.answering({ status: 202, json: { messages } })).toMatchObject({
      ok: false,
      kind,
      message: 'not so',
    });
  });

  it.each([
    [200, { messages: [{ apiMessageId: 'a', accepted: false, error: 'No.' }] }, 'permanent', 'No.'],
    [
      202,
      { messages: [{ accepted: false, error: { code: 105, description: 'Bad number' } }] },
      'recipient',
      'Bad number',
    ],
    [202, { messages: [], error: 'Invalid key', errorCode: 108 }, 'credentials', 'Invalid key'],
    [400, { error: { code: 301, description: 'No credit' } }, 'quota', 'No credit'],
    [400, { error: 'Bad' }, 'permanent', 'Bad'],
    [402, {}, 'quota', undefined],
    [202, { messages: [{ accepted: true }] }, 'unknown-outcome', undefined],
  ])('classifies a %d with %j as %s', async (status, json, kind, message) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, ...(message && { message }) });
  });

  it('reads the balance to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/public-client/balance' });
    expect(rig.calls[0]!.headers.authorization).toBe('canary-api-key');
  });

  describe('delivery events', () => {
    const REPORT = {
      apiKey: 'canary-api-key',
      messageId: 'af750c2d',
      requestId: 'r',
      clientMessageId: 'message-1',
      to: '15551234567',
      from: '',
      status: 'RECEIVED_BY_RECIPIENT',
      statusDescription: 'Message received by recipient',
      timestamp: 1767268680000,
    };

    testSharedKeyVerification(clickatell);

    it('accepts a report with the API key of the integration', async () => {
      const context = inboundContext(undefined, { apiKey: 'canary-api-key' });
      expect(await verdictOf(clickatell, inbound(REPORT), context)).toBe(true);
      expect(await verdictOf(clickatell, inbound({ ...REPORT, apiKey: 'other' }), context)).toBe(false);
      expect(await verdictOf(clickatell, inbound({ apiKey: '' }), inboundContext(undefined, { apiKey: '' }))).toBe(
        false,
      );
    });

    it.each([
      ['QUEUED_AT_GATEWAY', 'deferred'],
      ['DELIVERED_TO_GATEWAY', 'sent'],
      ['RECEIVED_BY_RECIPIENT', 'delivered'],
      ['ROUTING_ERROR', 'failed'],
      ['EXPIRED', 'failed'],
      ['ERROR', 'failed'],
      ['DELIVERY_FAILURE', 'bounced'],
      ['STOPPED_BY_ADMIN', 'rejected'],
    ])('maps the status %s to the event %s', (status, kind) => {
      expect(eventsOf(clickatell, inbound({ ...REPORT, status }))).toEqual([
        {
          id: `af750c2d:${status}:1767268680000`,
          kind,
          providerMessageId: 'af750c2d',
          messageId: 'message-1',
          recipient: '15551234567',
          at: new Date('2026-01-01T11:58:00Z'),
          reason: 'Message received by recipient',
        },
      ]);
    });

    it('turns a number that does not exist into a permanent bounce', () => {
      const call = inbound([{ ...REPORT, status: 'RECIPIENT_DOES_NOT_EXIST' }]);
      expect(eventsOf(clickatell, call)).toMatchObject([{ kind: 'bounced', isPermanent: true }]);
    });

    it('skips an unknown status', () => {
      expect(eventsOf(clickatell, inbound({ ...REPORT, status: 'SCHEDULED' }))).toEqual([]);
    });

    testUnreadableEvents(clickatell);
  });
});
