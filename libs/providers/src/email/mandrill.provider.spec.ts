import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, inboundContext, NOW, testProviderContract, verdictOf } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { mandrill } from './mandrill.provider';

describe('Mandrill', () => {
  const receipt = (email: string, status: string, reject_reason: string | null = null) => ({
    _id: `md-${email}`,
    email,
    status,
    reject_reason,
  });

  const rig = testProviderContract(mandrill, {
    success: { json: [receipt('bob@example.com', 'sent')], headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' } },
    id: 'md-bob@example.com',
    check: { json: 'PONG!' },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a mail with the key in the body', async () => {
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

  it('posts all parts of a message', async () => {
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

  it('puts overrides into or next to the message and ignores those of recipients, account and key', async () => {
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

  it.each(['sent', 'queued', 'scheduled'])('accepts the status %s', async (status) => {
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
  ])('classifies a 200 with the status %s and the reason %s as %s', async (status, reason, kind) => {
    expect(await rig.answering({ json: [receipt('bob@example.com', status, reason)] })).toMatchObject({
      ok: false,
      kind,
      status: 200,
      message: `bob@example.com: ${reason ?? status}`,
    });
  });

  it('warns about rejected recipients', async () => {
    const json = [receipt('bob@example.com', 'rejected', 'hard-bounce'), receipt('cc@example.com', 'queued')];
    expect(await rig.answering({ json })).toMatchObject({
      ok: true,
      id: 'md-cc@example.com',
      warnings: ['Mandrill did not accept bob@example.com: hard-bounce'],
    });
  });

  it('reports an unknown outcome for an unknown status', async () => {
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
  ])('classifies the error %s as %s regardless of the status', async (name, kind) => {
    for (const status of [200, 400, 500]) {
      expect(await rig.answering({ status, json: { status: 'error', code: -1, name, message: 'no' } })).toMatchObject({
        ok: false,
        kind,
        message: 'no',
      });
    }
  });

  it('classifies an error with an unknown name by its status', async () => {
    const json = { status: 'error', code: -99, name: 'Other', message: 'no' };
    expect(await rig.answering({ status: 500, json })).toMatchObject({ kind: 'transient' });
    expect(await rig.answering({ status: 200, json })).toMatchObject({ kind: 'permanent' });
  });

  it('pings the API to check the key', async () => {
    rig.stage.fake.next(
      '/',
      { json: 'PONG!' },
      { status: 500, json: { status: 'error', name: 'Invalid_Key', message: 'no' } },
    );
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/1.3/users/ping',
      body: '{"key":"canary-api-key"}',
    });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'no' });
    rig.stage.fake.next('/', { text: '<html>fine</html>' }, { json: { status: 'error', message: 'no' } });
    expect(await rig.check()).toMatchObject({ ok: false });
    expect(await rig.check()).toMatchObject({ ok: false, message: 'no' });
  });

  describe('delivery events', () => {
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
      ['accepts a signature with the key of the webhook', signed(form([event]), 'right'), true],
      [
        'accepts a signature over additional fields in any order',
        signed(form([event], { zoo: '1', alpha: 'ü &=' }), 'right'),
        true,
      ],
      ['rejects a signature with another key', signed(form([event]), 'wrong'), false],
      ['rejects a signature for another URL', signed(form([event]), 'right', 'https://clarion.example/hook'), false],
      ['rejects a call without a signature', inbound(form([event]), { url }), false],
    ])('%s', async (_, call, isGenuine) => {
      expect(await verdictOf(mandrill, call, context)).toBe(isGenuine);
    });

    it('rejects every call when no key is set', async () => {
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
    ])('maps the event %s', (name, expected) => {
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

    it('reports the reason of a bounce and the URL of a click', () => {
      const bounce = { ...event, event: 'hard_bounce', msg: { ...event.msg, diag: '550 no such user' } };
      const click = { ...event, event: 'click', url: 'https://x.example' };
      expect(eventsOf(mandrill, inbound(form([bounce, click])))).toMatchObject([
        { reason: '550 no such user' },
        { reason: 'https://x.example' },
      ]);
    });

    it('derives a stable id for each event of a call', () => {
      const names = ['open', 'soft_bounce', 'hard_bounce'].map((name) => ({ ...event, event: name }));
      const call = inbound(form([event, ...names, { ...event, event: 'open', ts: event.ts + 1 }]));
      const ids = eventsOf(mandrill, call).map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
      expect(eventsOf(mandrill, call).map(({ id }) => id)).toEqual(ids);
    });

    it('answers the empty test call of a new webhook before verification, and no other call', () => {
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
    ])('returns no event for the body %p', (body) => {
      expect(eventsOf(mandrill, inbound(body))).toEqual([]);
    });
  });
});
