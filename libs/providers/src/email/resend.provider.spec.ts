import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, inboundContext, NOW, testProviderContract, verdictOf } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { signature } from '../webhook';
import { resend } from './resend.provider';

describe('Resend', () => {
  const rig = testProviderContract(resend, {
    success: { json: { id: 're-1' } },
    id: 're-1',
    check: { json: { object: 'list', data: [] } },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    await rig.send();
    expect(json()).toEqual({
      from: 'Sender <sender@example.com>',
      to: ['bob@example.com'],
      subject: 'Hello',
      html: '<p>hi</p>',
      tags: [{ name: 'message_id', value: 'message-1' }],
    });
  });

  it('posts all parts of a message with its id as the idempotency key', async () => {
    expect(resend.idempotency).toBe('Idempotency-Key header');
    expect(await rig.send(FULL_EMAIL)).toMatchObject({ ok: true, id: 're-1' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/emails' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'idempotency-key': 'message-2',
      'user-agent': 'clarion',
    });
    expect(json()).toEqual({
      from: '"Ann \\"Boss\\" Ü" <ann@example.com>',
      to: ['bob@example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      reply_to: 'reply@example.com',
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'hi',
      headers: { 'X-Campaign': 'spring' },
      attachments: [
        { filename: 'a.txt', content: Buffer.from('content').toString('base64'), content_type: 'text/plain' },
        { filename: 'b.png', content: 'AQID', content_type: 'image/png', content_id: 'logo' },
      ],
      tags: [{ name: 'message_id', value: 'message-2' }],
    });
  });

  it('sends custom data as tags and warns about data that is not a valid tag', async () => {
    const result = await rig.send({ customData: { team: 'red', note: 'two words' }, ipPoolName: 'pool' });
    expect(result).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('ipPoolName'), expect.stringContaining('customData')],
    });
    expect(json()['tags']).toEqual([
      { name: 'message_id', value: 'message-1' },
      { name: 'team', value: 'red' },
    ]);
  });

  it('applies overrides in any casing and ignores an override of the recipients', async () => {
    const result = await rig.send({}, { scheduledAt: 'in 1 hour', topic_id: 't-1', to: ['eve@example.com'] });
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('to;') as string] });
    expect(json()).toMatchObject({ scheduled_at: 'in 1 hour', topic_id: 't-1', to: ['bob@example.com'] });
  });

  it.each([
    [429, 'daily_quota_exceeded', 'quota'],
    [429, 'monthly_quota_exceeded', 'quota'],
    [429, 'rate_limit_exceeded', 'rate-limited'],
    [403, 'validation_error', 'credentials'],
    [409, 'concurrent_idempotent_requests', 'transient'],
    [409, 'invalid_idempotent_request', 'permanent'],
    [422, 'invalid_from_address', 'credentials'],
    [422, 'missing_required_field', 'content'],
    [422, 'invalid_attachment', 'content'],
  ])('classifies a %d %s as %s', async (status, name, kind) => {
    const result = await rig.answering({
      status,
      headers: { 'ratelimit-reset': '3' },
      json: { statusCode: status, name, message: 'no' },
    });
    expect(result).toMatchObject({ ok: false, kind, message: 'no' });
    expect((result as { retryAfterMs?: number }).retryAfterMs).toBe(name === 'rate_limit_exceeded' ? 3_000 : undefined);
  });

  it('reads the domains to check the key and accepts a key that may only send', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/domains' });
    rig.stage.fake.next('/', { status: 401, json: { name: 'restricted_api_key', message: 'only sends' } });
    expect(await rig.check()).toMatchObject({ ok: true });
    rig.stage.fake.next('/', { status: 403, json: { name: 'invalid_api_key', message: 'API key is invalid' } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'API key is invalid' });
  });

  describe('delivery events', () => {
    const KEY = `whsec_${Buffer.from('canary-signing-key').toString('base64')}`;
    const SECONDS = String(NOW.getTime() / 1000);
    const signed = (body: object, { id = 'msg_1', timestamp = SECONDS, key = KEY } = {}) => ({
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': `v1,other v1,${signature(key, `${id}.${timestamp}.${JSON.stringify(body)}`)}`,
    });
    const event = (type: string, data: object = {}): object => ({
      type,
      created_at: '2026-01-01T11:59:00.000Z',
      data: { email_id: 'e-1', to: ['bob@example.com'], ...data },
    });
    const parse = (body: object | string) => eventsOf(resend, inbound(body, { headers: signed({}) }));

    it('accepts a signature of the last five minutes only', async () => {
      const body = event('email.sent');
      const verdict = (headers: Record<string, string>, key: string | undefined = KEY) =>
        verdictOf(resend, inbound(body, { headers }), inboundContext(key));
      expect(await verdict(signed(body))).toBe(true);
      expect(await verdict(signed({ ...body, type: 'email.bounced' }))).toBe(false);
      expect(await verdict(signed(body, { key: 'whsec_b3RoZXI=' }))).toBe(false);
      expect(await verdict({ ...signed(body), 'svix-id': 'msg_2' })).toBe(false);
      expect(await verdict(signed(body, { timestamp: String(NOW.getTime() / 1000 - 301) }))).toBe(false);
      expect(await verdict(signed(body, { timestamp: String(NOW.getTime() / 1000 + 301) }))).toBe(false);
      expect(await verdict({})).toBe(false);
      expect(await verdictOf(resend, inbound(body, { headers: signed(body) }), inboundContext())).toBe(false);
    });

    it.each([
      ['email.sent', 'sent'],
      ['email.delivered', 'delivered'],
      ['email.delivery_delayed', 'deferred'],
      ['email.bounced', 'bounced'],
      ['email.suppressed', 'rejected'],
      ['email.failed', 'failed'],
      ['email.opened', 'opened'],
      ['email.clicked', 'clicked'],
      ['email.complained', 'complained'],
    ])('maps the event %s to %s', (type, kind) => {
      expect(parse(event(type))).toMatchObject([
        {
          id: 'msg_1',
          kind,
          providerMessageId: 'e-1',
          recipient: 'bob@example.com',
          at: new Date('2026-01-01T11:59:00Z'),
        },
      ]);
    });

    it('distinguishes permanent from temporary bounces and reports the reason', () => {
      const bounced = (type: string) => parse(event('email.bounced', { bounce: { type, message: 'no such user' } }));
      expect(bounced('Permanent')).toMatchObject([{ isPermanent: true, reason: 'no such user' }]);
      expect(bounced('Transient')).toMatchObject([{ isPermanent: false }]);
      expect(parse(event('email.bounced'))).toMatchObject([{ isPermanent: true }]);
      expect(parse(event('email.complained'))[0]!.isPermanent).toBeUndefined();
    });

    it("reads Clarion's message id from tags in a list or an object", () => {
      expect(parse(event('email.sent', { tags: { message_id: 'm-1' } }))).toMatchObject([{ messageId: 'm-1' }]);
      const list = [
        { name: 'a', value: 'b' },
        { name: 'message_id', value: 'm-2' },
      ];
      expect(parse(event('email.sent', { tags: list }))).toMatchObject([{ messageId: 'm-2' }]);
    });

    it('sets no recipient for an event about several recipients', () => {
      expect(parse(event('email.bounced', { to: ['a@x.test', 'b@x.test'] }))[0]!.recipient).toBeUndefined();
    });

    it.each([
      '',
      'null',
      '[]',
      '{}',
      '{"type":"constructor"}',
      '{"type":"contact.created","data":{}}',
      '[[1]]',
      '\u0000',
    ])('returns no event for the body %j', (body) => expect(parse(body)).toEqual([]));

    it('reads an event without any details', () => {
      expect(parse({ type: 'email.sent', data: 7 })).toMatchObject([{ kind: 'sent' }]);
      expect(parse({ type: 'email.bounced', data: { to: [{}], tags: [null, 1], bounce: [] } })).toMatchObject([
        { kind: 'bounced' },
      ]);
    });
  });
});
