import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, NOW, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { sendinblue } from './sendinblue.provider';

describe('Brevo', () => {
  const rig = testProviderContract(sendinblue, {
    success: {
      status: 201,
      json: { messageId: '<202601011200.1@smtp-relay.mailin.fr>' },
      headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' },
    },
    id: '202601011200.1@smtp-relay.mailin.fr',
    check: { json: { email: 'me@example.com' } },
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: '202601011200.1@smtp-relay.mailin.fr', date: NOW });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v3/smtp/email' });
    expect(rig.calls[0]!.headers).toMatchObject({
      'api-key': 'canary-api-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      sender: { email: 'sender@example.com', name: 'Sender' },
      to: [{ email: 'bob@example.com' }],
      subject: 'Hello',
      htmlContent: '<p>hi</p>',
      headers: { 'X-Mailin-custom': 'message-1', idempotencyKey: 'message-1' },
    });
  });

  it('posts all parts of a message and warns that a picture is attached as a file', async () => {
    expect(await rig.send({ ...FULL_EMAIL, customData: { order: 7 } })).toMatchObject({
      ok: true,
      warnings: ['Brevo does not support pictures inside the HTML: b.png is attached as a file'],
    });
    expect(json()).toEqual({
      sender: { email: 'ann@example.com', name: 'Ann "Boss" Ü' },
      to: [{ email: 'bob@example.com' }],
      cc: [{ email: 'cc@example.com' }],
      bcc: [{ email: 'bcc@example.com' }],
      replyTo: { email: 'reply@example.com' },
      subject: 'Grüße',
      htmlContent: '<p>hi</p>',
      textContent: 'hi',
      attachment: [
        { name: 'a.txt', content: 'Y29udGVudA==' },
        { name: 'b.png', content: 'AQID' },
      ],
      headers: { 'X-Campaign': 'spring', 'X-Mailin-custom': 'message-2', idempotencyKey: 'message-2' },
      params: { order: 7 },
    });
  });

  it('applies overrides in any casing and ignores an override of the recipients', async () => {
    const overrides = {
      template_id: 7,
      tags: ['a'],
      headers: { 'X-A': 'b' },
      messageVersions: [{ to: [{ email: 'eve@example.com' }] }],
    };
    expect(await rig.send({}, overrides)).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('messageVersions') as string],
    });
    expect(json()).toMatchObject({
      templateId: 7,
      tags: ['a'],
      headers: { 'X-A': 'b', 'X-Mailin-custom': 'message-1', idempotencyKey: 'message-1' },
    });
    expect(json()).not.toHaveProperty('messageVersions');
  });

  it('counts a message that Brevo already has as sent', async () => {
    const json = { code: 'duplicate_parameter', message: 'Duplicate request for idempotencyKey' };
    expect(await rig.answering({ status: 400, json })).toMatchObject({
      ok: true,
      id: 'message-1',
      warnings: [expect.stringContaining('already') as string],
    });
  });

  it.each([
    [401, 'unauthorized', 'Key not found', 'credentials'],
    [403, 'permission_denied', 'no', 'credentials'],
    [403, 'account_under_validation', 'no', 'credentials'],
    [402, 'not_enough_credits', 'no', 'quota'],
    [400, 'not_enough_credits', 'no', 'quota'],
    [400, 'invalid_parameter', 'email is not valid in to', 'recipient'],
    [400, 'invalid_parameter', 'email is not valid in bcc', 'recipient'],
    [400, 'invalid_parameter', 'valid sender email required', 'content'],
    [400, 'missing_parameter', 'subject is missing', 'content'],
    [400, 'out_of_range', 'no', 'content'],
    [404, 'document_not_found', 'no', 'content'],
    [400, 'bad_request', 'no', 'content'],
    [406, 'not_acceptable', 'no', 'permanent'],
  ])('classifies a %d %s with the text "%s" as %s', async (status, code, message, kind) => {
    expect(await rig.answering({ status, json: { code, message } })).toMatchObject({
      ok: false,
      kind,
      message,
      status,
    });
  });

  it('uses the first of several message ids and warns that it does not support IP pools', async () => {
    expect(await rig.answering({ status: 201, json: { messageIds: ['<a@brevo>', '<b@brevo>'] } })).toMatchObject({
      ok: true,
      id: 'a@brevo',
    });
    expect(await rig.send({ ipPoolName: 'pool' })).toMatchObject({ warnings: [expect.stringContaining('ipPoolName')] });
  });

  it('sets retryAfterMs from X-Sib-Ratelimit-Reset unless there is a Retry-After header', async () => {
    const headers = { 'x-sib-ratelimit-limit': '1000', 'x-sib-ratelimit-reset': '4' };
    expect(await rig.answering({ status: 429, headers })).toMatchObject({ kind: 'rate-limited', retryAfterMs: 4_000 });
    expect(await rig.answering({ status: 429, headers: { ...headers, 'retry-after': '7' } })).toMatchObject({
      retryAfterMs: 7_000,
    });
  });

  it('reads the account to check the key', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v3/account' });
    rig.stage.fake.next('/', { status: 401, json: { code: 'unauthorized', message: 'Key not found' } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'Key not found' });
  });

  describe('delivery events', () => {
    const event = {
      event: 'delivered',
      email: 'bob@example.com',
      id: 26224,
      date: '2026-01-01 13:00:00',
      ts: 1767268799,
      'message-id': '<202601011200.1@smtp-relay.mailin.fr>',
      ts_event: 1767268800,
      ts_epoch: 1767268800000,
      'X-Mailin-custom': 'message-1',
    };

    testSharedKeyVerification(sendinblue);

    it.each([
      ['request', { kind: 'sent' }],
      ['delivered', { kind: 'delivered' }],
      ['deferred', { kind: 'deferred' }],
      ['hard_bounce', { kind: 'bounced', isPermanent: true }],
      ['soft_bounce', { kind: 'bounced', isPermanent: false }],
      ['invalid_email', { kind: 'rejected', isPermanent: true }],
      ['blocked', { kind: 'rejected' }],
      ['error', { kind: 'failed' }],
      ['spam', { kind: 'complained' }],
      ['opened', { kind: 'opened' }],
      ['unique_opened', { kind: 'opened' }],
      ['click', { kind: 'clicked' }],
      ['unsubscribed', { kind: 'unsubscribed' }],
    ])('maps the event %s', (name, expected) => {
      const [found] = eventsOf(sendinblue, inbound({ ...event, event: name, reason: 'why' }));
      expect(found).toMatchObject({
        ...expected,
        messageId: 'message-1',
        providerMessageId: '202601011200.1@smtp-relay.mailin.fr',
        recipient: 'bob@example.com',
        at: NOW,
        reason: 'why',
      });
      expect(found!.isPermanent).toBe((expected as { isPermanent?: boolean }).isPermanent);
    });

    it('reports the message id without angle brackets', () => {
      const bare = { ...event, 'message-id': '202601011200.1@smtp-relay.mailin.fr' };
      const [one, other] = eventsOf(sendinblue, inbound([event, bare]));
      expect(one).toEqual(other);
      expect(one!.providerMessageId).toBe('202601011200.1@smtp-relay.mailin.fr');
    });

    it('reads the time in seconds or milliseconds and never the local time', () => {
      const { ts_event: _, ...without } = event;
      expect(eventsOf(sendinblue, inbound(without))[0]!.at).toEqual(NOW);
    });

    it('derives a stable id for each event and treats a first open as an open', () => {
      const call = inbound([
        { ...event, event: 'opened' },
        { ...event, event: 'unique_opened' },
        { ...event, event: 'click', link: 'https://x.example/1' },
        { ...event, event: 'click', link: 'https://x.example/2' },
      ]);
      const ids = eventsOf(sendinblue, call).map(({ id }) => id);
      expect(ids[0]).toBe(ids[1]);
      expect(new Set(ids).size).toBe(3);
      expect(eventsOf(sendinblue, call).map(({ id }) => id)).toEqual(ids);
    });

    it.each([
      ['a picture that a proxy downloaded', { ...event, event: 'proxy_open' }],
      ['an event name of the webhook settings', { ...event, event: 'hardBounce' }],
      ['an event without a message', { ...event, 'message-id': undefined }],
      ['an empty body', ''],
      ['null', 'null'],
      ['a list without events', '[null,7,"x",{}]'],
      ['an HTML page', '<html>'],
    ])('returns no event for %s', (_, call) => {
      expect(eventsOf(sendinblue, inbound(call))).toEqual([]);
    });
  });
});
