import { createHash } from 'node:crypto';
import { hmac } from '../events';
import {
  eventsOf,
  inbound,
  inboundContext,
  NOW,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { sms77 } from './sms77.provider';

describe('sms77', () => {
  const MESSAGE = { id: '77133879512', success: true, error: null, error_text: null, recipient: '15551234567' };

  const rig = testProviderContract(sms77, {
    credentials: { from: 'Clarion' },
    success: { json: { success: '100', total_price: 0.075, balance: 46.748, debug: 'false', messages: [MESSAGE] } },
    id: '77133879512',
    check: { json: { amount: 46.748, currency: 'EUR' } },
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    await rig.send({ content: 'Grüße 🙂' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/sms' });
    expect(rig.calls[0]!.headers).toMatchObject({
      'x-api-key': 'canary-api-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      to: '+15551234567',
      from: 'Clarion',
      text: 'Grüße 🙂',
      foreign_id: 'message-1',
      json: true,
    });
  });

  it('sends a key with a scheme as the authorization header', async () => {
    await rig.send({}, {}, { apiKey: 'Bearer canary-oauth' });
    expect(rig.calls[0]!.headers).toMatchObject({ authorization: 'Bearer canary-oauth' });
    expect(rig.calls[0]!.headers).not.toHaveProperty('x-api-key');
  });

  it('uses the sender of the message, applies overrides and ignores those of recipient and id', async () => {
    const result = await rig.send({ from: 'Own' }, { performanceTracking: true, ttl: 5, to: '1,2', foreignId: 'x' });
    expect(body()).toMatchObject({ to: '+15551234567', from: 'Own', performance_tracking: true, ttl: 5 });
    expect(body()).toMatchObject({ foreign_id: 'message-1' });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('to'), expect.stringContaining('foreignId')] });
  });

  const CODES = [
    ['201', 'recipient'],
    ['202', 'recipient'],
    ['300', 'credentials'],
    ['301', 'permanent'],
    ['305', 'content'],
    ['306', 'credentials'],
    ['400', 'content'],
    ['401', 'content'],
    ['403', 'permanent'],
    ['500', 'quota'],
    ['600', 'transient'],
    ['700', 'transient'],
    ['900', 'credentials'],
    ['902', 'credentials'],
    ['903', 'credentials'],
  ] as const;

  it.each(CODES)('classifies the bare code %s in a 200 as %s', async (text, kind) => {
    expect(await rig.answering({ text })).toMatchObject({ ok: false, kind, status: 200, message: `Code ${text}` });
  });

  it.each(CODES)('classifies code %s of the message as %s', async (error, kind) => {
    const messages = [{ ...MESSAGE, id: null, success: false, error, error_text: 'no' }];
    expect(await rig.answering({ json: { success: '101', messages } })).toMatchObject({
      ok: false,
      kind,
      message: 'no',
    });
  });

  it.each([
    [{ success: '900' }, 'credentials'],
    [{ success: '100', messages: [{ ...MESSAGE, success: false }] }, 'unknown-outcome'],
    [{ success: '100', messages: [{ ...MESSAGE, id: null }] }, 'unknown-outcome'],
    [{ success: '100' }, 'unknown-outcome'],
    [{ messages: [MESSAGE] }, 'unknown-outcome'],
  ])('rejects %j as %s', async (json, kind) => {
    expect(await rig.answering({ json })).toMatchObject({ ok: false, kind });
  });

  it('counts a duplicate that was not sent again as sent and adds a warning', async () => {
    const warnings = [expect.stringContaining('a moment ago')];
    expect(await rig.answering({ text: '402' })).toMatchObject({ ok: true, warnings });
    const messages = [{ ...MESSAGE, id: null, success: false, error: '402' }];
    expect(await rig.answering({ json: { success: '402', messages } })).toMatchObject({ ok: true, warnings });
    expect(await rig.answering({ status: 402, text: '402' })).toMatchObject({ ok: false, kind: 'quota' });
  });

  describe('check', () => {
    it('reads the balance to check the credentials', async () => {
      await rig.check();
      expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/balance' });
      expect(rig.calls[0]!.headers).toMatchObject({ 'x-api-key': 'canary-api-key' });
    });

    it('fails the check for an error code or an HTML page in a 200', async () => {
      rig.stage.fake.always('/', { text: '900' });
      expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials' });
      rig.stage.fake.always('/', { text: '<html>' });
      expect(await rig.check()).toMatchObject({ ok: false });
    });

    it('passes the check when there is no balance endpoint', async () => {
      rig.stage.fake.always('/', { status: 404 });
      expect(await rig.check()).toMatchObject({ ok: true });
    });
  });

  describe('delivery events', () => {
    const URL_CALLED = 'https://clarion.example/hook?a=b';
    const REPORT = {
      data: { msg_id: '77133879512', status: 'DELIVERED', timestamp: '2026-01-01 11:58:00' },
      webhook_event: 'dlr',
      webhook_timestamp: '2026-01-01 11:58:01',
    };
    const text = JSON.stringify(REPORT);
    const TIME = String(NOW.getTime() / 1000);
    const signatureOf = (timestamp: string): string => {
      const digest = createHash('md5').update(text).digest('hex');
      return hmac('sha256', 'key', `${timestamp}\nnonce\nPOST\n${URL_CALLED}\n${digest}`);
    };
    const signed = (signature: string, timestamp = TIME) => ({
      url: URL_CALLED,
      headers: { 'x-signature': signature, 'x-nonce': 'nonce', 'x-timestamp': timestamp },
    });

    testSharedKeyVerification(sms77);

    it('accepts the signature of the account', async () => {
      expect(await verdictOf(sms77, inbound(text, signed(signatureOf(TIME))), inboundContext('key'))).toBe(true);
    });

    it('rejects a report that is altered, for another URL, old or signed with another key', async () => {
      const call = signed(signatureOf(TIME));
      expect(await verdictOf(sms77, inbound('{}', call), inboundContext('key'))).toBe(false);
      expect(await verdictOf(sms77, inbound(text, { ...call, url: `${URL_CALLED}c` }), inboundContext('key'))).toBe(
        false,
      );
      expect(await verdictOf(sms77, inbound(text, call), inboundContext('other'))).toBe(false);
      expect(await verdictOf(sms77, inbound(text, call), inboundContext())).toBe(false);
      const old = String(NOW.getTime() / 1000 - 301);
      expect(
        await sms77.events!.verify(inbound(text, signed(signatureOf(old), old)), inboundContext('key')),
      ).toMatchObject({
        ok: false,
        reason: expect.stringContaining('time') as string,
      });
    });

    it.each([
      ['ACCEPTED', 'sent'],
      ['TRANSMITTED', 'sent'],
      ['BUFFERED', 'deferred'],
      ['DELIVERED', 'delivered'],
      ['NOTDELIVERED', 'bounced'],
      ['EXPIRED', 'failed'],
      ['FAILED', 'failed'],
      ['REJECTED', 'rejected'],
    ])('maps the status %s to the event %s', (status, kind) => {
      expect(
        eventsOf(sms77, inbound({ ...REPORT, data: { ...REPORT.data, status, foreign_id: 'message-1' } })),
      ).toEqual([
        {
          id: `77133879512:${status}:2026-01-01 11:58:00`,
          kind,
          providerMessageId: '77133879512',
          messageId: 'message-1',
          at: new Date('2026-01-01T11:58:00Z'),
        },
      ]);
    });

    it('skips other events and an unknown status', () => {
      expect(eventsOf(sms77, inbound({ ...REPORT, webhook_event: 'sms_mo' }))).toEqual([]);
      expect(eventsOf(sms77, inbound({ ...REPORT, data: { ...REPORT.data, status: 'UNKNOWN' } }))).toEqual([]);
    });

    testUnreadableEvents(sms77);
  });
});
