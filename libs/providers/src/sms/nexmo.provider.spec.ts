import { createHash, createHmac } from 'node:crypto';
import { basic } from '../call';
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
import { CREDENTIALS, SMS } from '../../test/samples';
import { nexmo } from './nexmo.provider';

describe('Nexmo', () => {
  const rig = testProviderContract(nexmo, {
    credentials: { from: 'Clarion' },
    success: { json: { 'message-count': '1', messages: [{ status: '0', 'message-id': '0A01', to: '15551234567' }] } },
    id: '0A01',
  });
  const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(rig.calls[0]!.body));

  it('posts a message as a form with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: '0A01' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/sms/json' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('canary-api-key', 'canary-secret-key'),
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form()).toEqual({ to: '15551234567', from: 'Clarion', text: 'hi', 'client-ref': 'message-1' });
  });

  it('uses the sender of the message, applies overrides and ignores those of recipient and key', async () => {
    const result = await rig.send({ from: 'Own' }, { messageClass: 0, ttl: 90_000, to: '1', api_key: 'x' });
    expect(form()).toMatchObject({ to: '15551234567', from: 'Own', 'message-class': '0', ttl: '90000' });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('to'), expect.stringContaining('api_key')] });
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook?token=canary-key';
    await nexmo.send(SMS, CREDENTIALS, { ...rig.stage.context('nexmo'), callbackUrl });
    expect(form()).toMatchObject({ callback: callbackUrl });
  });

  it.each([
    ['plain, with ä and €', undefined],
    ['Привет', 'unicode'],
    ['🙂', 'unicode'],
    ['`', 'unicode'],
  ])('sends %p with the type %p', async (content, type) => {
    await rig.send({ content });
    expect(form()).toMatchObject({ text: content });
    expect(form()['type']).toBe(type);
  });

  it.each([
    ['1', 'rate-limited'],
    ['2', 'permanent'],
    ['3', 'permanent'],
    ['4', 'credentials'],
    ['5', 'transient'],
    ['6', 'content'],
    ['7', 'recipient'],
    ['8', 'credentials'],
    ['9', 'quota'],
    ['10', 'rate-limited'],
    ['11', 'credentials'],
    ['12', 'content'],
    ['14', 'credentials'],
    ['15', 'credentials'],
    ['22', 'content'],
    ['23', 'content'],
    ['29', 'recipient'],
    ['32', 'credentials'],
    ['33', 'recipient'],
  ])('classifies the status %s of one part in a 200 as %s', async (status, kind) => {
    const messages = [
      { status: '0', 'message-id': 'a' },
      { status, 'error-text': 'no' },
    ];
    const result = await rig.answering({ json: { 'message-count': '2', messages } });
    expect(result).toMatchObject({ ok: false, kind, message: 'no', status: 200 });
  });

  it('reads the balance to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/account/get-balance' });
    expect(rig.calls[0]!.headers.authorization).toBe(basic('canary-api-key', 'canary-secret-key'));
  });

  it.each([
    [404, true],
    [405, true],
    [400, false],
    [500, false],
  ])('reads a %d to the check as passed: %p', async (status, ok) => {
    rig.stage.fake.always('/', { status });
    expect(await rig.check()).toMatchObject({ ok });
  });

  describe('delivery events', () => {
    const REPORT = {
      msisdn: '15551234567',
      to: 'Clarion',
      'network-code': '310090',
      messageId: '0A01',
      price: '0.03',
      status: 'delivered',
      scts: '2601011158',
      'err-code': '0',
      'api-key': 'abcd',
      'client-ref': 'message-1',
      'message-timestamp': '2026-01-01 11:58:00',
      timestamp: String(NOW.getTime() / 1000),
      nonce: 'a & b = c',
      empty: '',
    };
    const text =
      '&api-key=abcd&client-ref=message-1&empty=&err-code=0&message-timestamp=2026-01-01 11:58:00&messageId=0A01' +
      '&msisdn=15551234567&network-code=310090&nonce=a _ b _ c&price=0.03&scts=2601011158&status=delivered' +
      `&timestamp=${NOW.getTime() / 1000}&to=Clarion`;
    const hmacBy = (digest: string): string => createHmac(digest, 'key').update(text).digest('hex');
    const signed = (sig: string, more: object = {}) => inbound({ ...REPORT, ...more, sig });

    testSharedKeyVerification(nexmo);

    it.each([
      createHash('md5').update(`${text}key`).digest('hex'),
      hmacBy('md5'),
      hmacBy('sha1').toUpperCase(),
      hmacBy('sha256'),
      hmacBy('sha512'),
    ])('accepts a report with the signature %s', async (sig) => {
      expect(await verdictOf(nexmo, signed(sig), inboundContext('key'))).toBe(true);
      const query = new URLSearchParams({ ...REPORT, sig }).toString();
      const url = `https://clarion.example/hook?${query}`;
      expect(await verdictOf(nexmo, inbound('', { method: 'GET', url }), inboundContext('key'))).toBe(true);
      expect(await verdictOf(nexmo, inbound(query), inboundContext('key'))).toBe(true);
    });

    it('rejects a report that is altered, old or signed with another key', async () => {
      const sig = hmacBy('sha256');
      expect(await verdictOf(nexmo, signed(sig, { status: 'failed' }), inboundContext('key'))).toBe(false);
      expect(await verdictOf(nexmo, signed(sig), inboundContext('other'))).toBe(false);
      expect(await verdictOf(nexmo, signed(sig), inboundContext())).toBe(false);
      const late = { ...inboundContext('key'), now: () => new Date(NOW.getTime() + 301_000) };
      expect(await nexmo.events!.verify(signed(sig), late)).toMatchObject({
        ok: false,
        reason: expect.stringContaining('time') as string,
      });
    });

    it.each([
      ['accepted', '0', 'sent'],
      ['buffered', '0', 'deferred'],
      ['delivered', '0', 'delivered'],
      ['expired', '1', 'failed'],
      ['failed', '8', 'failed'],
      ['rejected', '6', 'rejected'],
    ])('maps the status %s with error code %s to the event %s', (status, code, kind) => {
      expect(eventsOf(nexmo, inbound({ ...REPORT, status, 'err-code': code }))).toEqual([
        {
          id: `0A01:${status}:2026-01-01 11:58:00`,
          kind,
          providerMessageId: '0A01',
          messageId: 'message-1',
          recipient: '15551234567',
          at: new Date('2026-01-01T11:58:00Z'),
          ...(code !== '0' && { reason: `err-code ${code}` }),
        },
      ]);
    });

    it('reads a time with a zone', () => {
      const call = inbound({ ...REPORT, 'message-timestamp': '2026-01-01 12:58:00 +0100' });
      expect(eventsOf(nexmo, call)).toMatchObject([{ at: new Date('2026-01-01T11:58:00Z') }]);
    });

    it.each(['3', '9'])('turns a failure with code %s into a permanent bounce', (code) => {
      const call = inbound({ ...REPORT, status: 'failed', 'err-code': code });
      expect(eventsOf(nexmo, call)).toMatchObject([{ kind: 'bounced', isPermanent: true }]);
    });

    it('skips an unknown status and a report without a message', () => {
      expect(eventsOf(nexmo, inbound({ ...REPORT, status: 'unknown' }))).toEqual([]);
      expect(eventsOf(nexmo, inbound({ status: 'delivered' }))).toEqual([]);
    });

    testUnreadableEvents(nexmo);
  });
});
