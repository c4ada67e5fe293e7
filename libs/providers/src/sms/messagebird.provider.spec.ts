import { createHash } from 'node:crypto';
import { hmac } from '../events';
import { eventsOf, inbound, inboundContext, NOW, testProviderContract, verdictOf } from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { messagebird } from './messagebird.provider';

describe('MessageBird', () => {
  const OWN = { accessKey: 'canary-access-key', from: 'Clarion' };
  const rig = testProviderContract(messagebird, {
    credentials: OWN,
    success: {
      status: 201,
      json: {
        id: 'mb1',
        createdDatetime: '2026-01-01T11:59:59+00:00',
        recipients: { items: [{ recipient: 15551234567, status: 'sent' }] },
      },
    },
    id: 'mb1',
  });
  const body = () => JSON.parse(rig.calls[0]!.body) as Record<string, unknown>;

  it('posts a message as JSON with the documented headers', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'mb1', date: new Date('2026-01-01T11:59:59Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'AccessKey canary-access-key',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      originator: 'Clarion',
      recipients: '15551234567',
      body: 'hi',
      datacoding: 'auto',
      reference: 'message-1',
    });
  });

  it('uses the sender of the message, sends any text, applies overrides and requests reports', async () => {
    const context = {
      ...rig.stage.context('messagebird', { validity: 60, type_details: { udh: '05' }, groupIds: ['g'] }),
      callbackUrl: 'https://clarion.example/hook',
    };
    const result = await messagebird.send(
      { ...SMS, from: 'Other', content: 'Привет 👋' },
      { ...CREDENTIALS, ...OWN },
      context,
    );
    expect(result).toMatchObject({ warnings: [expect.stringContaining('groupIds')] });
    expect(body()).toEqual({
      originator: 'Other',
      recipients: '15551234567',
      body: 'Привет 👋',
      datacoding: 'auto',
      reference: 'message-1',
      reportUrl: 'https://clarion.example/hook',
      validity: 60,
      typeDetails: { udh: '05' },
    });
  });

  it.each([
    [401, { code: 2, description: 'no', parameter: 'access_key' }, 'credentials'],
    [400, { code: 2, description: 'no', parameter: 'access_key' }, 'credentials'],
    [422, { code: 9, description: 'no', parameter: 'recipient' }, 'recipient'],
    [422, { code: 10, description: 'no', parameter: 'recipients' }, 'recipient'],
    [422, { code: 10, description: 'no', parameter: 'originator' }, 'permanent'],
    [404, { code: 20, description: 'no', parameter: null }, 'permanent'],
    [422, { code: 25, description: 'no', parameter: null }, 'quota'],
    [200, { code: 25, description: 'no', parameter: null }, 'quota'],
    [200, { code: 9, description: 'no', parameter: 'body' }, 'permanent'],
    [404, { code: 98, description: 'no', parameter: null }, 'transient'],
    [422, { code: 99, description: 'no', parameter: null }, 'transient'],
  ])('classifies a %d with %j as %s', async (status, error, kind) => {
    const result = await rig.answering({ status, json: { id: 'mb1', errors: [error] } });
    expect(result).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reads the balance to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/balance' });
    expect(rig.calls[0]!.headers.authorization).toBe('AccessKey canary-access-key');
  });

  describe('delivery events', () => {
    const HOOK =
      'https://clarion.example/hook?id=mb1&reference=message-1&recipient=15551234567' +
      '&status=delivered&statusDatetime=2026-01-01T12%3A00%3A00%2B00%3A00';
    const DIGESTS = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = (more: object = {}) => ({
      iss: 'MessageBird',
      exp: NOW.getTime() / 1000 + 60,
      jti: '1',
      url_hash: sha256(HOOK),
      ...more,
    });
    const token = (payload: object, key = 'right', alg: keyof typeof DIGESTS = 'HS256'): string => {
      const signed = `${part({ alg, typ: 'JWT' })}.${part(payload)}`;
      return `${signed}.${Buffer.from(hmac(DIGESTS[alg], key, signed), 'hex').toString('base64url')}`;
    };
    const verdict = (jwt: string | undefined, key: string | undefined = 'right', text = '', url = HOOK) => {
      const headers: Record<string, string> = jwt === undefined ? {} : { 'messagebird-signature-jwt': jwt };
      return verdictOf(
        messagebird,
        inbound(text, { method: text ? 'POST' : 'GET', url, headers }),
        inboundContext(key),
      );
    };

    it.each(['HS256', 'HS384', 'HS512'] as const)('accepts a token signed with %s', async (alg) => {
      expect(await verdict(token(claims(), 'right', alg))).toBe(true);
      expect(await verdict(token(claims(), 'wrong', alg))).toBe(false);
    });

    it('accepts a token only for its URL and body', async () => {
      expect(await verdict(token(claims()), 'right', '', `${HOOK}&x=1`)).toBe(false);
      expect(await verdict(token(claims({ payload_hash: sha256('{}') })), 'right', '{}')).toBe(true);
      expect(await verdict(token(claims({ payload_hash: sha256('{}') })), 'right', '{ }')).toBe(false);
      expect(await verdict(token(claims()), 'right', '{}')).toBe(false);
    });

    it('accepts a token until it expires, with a tolerance of five seconds', async () => {
      const now = NOW.getTime() / 1000;
      expect(await verdict(token(claims({ exp: now - 4 })))).toBe(true);
      expect(await verdict(token(claims({ exp: now - 6 })))).toBe(false);
      expect(await verdict(token(claims({ exp: undefined })))).toBe(false);
    });

    it('rejects a call without a valid token of MessageBird', async () => {
      expect(await verdict(token(claims({ iss: 'Other' })))).toBe(false);
      expect(await verdict(undefined)).toBe(false);
      expect(await verdict('a.b.c')).toBe(false);
      expect(await verdict(`${part({ alg: 'none' })}.${part(claims())}.`)).toBe(false);
      expect(await verdict(`${part({ alg: 'constructor' })}.${part(claims())}.`)).toBe(false);
      expect(await verdict(`${part({ alg: 'HS256' })}.${part(claims())}.`)).toBe(false);
      const headers = { 'messagebird-signature-jwt': token(claims(), '') };
      expect(await verdictOf(messagebird, inbound('', { method: 'GET', url: HOOK, headers }), inboundContext())).toBe(
        false,
      );
    });

    const parse = (query: string) =>
      eventsOf(messagebird, inbound('', { method: 'GET', url: `https://clarion.example/hook?${query}` }));

    it('reads the report of a message', () => {
      expect(eventsOf(messagebird, inbound('', { method: 'GET', url: HOOK }))).toEqual([
        {
          id: 'mb1:delivered',
          kind: 'delivered',
          providerMessageId: 'mb1',
          messageId: 'message-1',
          recipient: '15551234567',
          at: new Date('2026-01-01T12:00:00Z'),
        },
      ]);
    });

    it.each([
      ['sent', 'sent'],
      ['buffered', 'deferred'],
      ['delivered', 'delivered'],
      ['expired', 'failed'],
      ['delivery_failed', 'failed'],
    ])('maps the status %s to the event %s', (status, kind) =>
      expect(parse(`id=mb1&status=${status}`)).toEqual([{ id: `mb1:${status}`, kind, providerMessageId: 'mb1' }]),
    );

    it.each([
      ['unknown subscriber', 'bounced', true],
      ['incorrect number', 'bounced', true],
      ['carrier rejected', 'failed', undefined],
    ])('maps the failure reason %p to the event %s', (statusReason, kind, isPermanent) => {
      const [event] = parse(`id=mb1&status=delivery_failed&${new URLSearchParams({ statusReason }).toString()}`);
      expect(event).toMatchObject({ kind, reason: statusReason });
      expect(event!.isPermanent).toBe(isPermanent);
    });

    it.each(['', 'id=mb1', 'status=sent', 'id=mb1&status=scheduled', 'id=mb1&status=constructor'])(
      'returns no event for the query %p',
      (query) => expect(parse(query)).toEqual([]),
    );
  });
});
