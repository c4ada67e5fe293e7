import { type JsonObject } from '@clarion/contracts';
import { bearer } from '../call';
import { hmac } from '../events';
import {
  eventsOf,
  inbound,
  inboundContext,
  testProviderContract,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { mailersend } from './mailersend.provider';

describe('MailerSend', () => {
  const rig = testProviderContract(mailersend, {
    success: { status: 202, headers: { 'x-message-id': '5e42957d51f1d94a1070a733' } },
    id: '5e42957d51f1d94a1070a733',
    check: { json: { quota: 1000, remaining: 999, reset: '2026-01-02T00:00:00Z' } },
  });
  const body = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v1/email' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      from: { email: 'sender@example.com', name: 'Sender' },
      to: [{ email: 'bob@example.com' }],
      subject: 'Hello',
      html: '<p>hi</p>',
    });
  });

  it('posts all parts of a message and warns about custom data', async () => {
    expect(await rig.send({ ...FULL_EMAIL, customData: { order: 7 } })).toMatchObject({
      warnings: [expect.stringContaining('customData')],
    });
    expect(body()).toEqual({
      from: { email: 'ann@example.com', name: 'Ann "Boss" Ü' },
      to: [{ email: 'bob@example.com' }],
      cc: [{ email: 'cc@example.com' }],
      bcc: [{ email: 'bcc@example.com' }],
      reply_to: { email: 'reply@example.com' },
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'hi',
      headers: [{ name: 'X-Campaign', value: 'spring' }],
      attachments: [
        { filename: 'a.txt', content: Buffer.from('content').toString('base64'), disposition: 'attachment' },
        { filename: 'b.png', content: 'AQID', disposition: 'inline', id: 'logo' },
      ],
    });
  });

  it('accepts an empty 202 without an id, but not one with an HTML body', async () => {
    expect(await rig.answering({ status: 202 })).toMatchObject({ ok: true, id: 'message-1' });
    expect(await rig.answering({ status: 202, text: '<html>' })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
  });

  it('applies overrides and ignores an override of the recipients', async () => {
    const result = await rig.send({}, { templateId: 't1', tags: ['a'], settings: { track_opens: false }, to: [] });
    expect(body()).toMatchObject({ template_id: 't1', tags: ['a'], settings: { track_opens: false } });
    expect(body()['to']).toEqual([{ email: 'bob@example.com' }]);
    expect(result).toMatchObject({ warnings: [expect.stringContaining('to')] });
  });

  describe('suppressed recipients', () => {
    const warnings = (type: string) => [
      { type, warning: 'Some are suppressed', recipients: [{ email: 'bob@example.com', reason: ['hard_bounced'] }] },
    ];

    it('fails the message when all recipients are suppressed', async () => {
      expect(await rig.answering({ status: 202, json: { warnings: warnings('ALL_SUPPRESSED') } })).toMatchObject({
        ok: false,
        kind: 'recipient',
        message: 'Some are suppressed',
      });
    });

    it('adds a warning when some recipients are suppressed', async () => {
      const answer = {
        status: 202,
        headers: { 'x-message-id': 'm1' },
        json: { warnings: warnings('SOME_SUPPRESSED') },
      };
      expect(await rig.answering(answer)).toMatchObject({
        ok: true,
        id: 'm1',
        warnings: [expect.stringContaining('bob@example.com')],
      });
    });
  });

  it('warns that the account is paused', async () => {
    const answer = { status: 202, headers: { 'x-message-id': 'm1', 'x-send-paused': 'true' } };
    expect(await rig.answering(answer)).toMatchObject({ ok: true, warnings: [expect.stringContaining('paused')] });
  });

  it.each([
    [422, { message: 'bad', errors: { 'to.0.email': ['must be valid'] } }, 'recipient', 'to.0.email: must be valid'],
    [
      422,
      { message: 'bad', errors: { 'from.email': ['not ours #MS42207'] } },
      'credentials',
      'from.email: not ours #MS42207',
    ],
    [422, { message: 'bad', errors: { 'from.name': ['too long'] } }, 'credentials', 'from.name: too long'],
    [422, { message: 'bad', errors: { subject: ['is required', 'really'] } }, 'content', 'subject: is required really'],
    [422, { message: 'Trial limit #MS42225' }, 'quota', 'Trial limit #MS42225'],
    [422, { message: 'bad' }, 'permanent', 'bad'],
    [401, { message: 'Unauthenticated.' }, 'credentials', 'Unauthenticated.'],
    [403, { message: 'This action is unauthorized.' }, 'credentials', 'This action is unauthorized.'],
    [421, { message: 'Maintenance' }, 'transient', 'Maintenance'],
  ])('classifies a %d with %j as %s', async (status, json, kind, message) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message });
  });

  it('distinguishes the rate limit of a minute from the quota of a day', async () => {
    const minute = {
      status: 429,
      headers: { 'x-apiquota-remaining': '7', 'retry-after': '9' },
      json: { message: 'no' },
    };
    expect(await rig.answering(minute)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 9_000 });
    const last = { ...minute, headers: { 'x-apiquota-remaining': '0', 'retry-after': '9' } };
    expect(await rig.answering(last)).toMatchObject({ kind: 'rate-limited', retryAfterMs: 9_000 });
    const day = { status: 429, headers: { 'x-apiquota-remaining': '0' }, json: { message: 'no' } };
    expect(await rig.answering(day)).toMatchObject({ kind: 'quota' });
  });

  it('reads the API quota to check the credentials', async () => {
    rig.stage.fake.always('/v1/api-quota', { json: { quota: 10 } });
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v1/api-quota' });
    rig.stage.fake.always('/v1/api-quota', { text: '<html></html>' });
    expect(await rig.check()).toMatchObject({ ok: false });
  });

  describe('delivery events', () => {
    const common = {
      id: 'event-1',
      providerMessageId: '5e42957d51f1d94a1070a733',
      recipient: 'bob@example.com',
      at: new Date('2026-01-01T11:00:00Z'),
    };
    const newer = (type: string, meta: object = {}) => ({
      type: `activity.${type}`,
      created_at: '2026-01-01T11:00:00Z',
      data: { id: 'event-1', type, message_id: common.providerMessageId, recipient: 'bob@example.com', meta },
    });
    const older = (type: string, morph: object | null = null) => ({
      type: `activity.${type}`,
      created_at: '2026-01-01T11:00:09Z',
      data: {
        id: 'event-1',
        type,
        created_at: '2026-01-01T11:00:00Z',
        email: { message: { id: common.providerMessageId }, recipient: { email: 'bob@example.com' } },
        morph,
      },
    });

    it('accepts only a body that is signed with the signing key', async () => {
      const text = JSON.stringify(newer('sent'));
      const signed = (key: string) => inbound(text, { headers: { signature: hmac('sha256', key, text) } });
      expect(await verdictOf(mailersend, signed('key'), inboundContext('key'))).toBe(true);
      expect(await verdictOf(mailersend, signed('other'), inboundContext('key'))).toBe(false);
      expect(await verdictOf(mailersend, inbound(text), inboundContext('key'))).toBe(false);
      expect(await verdictOf(mailersend, signed(''), inboundContext())).toBe(false);
    });

    it.each<[object, object]>([
      [newer('sent'), { kind: 'sent' }],
      [newer('delivered'), { kind: 'delivered' }],
      [newer('deferred'), { kind: 'deferred' }],
      [newer('soft_bounced', { bounce_reason: 'full' }), { kind: 'bounced', isPermanent: false, reason: 'full' }],
      [newer('hard_bounced', { bounce_reason: 'gone' }), { kind: 'bounced', isPermanent: true, reason: 'gone' }],
      [newer('suppressed', { suppression_reason: 'spam' }), { kind: 'rejected', reason: 'spam' }],
      [newer('opened'), { kind: 'opened' }],
      [newer('clicked', { url: 'https://x.example' }), { kind: 'clicked' }],
      [newer('unsubscribed'), { kind: 'unsubscribed' }],
      [newer('spam_complaints'), { kind: 'complained' }],
      [older('spam_complaint'), { kind: 'complained' }],
      [older('hard_bounced', { reason: '550' }), { kind: 'bounced', isPermanent: true, reason: '550' }],
      [older('soft_bounced', { readable_reason: 'full' }), { kind: 'bounced', isPermanent: false, reason: 'full' }],
      [older('opened'), { kind: 'opened' }],
    ])('maps the event %j', (event, expected) => {
      expect(eventsOf(mailersend, inbound(event))).toEqual([{ ...common, ...expected }]);
    });

    it('uses the outer type and derives an id when details are missing', () => {
      const bare = (type: string, created_at?: string) =>
        eventsOf(mailersend, inbound({ type, created_at, data: { email: { message: { id: 'm' } } } }));
      expect(bare('activity.hard_bounced')).toMatchObject([
        { kind: 'bounced', isPermanent: true, providerMessageId: 'm' },
      ]);
      const [first, same, later, other] = [
        bare('activity.opened'),
        bare('activity.opened'),
        bare('activity.opened', '2026-01-01T11:00:00Z'),
        bare('activity.clicked'),
      ].map(([event]) => event!.id);
      expect(same).toBe(first);
      expect(new Set([first, later, other]).size).toBe(3);
    });

    it.each([
      { type: 'webhook.test', data: {} },
      newer('opened_unique'),
      newer('constructor'),
      { ...newer('sent'), data: { type: 'sent', id: 'event-1' } },
    ])('skips %j, which is not about a message', (event) => expect(eventsOf(mailersend, inbound(event))).toEqual([]));

    testUnreadableEvents(mailersend);
  });
});
