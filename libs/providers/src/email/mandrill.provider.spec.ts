import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, inboundContext, keepsTheContract, NOW, verdictOf } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { mandrill } from './mandrill.provider';

const receipt = (email: string, status: string, reject_reason: string | null = null) => ({
  _id: `md-${email}`,
  email,
  status,
  reject_reason,
});

const rig = keepsTheContract(mandrill, {
  success: { json: [receipt('bob@example.com', 'sent')], headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' } },
  id: 'md-bob@example.com',
  check: { json: 'PONG!' },
});
const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

it('posts a mail, with the key inside', async () => {
  expect(await rig.send()).toMatchObject({ ok: true, id: 'md-bob@example.com', date: NOW });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/1.3/messages/send' });
  expect(rig.calls[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(json()).toEqual({
    key: 'canary-api-key',
    message: {
      from_email: 'sender@example.com',
      from_name: 'Sender',
      to: [{ email: 'bob@example.com', type: 'to' }],
      preserve_recipients: true,
      subject: 'Hello',
      html: '<p>hi</p>',
      metadata: { message_id: 'message-1' },
    },
  });
});

it('posts everything a mail can have', async () => {
  await rig.send({ ...FULL_EMAIL, ipPoolName: 'mine', customData: { order: 7 } });
  expect(json()).toEqual({
    key: 'canary-api-key',
    message: {
      from_email: 'ann@example.com',
      from_name: 'Ann "Boss" Ü',
      to: [
        { email: 'bob@example.com', type: 'to' },
        { email: 'cc@example.com', type: 'cc' },
        { email: 'bcc@example.com', type: 'bcc' },
      ],
      preserve_recipients: true,
      subject: 'Grüße',
      html: '<p>hi</p>',
      text: 'hi',
      headers: { 'X-Campaign': 'spring', 'Reply-To': 'reply@example.com' },
      attachments: [{ type: 'text/plain', name: 'a.txt', content: 'Y29udGVudA==' }],
      images: [{ type: 'image/png', name: 'logo', content: 'AQID' }],
      metadata: { order: '7', message_id: 'message-2' },
    },
    ip_pool: 'mine',
  });
});

it('takes overrides inside the message or beside it, and none that changes who gets it or who pays', async () => {
  const overrides = {
    trackOpens: false,
    tags: ['a'],
    metadata: { more: 'x' },
    sendAt: '2026-01-02 00:00:00',
    async: true,
    to: [],
    bcc_address: 'eve@example.com',
    subaccount: 'other',
    key: 'other',
  };
  const result = await rig.send({}, overrides);
  expect((result as { warnings: string[] }).warnings.map((text) => /override (\w+)/.exec(text)![1])).toEqual([
    'to',
    'bcc_address',
    'subaccount',
    'key',
  ]);
  expect(json()).toEqual({
    key: 'canary-api-key',
    message: expect.objectContaining({
      to: [{ email: 'bob@example.com', type: 'to' }],
      track_opens: false,
      tags: ['a'],
      metadata: { message_id: 'message-1', more: 'x' },
    }) as JsonObject,
    send_at: '2026-01-02 00:00:00',
    async: true,
  });
  expect(json()['message']).not.toHaveProperty('send_at');
});

it.each(['sent', 'queued', 'scheduled'])('believes %s', async (status) => {
  expect(await rig.answering({ json: [receipt('bob@example.com', status)] })).toMatchObject({ ok: true });
});

it.each([
  ['rejected', 'hard-bounce', 'recipient'],
  ['rejected', 'soft-bounce', 'recipient'],
  ['rejected', 'spam', 'recipient'],
  ['rejected', 'unsub', 'recipient'],
  ['rejected', 'custom', 'recipient'],
  ['rejected', 'invalid-sender', 'credentials'],
  ['rejected', 'invalid', 'recipient'],
  ['rejected', 'test-mode-limit', 'quota'],
  ['rejected', 'unsigned', 'credentials'],
  ['rejected', 'rule', 'content'],
  ['rejected', 'something new', 'permanent'],
  ['invalid', null, 'recipient'],
])('understands a 200 that says %s: %s', async (status, reason, kind) => {
  expect(await rig.answering({ json: [receipt('bob@example.com', status, reason)] })).toMatchObject({
    ok: false,
    kind,
    status: 200,
    message: `bob@example.com: ${reason ?? status}`,
  });
});

it('warns of recipients that were left out', async () => {
  const json = [receipt('bob@example.com', 'rejected', 'hard-bounce'), receipt('cc@example.com', 'queued')];
  expect(await rig.answering({ json })).toMatchObject({
    ok: true,
    id: 'md-cc@example.com',
    warnings: ['Mandrill did not take bob@example.com: hard-bounce'],
  });
});

it('does not believe a status that nobody knows', async () => {
  expect(await rig.answering({ json: [receipt('bob@example.com', 'lost')] })).toMatchObject({
    ok: false,
    kind: 'unknown-outcome',
  });
});

it.each([
  ['Invalid_Key', 'credentials'],
  ['Unknown_Subaccount', 'credentials'],
  ['PoorReputation', 'credentials'],
  ['PaymentRequired', 'quota'],
  ['ValidationError', 'content'],
  ['Unknown_Template', 'content'],
  ['Unknown_Pool', 'content'],
  ['GeneralError', 'transient'],
  ['ServiceUnavailable', 'transient'],
])('understands %s whatever the status', async (name, kind) => {
  for (const status of [200, 400, 500]) {
    expect(await rig.answering({ status, json: { status: 'error', code: -1, name, message: 'no' } })).toMatchObject({
      ok: false,
      kind,
      message: 'no',
    });
  }
});

it('takes an error without a known name by its status', async () => {
  const json = { status: 'error', code: -99, name: 'Other', message: 'no' };
  expect(await rig.answering({ status: 500, json })).toMatchObject({ kind: 'transient' });
  expect(await rig.answering({ status: 200, json })).toMatchObject({ kind: 'permanent' });
});

it('pings to check the key', async () => {
  rig.stage.fake.next(
    '/',
    { json: 'PONG!' },
    { status: 500, json: { status: 'error', name: 'Invalid_Key', message: 'no' } },
  );
  expect(await rig.check()).toMatchObject({ ok: true });
  expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/1.3/users/ping', body: '{"key":"canary-api-key"}' });
  expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'no' });
  rig.stage.fake.next('/', { text: '<html>fine</html>' }, { json: { status: 'error', message: 'no' } });
  expect(await rig.check()).toMatchObject({ ok: false });
  expect(await rig.check()).toMatchObject({ ok: false, message: 'no' });
});

describe('events', () => {
  const url = 'https://clarion.example/hook?a=b';
  const event = {
    event: 'send',
    ts: NOW.getTime() / 1000,
    _id: 'md-1',
    msg: { _id: 'md-1', email: 'bob@example.com', metadata: { message_id: 'message-1' }, state: 'sent' },
  };
  const form = (events: unknown, more: Record<string, string> = {}): string =>
    new URLSearchParams({ mandrill_events: JSON.stringify(events), ...more }).toString();
  const signed = (body: string, key: string, at = url) => {
    const fields = [...new URLSearchParams(body)].sort(([one], [other]) => (one < other ? -1 : 1));
    const signature = createHmac('sha1', key)
      .update(at + fields.flat().join(''))
      .digest('base64');
    return inbound(body, { url, headers: { 'x-mandrill-signature': signature } });
  };
  const context = inboundContext('right');

  it.each([
    ['the key of the webhook', signed(form([event]), 'right'), true],
    ['more fields, in any order', signed(form([event], { zoo: '1', alpha: 'ü &=' }), 'right'), true],
    ['another key', signed(form([event]), 'wrong'), false],
    ['another URL', signed(form([event]), 'right', 'https://clarion.example/hook'), false],
    ['no signature', inbound(form([event]), { url }), false],
  ])('believes %s: %#', async (_, call, isGenuine) => {
    expect(await verdictOf(mandrill, call, context)).toBe(isGenuine);
  });

  it('believes nobody while no key is set', async () => {
    expect(await verdictOf(mandrill, signed(form([event]), ''), inboundContext())).toBe(false);
  });

  it.each([
    ['send', { kind: 'sent' }],
    ['delivered', { kind: 'delivered' }],
    ['deferral', { kind: 'deferred' }],
    ['hard_bounce', { kind: 'bounced', isPermanent: true }],
    ['soft_bounce', { kind: 'bounced', isPermanent: false }],
    ['open', { kind: 'opened' }],
    ['click', { kind: 'clicked' }],
    ['spam', { kind: 'complained' }],
    ['unsub', { kind: 'unsubscribed' }],
    ['reject', { kind: 'rejected' }],
  ])('understands %s', (name, expected) => {
    expect(eventsOf(mandrill, inbound(form([{ ...event, event: name }])))).toMatchObject([
      {
        ...expected,
        messageId: 'message-1',
        providerMessageId: 'md-1',
        recipient: 'bob@example.com',
        at: NOW,
      },
    ]);
  });

  it('tells why a mail came back, and which link was followed', () => {
    const bounce = { ...event, event: 'hard_bounce', msg: { ...event.msg, diag: '550 no such user' } };
    const click = { ...event, event: 'click', url: 'https://x.example' };
    expect(eventsOf(mandrill, inbound(form([bounce, click])))).toMatchObject([
      { reason: '550 no such user' },
      { reason: 'https://x.example' },
    ]);
  });

  it('knows each again', () => {
    const names = ['open', 'soft_bounce', 'hard_bounce'].map((name) => ({ ...event, event: name }));
    const call = inbound(form([event, ...names, { ...event, event: 'open', ts: event.ts + 1 }]));
    const ids = eventsOf(mandrill, call).map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(eventsOf(mandrill, call).map(({ id }) => id)).toEqual(ids);
  });

  it('answers the trial call of a new webhook, and no other before it is verified', () => {
    const handshake = mandrill.events!.handshake!;
    expect(handshake(signed(form([]), 'test-webhook'), context)).toEqual({ status: 200 });
    expect(handshake(signed(form([event]), 'test-webhook'), context)).toBeUndefined();
    expect(handshake(inbound(''), context)).toBeUndefined();
  });

  it.each([
    '',
    'mandrill_events=',
    form(null),
    form([null, 7, 'x', {}]),
    form([{ ...event, event: 'inbound' }]),
    form([{ type: 'blacklist', action: 'add' }]),
    '{"a":1}',
  ])('finds none in %p', (body) => {
    expect(eventsOf(mandrill, inbound(body))).toEqual([]);
  });
});
