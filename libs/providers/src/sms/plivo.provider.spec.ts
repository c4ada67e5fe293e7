import { basic } from '../call';
import { hmac } from '../events';
import {
  eventsOf,
  inbound,
  inboundContext,
  testProviderContract,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { plivo } from './plivo.provider';

describe('Plivo', () => {
  const rig = testProviderContract(plivo, {
    credentials: { accountSid: 'MA/1', from: '+15550000000' },
    success: { status: 202, json: { api_id: 'a', message: 'message(s) queued', message_uuid: ['uuid-1'] } },
    id: 'uuid-1',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts JSON to the account', async () => {
    await rig.send({ content: 'Grüße 🙂' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v1/Account/MA%2F1/Message/' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('MA/1', 'canary-token'),
      'content-type': 'application/json',
    });
    expect(body()).toEqual({ src: '+15550000000', dst: '+15551234567', text: 'Grüße 🙂' });
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook';
    await plivo.send(SMS, CREDENTIALS, { ...rig.stage.context('plivo'), callbackUrl });
    expect(body()).toMatchObject({ url: callbackUrl, method: 'POST' });
  });

  it('uses the sender of the message, applies overrides and ignores an override of the recipient', async () => {
    const result = await rig.send({ from: 'Own', customData: { dltEntityId: 'e' } }, { log: false, dst: '1<2' });
    expect(body()).toEqual({ src: 'Own', dst: '+15551234567', text: 'hi', dlt_entity_id: 'e', log: false });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('dst')] });
  });

  it('sends no sender when a powerpack is set', async () => {
    await rig.send({}, { powerpackUuid: 'p-1' });
    expect(body()).toEqual({ dst: '+15551234567', text: 'hi', powerpack_uuid: 'p-1' });
  });

  it.each([
    [400, { error: 'src parameter not present' }, 'permanent', 'src parameter not present'],
    [401, { error: 'authentication_failed' }, 'credentials', 'authentication_failed'],
    [402, { error: 'no credit' }, 'quota', 'no credit'],
    [404, { error: 'not found' }, 'permanent', 'not found'],
    [202, { error: 'surprise' }, 'permanent', 'surprise'],
    [202, { message: 'message(s) queued', message_uuid: [] }, 'unknown-outcome', undefined],
    [202, { message: 'message(s) queued', message_uuid: [], invalid_number: ['1'] }, 'recipient', undefined],
  ])('classifies a %d with %j as %s', async (status, json, kind, message) => {
    const result = await rig.answering({ status, json: { api_id: 'a', ...json } });
    expect(result).toMatchObject({ ok: false, kind, ...(message !== undefined && { message }) });
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v1/Account/MA%2F1/' });
  });

  describe('delivery events', () => {
    const URL_CALLED = 'https://clarion.example/hook';
    const signature = hmac('sha256', 'canary-token', `${URL_CALLED}05429567804466091622`, 'base64');
    const context = inboundContext(undefined, { token: 'canary-token' });
    const signed = (headers: Record<string, string>, url = `${URL_CALLED}?a=b`) =>
      inbound('Status=sent', { url, headers: { 'x-plivo-signature-v2-nonce': '05429567804466091622', ...headers } });

    it('accepts a signature of the account or of its main account', async () => {
      expect(await verdictOf(plivo, signed({ 'x-plivo-signature-v2': signature }), context)).toBe(true);
      expect(await verdictOf(plivo, signed({ 'x-plivo-signature-ma-v2': signature }), context)).toBe(true);
    });

    it('rejects a call without a signature, for another URL or with another token', async () => {
      const right = { 'x-plivo-signature-v2': signature };
      expect(await verdictOf(plivo, signed({}), context)).toBe(false);
      expect(await verdictOf(plivo, signed({ ...right, 'x-plivo-signature-v2-nonce': '1' }), context)).toBe(false);
      expect(await verdictOf(plivo, signed(right, 'https://clarion.example/other'), context)).toBe(false);
      expect(await verdictOf(plivo, signed(right), inboundContext(undefined, { token: 'other' }))).toBe(false);
      expect(await verdictOf(plivo, signed(right), inboundContext('canary-token'))).toBe(false);
      const bare = hmac('sha256', 'canary-token', URL_CALLED, 'base64');
      const call = inbound('', { url: URL_CALLED, headers: { 'x-plivo-signature-v2': bare } });
      expect(await verdictOf(plivo, call, context)).toBe(false);
    });

    const REPORT = {
      MessageUUID: 'uuid-1',
      To: '15551234567',
      From: '15550000000',
      Type: 'sms',
      SentTime: '2026-01-01 11:58:00.123456',
    };

    it.each([
      ['sent', 'sent'],
      ['delivered', 'delivered'],
      ['undelivered', 'bounced'],
      ['failed', 'failed'],
      ['rejected', 'rejected'],
      ['read', 'read'],
    ])('maps the status %s to the event %s', (Status, kind) => {
      const form = new URLSearchParams({ ...REPORT, Status }).toString();
      const expected = [
        {
          id: `uuid-1:${Status}`,
          kind,
          providerMessageId: 'uuid-1',
          recipient: '15551234567',
          at: new Date('2026-01-01T11:58:00.123Z'),
        },
      ];
      expect(eventsOf(plivo, inbound(form))).toEqual(expected);
      expect(eventsOf(plivo, inbound('', { method: 'GET', url: `${URL_CALLED}?${form}` }))).toEqual(expected);
    });

    it("prefers the time of the carrier's report", () => {
      const form = new URLSearchParams({
        ...REPORT,
        Status: 'delivered',
        DeliveryReportTime: '2026-01-01 11:59:00.000000',
      });
      expect(eventsOf(plivo, inbound(form.toString()))).toMatchObject([{ at: new Date('2026-01-01T11:59:00Z') }]);
    });

    it.each([
      ['50', true],
      ['70', true],
      ['80', undefined],
      ['30', undefined],
      ['200', undefined],
    ])('treats the error %s as permanent: %s', (ErrorCode, isPermanent) => {
      const form = new URLSearchParams({ ...REPORT, Status: 'failed', ErrorCode }).toString();
      const [event] = eventsOf(plivo, inbound(form));
      expect(event).toMatchObject({ kind: isPermanent ? 'bounced' : 'failed', reason: `Error code ${ErrorCode}` });
      expect(event!.isPermanent).toBe(isPermanent);
    });

    it('skips a queued status', () => {
      expect(eventsOf(plivo, inbound('MessageUUID=uuid-1&Status=queued'))).toEqual([]);
    });

    testUnreadableEvents(plivo);
  });
});
