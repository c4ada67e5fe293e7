import { generateKeyPairSync, sign } from 'node:crypto';
import {
  eventsOf,
  inbound,
  inboundContext,
  NOW,
  testProviderContract,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { telnyx } from './telnyx.provider';

describe('Telnyx', () => {
  const rig = testProviderContract(telnyx, {
    credentials: { messageProfileId: 'profile/1', from: '+15550000000' },
    success: {
      json: {
        data: {
          record_type: 'message',
          id: '40385f64-5717-4562-b3fc-2c963f66afa6',
          to: [{ phone_number: '+15551234567', status: 'queued' }],
          received_at: '2026-01-01T11:59:59.500Z',
          errors: [],
        },
      },
    },
    id: '40385f64-5717-4562-b3fc-2c963f66afa6',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    const result = await rig.send({ content: 'Grüße 🙂' });
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T11:59:59.500Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v2/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      from: '+15550000000',
      to: '+15551234567',
      text: 'Grüße 🙂',
      messaging_profile_id: 'profile/1',
    });
  });

  it.each([
    ['15551234567', '+15551234567'],
    ['12345', '12345'],
  ])('sends to %s as %s', async (to, written) => {
    await rig.send({ to });
    expect(body()).toMatchObject({ to: written });
  });

  it('requests reports when the integration has a callback URL', async () => {
    const callbackUrl = 'https://clarion.example/hook';
    await telnyx.send(SMS, CREDENTIALS, { ...rig.stage.context('telnyx'), callbackUrl });
    expect(body()).toMatchObject({ webhook_url: callbackUrl });
  });

  it('uses the sender of the message, applies overrides and ignores those of recipient and profile', async () => {
    const overrides = {
      useProfileWebhooks: false,
      media_urls: ['https://x.example/a'],
      to: '+1',
      messagingProfileId: 'x',
    };
    const result = await rig.send({ from: 'Own' }, overrides);
    expect(body()).toEqual({
      from: 'Own',
      to: '+15551234567',
      text: 'hi',
      messaging_profile_id: 'profile/1',
      use_profile_webhooks: false,
      media_urls: ['https://x.example/a'],
    });
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('to'), expect.stringContaining('messagingProfileId')],
    });
  });

  it.each([
    [500, '10007', 'transient'],
    [400, '10011', 'rate-limited'],
    [401, '10009', 'credentials'],
    [400, '10015', 'permanent'],
    [400, '40300', 'recipient'],
    [400, '40302', 'content'],
    [400, '40305', 'credentials'],
    [400, '40309', 'credentials'],
    [400, '40310', 'recipient'],
    [400, '40312', 'credentials'],
    [400, '40314', 'credentials'],
    [400, '40318', 'rate-limited'],
    [400, '40320', 'transient'],
    [400, '40322', 'content'],
    [400, '40333', 'quota'],
  ])('classifies a %d with code %s as %s', async (status, code, kind) => {
    const json = { errors: [{ code, title: 'No', detail: 'Not like this' }] };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'Not like this' });
  });

  it.each([
    ['40002', 'transient'],
    ['40003', 'permanent'],
    ['40004', 'transient'],
    ['40006', 'transient'],
    ['40011', 'rate-limited'],
  ])('classifies code %s, which usually occurs in reports, as %s', async (code, kind) => {
    const json = { errors: [{ code, title: 'Spam', detail: 'Not now' }] };
    expect(await rig.answering({ status: 400, json })).toMatchObject({ ok: false, kind, message: 'Not now' });
  });

  it.each([
    [
      { to: [{ status: 'sending_failed' }], errors: [{ code: '40310', title: 'Bad number' }] },
      'recipient',
      'Bad number',
    ],
    [{ to: [{ status: 'delivery_failed' }], errors: [] }, 'permanent', 'delivery_failed'],
  ])('classifies a failure in a 200 with %j as %s', async (data, kind, message) => {
    expect(await rig.answering({ json: { data: { id: 'a', ...data } } })).toMatchObject({ ok: false, kind, message });
  });

  describe('check', () => {
    it('reads the messaging profile to check the credentials', async () => {
      await rig.check();
      expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v2/messaging_profiles/profile%2F1' });
      expect(rig.calls[0]!.headers.authorization).toBe('Bearer canary-api-key');
    });

    it.each([
      [404, { errors: [{ code: '10005', title: 'Resource not found' }] }, 'Resource not found'],
      [200, { data: { enabled: false } }, 'The messaging profile is disabled'],
    ])('fails the check for a %d with %j', async (status, json, message) => {
      rig.stage.fake.always('/', { status, json });
      expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message });
    });

    it('passes the check when there is no endpoint for profiles', async () => {
      rig.stage.fake.always('/', { status: 404, text: 'Not Found' });
      expect(await rig.check()).toMatchObject({ ok: true });
    });
  });

  describe('delivery events', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
    const REPORT = {
      data: {
        record_type: 'event',
        event_type: 'message.finalized',
        id: 'event-1',
        occurred_at: '2026-01-01T11:58:00.000Z',
        payload: {
          id: 'message-a',
          direction: 'outbound',
          to: [{ phone_number: '+15551234567', status: 'delivered' }],
          errors: [] as object[],
        },
      },
      meta: { attempt: 1 },
    };
    const signed = (text = JSON.stringify(REPORT), timestamp = String(NOW.getTime() / 1000)) =>
      inbound(text, {
        headers: {
          'telnyx-timestamp': timestamp,
          'telnyx-signature-ed25519': sign(null, Buffer.from(`${timestamp}|${text}`), privateKey).toString('base64'),
        },
      });

    it('accepts the signature of the account for each format of its public key', async () => {
      expect(await verdictOf(telnyx, signed(), inboundContext(key))).toBe(true);
      const der = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
      const pem = String(publicKey.export({ format: 'pem', type: 'spki' }));
      expect(await verdictOf(telnyx, signed(), inboundContext(der))).toBe(true);
      expect(await verdictOf(telnyx, signed(), inboundContext(pem))).toBe(true);
    });

    it('rejects a report that is altered, old or signed with another key', async () => {
      const altered = { ...signed(), body: Buffer.from('{}') };
      const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
      expect(await verdictOf(telnyx, altered, inboundContext(key))).toBe(false);
      expect(await verdictOf(telnyx, signed(), inboundContext(other.toString('base64')))).toBe(false);
      expect(await verdictOf(telnyx, inbound(REPORT), inboundContext(key))).toBe(false);
      expect(await verdictOf(telnyx, signed(), inboundContext())).toBe(false);
      expect(await verdictOf(telnyx, signed(), inboundContext('no key at all'))).toBe(false);
      const old = String(NOW.getTime() / 1000 - 301);
      expect(await telnyx.events!.verify(signed(undefined, old), inboundContext(key))).toMatchObject({
        ok: false,
        reason: expect.stringContaining('time') as string,
      });
    });

    const reportOf = (event_type: string, status: string, errors: object[] = []) => {
      const { data } = REPORT;
      const payload = { ...data.payload, to: [{ phone_number: '+15551234567', status }], errors };
      return inbound({ data: { ...data, event_type, payload } });
    };

    it.each([
      ['message.sent', 'sent', 'sent'],
      ['message.finalized', 'delivered', 'delivered'],
      ['message.finalized', 'sending_failed', 'failed'],
      ['message.finalized', 'delivery_failed', 'bounced'],
    ])('maps %s with the status %s to the event %s', (type, status, kind) => {
      expect(eventsOf(telnyx, reportOf(type, status))).toEqual([
        {
          id: 'event-1',
          kind,
          providerMessageId: 'message-a',
          recipient: '+15551234567',
          at: new Date('2026-01-01T11:58:00Z'),
        },
      ]);
    });

    it.each([
      ['40001', 'bounced', true],
      ['40012', 'bounced', true],
      ['40002', 'failed', undefined],
    ])('maps the error %s to the event %s, permanent: %s', (code, kind, isPermanent) => {
      const [event] = eventsOf(
        telnyx,
        reportOf('message.finalized', 'sending_failed', [{ code, title: 'No', detail: 'so' }]),
      );
      expect(event).toMatchObject({ kind, reason: 'so' });
      expect(event!.isPermanent).toBe(isPermanent);
    });

    it.each([
      ['message.received', 'delivered'],
      ['message.finalized', 'delivery_unconfirmed'],
      ['message.sent', 'queued'],
    ])('skips %s with the status %s', (type, status) => {
      expect(eventsOf(telnyx, reportOf(type, status))).toEqual([]);
    });

    testUnreadableEvents(telnyx);
  });
});
