import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, inboundContext, NOW, testProviderContract, verdictOf } from '../../test/contract';
import { CREDENTIALS, EMAIL, FULL_EMAIL } from '../../test/samples';
import { sendgrid } from './sendgrid.provider';

describe('SendGrid', () => {
  const rig = testProviderContract(sendgrid, {
    credentials: { baseUrl: '' },
    success: { status: 202, headers: { 'x-message-id': 'sg-1', date: 'Thu, 01 Jan 2026 12:00:00 GMT' } },
    id: 'sg-1',
    // The response has no body.
    isAcceptedByStatus: true,
    check: { json: { scopes: ['mail.send'] } },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toEqual({ ok: true, id: 'sg-1', date: NOW });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v3/mail/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      personalizations: [{ to: [{ email: 'bob@example.com' }] }],
      from: { email: 'sender@example.com', name: 'Sender' },
      subject: 'Hello',
      content: [{ type: 'text/html', value: '<p>hi</p>' }],
      custom_args: { id: 'message-1' },
    });
  });

  it('posts all parts of a message', async () => {
    await rig.send({ ...FULL_EMAIL, ipPoolName: 'mine', customData: { order: 7 } });
    expect(json()).toEqual({
      personalizations: [
        {
          to: [{ email: 'bob@example.com' }],
          cc: [{ email: 'cc@example.com' }],
          bcc: [{ email: 'bcc@example.com' }],
        },
      ],
      from: { email: 'ann@example.com', name: 'Ann "Boss" Ü' },
      reply_to: { email: 'reply@example.com' },
      subject: 'Grüße',
      content: [
        { type: 'text/plain', value: 'hi' },
        { type: 'text/html', value: '<p>hi</p>' },
      ],
      attachments: [
        { content: Buffer.from('content').toString('base64'), filename: 'a.txt', type: 'text/plain' },
        { content: 'AQID', filename: 'b.png', type: 'image/png', disposition: 'inline', content_id: 'logo' },
      ],
      headers: { 'X-Campaign': 'spring' },
      custom_args: { id: 'message-2', order: '7' },
      ip_pool_name: 'mine',
    });
  });

  it('uses the IP pool of the integration unless the message has one', async () => {
    await rig.send({}, {}, { ipPoolName: 'usual' });
    expect(json()).toMatchObject({ ip_pool_name: 'usual' });
  });

  it('applies overrides in any casing and replaces lists', async () => {
    const result = await rig.send(
      {},
      { templateId: 't-1', categories: ['a'], personalizations: [], from: { email: 'x@example.com' } },
    );
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('from') as string] });
    expect(json()).toMatchObject({
      template_id: 't-1',
      categories: ['a'],
      personalizations: [],
      from: { email: 'sender@example.com' },
    });
  });

  it("puts template data to the recipients and keeps Clarion's id in custom_args", async () => {
    await rig.send({}, { templateId: 't-1', dynamicTemplateData: { name: 'Bob' }, custom_args: { mine: 'yes' } });
    expect(json()).toMatchObject({
      template_id: 't-1',
      personalizations: [{ to: [{ email: 'bob@example.com' }], dynamic_template_data: { name: 'Bob' } }],
      custom_args: { id: 'message-1', mine: 'yes' },
    });
    expect(json()).not.toHaveProperty('dynamic_template_data');
  });

  it("uses Clarion's message id when the response has none", async () => {
    expect(await rig.answering({ status: 202 })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it('reports all error texts', async () => {
    const json = { errors: [{ message: 'bad from' }, { message: 'bad to' }] };
    expect(await rig.answering({ status: 400, json })).toMatchObject({
      kind: 'permanent',
      message: 'bad from; bad to',
    });
  });

  it('classifies used-up credits as quota and not as a wrong key', async () => {
    const json = { errors: [{ message: 'Maximum credits exceeded' }] };
    expect(await rig.answering({ status: 401, json })).toMatchObject({ kind: 'quota' });
  });

  it('sets retryAfterMs from X-RateLimit-Reset unless there is a Retry-After header', async () => {
    const reset = { 'x-ratelimit-reset': String(NOW.getTime() / 1000 + 20) };
    expect(await rig.answering({ status: 429, headers: reset })).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 20_000,
    });
    expect(await rig.answering({ status: 429, headers: { ...reset, 'retry-after': '7' } })).toMatchObject({
      retryAfterMs: 7_000,
    });
  });

  it('calls the host of the region or of the base URL', async () => {
    const asked: string[] = [];
    const context = rig.stage.context('sendgrid');
    const request = ({ url }: { url: string }) => {
      asked.push(url);
      return Promise.resolve({ status: 202, headers: {}, body: Buffer.alloc(0) });
    };
    const http = { ...context.http, request };
    for (const own of [{ region: 'EU' }, {}, { region: 'eu', baseUrl: 'https://mail.example.com/' }]) {
      await sendgrid.send(EMAIL, { ...CREDENTIALS, baseUrl: '', ...own }, { ...context, http });
    }
    expect(asked).toEqual([
      'https://api.eu.sendgrid.com/v3/mail/send',
      'https://api.sendgrid.com/v3/mail/send',
      'https://mail.example.com/v3/mail/send',
    ]);
  });

  it('reads the scopes of the key to check it', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v3/scopes' });
    rig.stage.fake.next('/', { status: 401, json: { errors: [{ message: 'authorization required' }] } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'authorization required' });
  });

  describe('delivery events', () => {
    const pair = (): { privateKey: KeyObject; key: string } => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return { privateKey, key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
    };
    const { privateKey, key: KEY } = pair();
    const SECONDS = NOW.getTime() / 1000;
    const headersFor = (body: string, timestamp = SECONDS, by = privateKey) => ({
      'x-twilio-email-event-webhook-timestamp': String(timestamp),
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), by).toString('base64'),
    });
    const event = (name: string, more: object = {}): object => ({
      event: name,
      email: 'bob@example.com',
      timestamp: SECONDS - 60,
      sg_event_id: 'event-1',
      sg_message_id: 'x-1.filterdrecv-5645d9c87f-78xgx-1.0',
      ...more,
    });
    const parse = (body: object | string) => eventsOf(sendgrid, inbound(body));

    it('accepts a signature of the last five minutes only', async () => {
      const body = JSON.stringify([event('open')]);
      const verdict = (headers: Record<string, string>, key = KEY, text = body) =>
        verdictOf(sendgrid, inbound(text, { headers }), inboundContext(key));
      expect(await verdict(headersFor(body))).toBe(true);
      expect(await verdict(headersFor(body), `-----BEGIN PUBLIC KEY-----\n${KEY}\n-----END PUBLIC KEY-----\n`)).toBe(
        true,
      );
      expect(await verdict(headersFor(body), KEY, `${body} `)).toBe(false);
      expect(await verdict(headersFor(body, SECONDS, pair().privateKey))).toBe(false);
      expect(await verdict(headersFor(body), pair().key)).toBe(false);
      expect(await verdict(headersFor(body, SECONDS - 301))).toBe(false);
      expect(
        await verdict({ ...headersFor(body), 'x-twilio-email-event-webhook-timestamp': String(SECONDS + 1) }),
      ).toBe(false);
      expect(await verdict({ ...headersFor(body), 'x-twilio-email-event-webhook-signature': '!' })).toBe(false);
      expect(await verdict({})).toBe(false);
      expect(await verdictOf(sendgrid, inbound(body, { headers: headersFor(body) }), inboundContext())).toBe(false);
      expect(
        await sendgrid.events!.verify(inbound(body, { headers: headersFor(body) }), inboundContext('SG.key')),
      ).toEqual({ ok: false, reason: expect.stringContaining('verification key') as string });
    });

    it.each([
      ['processed', 'sent'],
      ['delivered', 'delivered'],
      ['deferred', 'deferred'],
      ['bounce', 'bounced'],
      ['dropped', 'rejected'],
      ['open', 'opened'],
      ['click', 'clicked'],
      ['spamreport', 'complained'],
      ['unsubscribe', 'unsubscribed'],
      ['group_unsubscribe', 'unsubscribed'],
    ])('maps the event %s to %s', (name, kind) => {
      expect(parse([event(name, { id: 'message-1', reason: 'so' })])).toMatchObject([
        {
          id: 'event-1',
          kind,
          messageId: 'message-1',
          providerMessageId: 'x-1',
          recipient: 'bob@example.com',
          at: new Date(NOW.getTime() - 60_000),
          reason: 'so',
        },
      ]);
    });

    it('treats a bounce as permanent and a block as temporary', () => {
      const all = parse([
        event('bounce', { type: 'bounce' }),
        event('bounce'),
        event('bounce', { type: 'blocked' }),
        event('open'),
      ]);
      expect(all.map((one) => one.isPermanent)).toEqual([true, true, false, undefined]);
    });

    it('derives an id for an event without one', () => {
      const ids = [
        {},
        {},
        { timestamp: 1 },
        { email: 'ann@example.com' },
        { sg_message_id: undefined, id: 'message-1' },
      ]
        .flatMap((more) => parse([event('open', { sg_event_id: undefined, ...more })]))
        .map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([5, 4]);
    });

    it('skips opens by machines and events that are not about a message', () => {
      const others = [event('open', { sg_machine_open: true }), event('group_resubscribe'), { event: 'open' }, 7, null];
      expect(parse([...others, event('open', { sg_machine_open: false })])).toHaveLength(1);
    });

    it.each(['', 'null', '{}', '[]', '[[]]', '{"event":"constructor","sg_event_id":"x"}', '<html>'])(
      'returns no event for the body %j',
      (body) => expect(parse(body)).toEqual([]),
    );
  });
});
