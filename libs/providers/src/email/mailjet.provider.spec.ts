import type { JsonObject } from '@clarion/contracts';
import { basic } from '../call';
import { eventsOf, inbound, NOW, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { CREDENTIALS, EMAIL, FULL_EMAIL } from '../../test/samples';
import { mailjet } from './mailjet.provider';

describe('Mailjet', () => {
  const accepted = (id: string) => ({
    Status: 'success',
    CustomID: 'message-1',
    // MessageID has more digits than a JSON number can hold.
    To: [
      { Email: 'bob@example.com', MessageUUID: id, MessageID: 1152921526711374600, MessageHref: 'https://x.example' },
    ],
    Cc: [],
    Bcc: [],
  });
  const refused = (ErrorCode: string, StatusCode: number, ErrorRelatedTo: string[] = [], ErrorMessage = 'no') => ({
    Status: 'error',
    Errors: [{ ErrorIdentifier: 'e-1', ErrorCode, StatusCode, ErrorMessage, ErrorRelatedTo }],
  });

  const rig = testProviderContract(mailjet, {
    credentials: { baseUrl: 'https://api.us.mailjet.com/' },
    success: { json: { Messages: [accepted('uuid-1')] }, headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' } },
    id: 'uuid-1',
    check: { json: { Count: 0, Data: [], Total: 0 } },
  });
  const sent = (): JsonObject[] => (JSON.parse(rig.calls[0]!.body) as { Messages: JsonObject[] }).Messages;

  it('posts a list with one message', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'uuid-1', date: NOW });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v3.1/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: basic('canary-api-key', 'canary-secret-key'),
      'content-type': 'application/json',
    });
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({
      Messages: [
        {
          From: { Email: 'sender@example.com', Name: 'Sender' },
          To: [{ Email: 'bob@example.com' }],
          Subject: 'Hello',
          HTMLPart: '<p>hi</p>',
          CustomID: 'message-1',
        },
      ],
    });
  });

  it('posts all parts of a message and warns about the IP pool', async () => {
    expect(await rig.send({ ...FULL_EMAIL, customData: { order: 7 }, ipPoolName: 'pool' })).toMatchObject({
      warnings: [expect.stringContaining('ipPoolName')],
    });
    expect(sent()).toEqual([
      {
        From: { Email: 'ann@example.com', Name: 'Ann "Boss" Ü' },
        To: [{ Email: 'bob@example.com' }],
        Cc: [{ Email: 'cc@example.com' }],
        Bcc: [{ Email: 'bcc@example.com' }],
        ReplyTo: { Email: 'reply@example.com' },
        Subject: 'Grüße',
        TextPart: 'hi',
        HTMLPart: '<p>hi</p>',
        Attachments: [{ ContentType: 'text/plain', Filename: 'a.txt', Base64Content: 'Y29udGVudA==' }],
        InlinedAttachments: [{ ContentType: 'image/png', Filename: 'b.png', ContentID: 'logo', Base64Content: 'AQID' }],
        Headers: { 'X-Campaign': 'spring' },
        EventPayload: '{"order":7}',
        CustomID: 'message-2',
      },
    ]);
  });

  it('calls the default host unless the integration sets another', async () => {
    const asked: string[] = [];
    const context = rig.stage.context('mailjet');
    const request = ({ url }: { url: string }) => {
      asked.push(url);
      return Promise.resolve({ status: 500, headers: {}, body: Buffer.alloc(0) });
    };
    const http = { ...context.http, request };
    await mailjet.send(EMAIL, { ...CREDENTIALS, baseUrl: '' }, { ...context, http });
    await mailjet.send(EMAIL, { ...CREDENTIALS, baseUrl: 'https://api.us.mailjet.com/' }, { ...context, http });
    expect(asked).toEqual(['https://api.mailjet.com/v3.1/send', 'https://api.us.mailjet.com/v3.1/send']);
  });

  it('applies overrides in any casing and ignores those of the recipients', async () => {
    const overrides = {
      templateId: 7,
      URLTags: 'a=b',
      trackOpens: 'disabled',
      Headers: { 'X-A': 'b' },
      To: [],
      CustomID: 'x',
    };
    const result = await rig.send({ headers: { 'X-B': 'c' } }, overrides);
    expect(result).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('To') as string, expect.stringContaining('CustomID') as string],
    });
    expect(sent()[0]).toMatchObject({
      TemplateID: 7,
      URLTags: 'a=b',
      TrackOpens: 'disabled',
      Headers: { 'X-A': 'b', 'X-B': 'c' },
      To: [{ Email: 'bob@example.com' }],
      CustomID: 'message-1',
    });
  });

  it('puts SandboxMode next to the messages and never batches such a message', async () => {
    await rig.send({}, { sandboxMode: true });
    expect(JSON.parse(rig.calls[0]!.body)).toMatchObject({ SandboxMode: true });
    expect(sent()[0]).not.toHaveProperty('SandboxMode');
    const item = { message: EMAIL, overrides: { SandboxMode: true } };
    expect(mailjet.batch!.groupOf(item, CREDENTIALS)).toBeUndefined();
  });

  it("uses Clarion's message id for a sandbox message, which gets none", async () => {
    expect(await rig.answering({ json: { Messages: [accepted('')] } })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it.each([
    [401, 'mj-0001', [], 'credentials'],
    [401, 'mj-0015', [], 'credentials'],
    [403, 'send-0006', ['SenderID'], 'credentials'],
    [403, 'send-0007', ['SenderID'], 'credentials'],
    [403, 'send-0008', ['From'], 'credentials'],
    [400, 'send-0003', ['HTMLPart'], 'content'],
    [400, 'send-0004', ['HTMLPart', 'TemplateID'], 'content'],
    [400, 'send-0010', ['TemplateID'], 'content'],
    [400, 'send-0011', ['Headers["To"]'], 'content'],
    [400, 'send-0012', ['CustomCampaign'], 'content'],
    [400, 'send-0015', ['To'], 'content'],
    [400, 'send-0016', ['TemplateLanguage'], 'content'],
    [400, 'mj-0002', [], 'content'],
    [400, 'mj-0003', ['Subject'], 'content'],
    [400, 'mj-0004', ['HTMLPart'], 'content'],
    [400, 'mj-0005', ['Priority'], 'content'],
    [400, 'mj-0006', ['Subject'], 'content'],
    [400, 'mj-0007', ['To'], 'content'],
    [400, 'mj-0008', ['Attachments'], 'content'],
    [400, 'mj-0011', [], 'content'],
    [400, 'mj-0012', ['Email'], 'content'],
    [400, 'mj-0013', ['To[0].Email'], 'recipient'],
    [400, 'mj-0013', ['Bcc[2].Email'], 'recipient'],
    [400, 'mj-0013', ['From.Email'], 'content'],
    [400, 'mj-9999', [], 'permanent'],
    [500, 'mj-9999', [], 'transient'],
  ])('classifies the error %d %s about %p regardless of the status of the call', async (code, error, about, kind) => {
    for (const status of [200, code]) {
      expect(await rig.answering({ status, json: { Messages: [refused(error, code, about)] } })).toMatchObject({
        ok: false,
        kind,
        message: 'no',
        status,
      });
    }
  });

  it('reports all errors of a message', async () => {
    const [first, second] = [refused('mj-0004', 400, [], 'one'), refused('mj-0013', 400, ['To[0].Email'], 'two')];
    const Errors = [...first.Errors, ...second.Errors];
    expect(await rig.answering({ status: 400, json: { Messages: [{ Status: 'error', Errors }] } })).toMatchObject({
      kind: 'content',
      message: 'one; two',
    });
  });

  it('classifies an error of the whole call', async () => {
    const broken = { ErrorCode: 'mj-0002', ErrorMessage: 'Malformed JSON', StatusCode: 400 };
    expect(await rig.answering({ status: 400, json: broken })).toMatchObject({
      kind: 'content',
      message: 'Malformed JSON',
    });
    const login = { ErrorCode: 'mj-0015', ErrorMessage: 'Not authenticated', StatusCode: 401 };
    expect(await rig.answering({ status: 401, json: login })).toMatchObject({ kind: 'credentials' });
  });

  describe('batch', () => {
    it('sends one call and returns one result per message', async () => {
      rig.stage.fake.always('/', {
        status: 400,
        json: {
          Messages: [
            accepted('uuid-1'),
            refused('mj-0013', 400, ['To[0].Email']),
            refused('send-0008', 403),
            accepted('uuid-4'),
          ],
        },
      });
      const results = await rig.sendBatch([
        { id: 'a', subject: 'A' },
        { id: 'b', subject: 'B' },
        { id: 'c' },
        { id: 'd', to: ['dan@example.com'] },
      ]);
      expect(results).toMatchObject([
        { ok: true, id: 'uuid-1' },
        { ok: false, kind: 'recipient' },
        { ok: false, kind: 'credentials' },
        { ok: true, id: 'uuid-4' },
      ]);
      expect(rig.calls).toHaveLength(1);
      expect(sent().map(({ CustomID, Subject }) => [CustomID, Subject])).toEqual([
        ['a', 'A'],
        ['b', 'B'],
        ['c', 'Hello'],
        ['d', 'Hello'],
      ]);
      // The result of one message does not contain data of another.
      expect(results[1]!.raw).not.toContain('uuid-1');
    });

    it('reports an unknown outcome when the response has another number of entries', async () => {
      rig.stage.fake.always('/', { json: { Messages: [accepted('uuid-1')] } });
      expect(await rig.sendBatch([{ id: 'a' }, { id: 'b' }])).toMatchObject([
        { ok: false, kind: 'unknown-outcome' },
        { ok: false, kind: 'unknown-outcome' },
      ]);
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 429, headers: { 'retry-after': '3' } });
      const failure = { ok: false, kind: 'rate-limited', retryAfterMs: 3_000 };
      expect(await rig.sendBatch([{ id: 'a' }, { id: 'b' }])).toMatchObject([failure, failure]);
    });

    it.each([
      ['allows a plain message in a batch', {}, ''],
      ['sends a message with attachments alone', { attachments: FULL_EMAIL.attachments }, undefined],
      ['sends a message with copies alone', { cc: ['cc@example.com'] }, undefined],
      ['sends a long message alone', { html: 'ü'.repeat(100_000) }, undefined],
    ])('%s', (_, message, group) => {
      expect(mailjet.batch!.size).toBe(50);
      expect(mailjet.batch!.groupOf({ message: { ...EMAIL, ...message }, overrides: {} }, CREDENTIALS)).toBe(group);
    });
  });

  it('reads the senders to check the keys', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v3/REST/sender?Limit=1' });
    rig.stage.fake.next('/', { status: 401, json: { ErrorMessage: 'API key authentication failed', StatusCode: 401 } });
    expect(await rig.check()).toMatchObject({
      ok: false,
      kind: 'credentials',
      message: 'API key authentication failed',
    });
  });

  describe('delivery events', () => {
    const event = {
      event: 'sent',
      time: 1767268800,
      MessageID: 19421777835146490,
      Message_GUID: 'uuid-1',
      email: 'bob@example.com',
      CustomID: 'message-1',
      Payload: '',
    };

    testSharedKeyVerification(mailjet);

    it.each([
      ['sent', { smtp_reply: 'sent (250 OK)' }, { kind: 'delivered', reason: 'sent (250 OK)' }],
      ['open', { ip: '127.0.0.1' }, { kind: 'opened' }],
      ['click', { url: 'https://x.example' }, { kind: 'clicked', reason: 'https://x.example' }],
      [
        'bounce',
        { hard_bounce: true, error: 'user unknown' },
        { kind: 'bounced', isPermanent: true, reason: 'user unknown' },
      ],
      ['bounce', { hard_bounce: false, error: 'quota exceeded' }, { kind: 'bounced', isPermanent: false }],
      ['blocked', { error: 'preblocked' }, { kind: 'rejected', reason: 'preblocked' }],
      ['spam', { source: 'JMRPP' }, { kind: 'complained', reason: 'JMRPP' }],
      ['unsub', { mj_list_id: 1 }, { kind: 'unsubscribed' }],
    ])('maps the event %s with %p', (name, more, expected) => {
      expect(eventsOf(mailjet, inbound({ ...event, event: name, ...more }))).toMatchObject([
        {
          ...expected,
          messageId: 'message-1',
          providerMessageId: 'uuid-1',
          recipient: 'bob@example.com',
          at: NOW,
        },
      ]);
    });

    it('derives a stable id for each event of a call', () => {
      const call = inbound([
        event,
        { ...event, event: 'open' },
        { ...event, event: 'click', url: 'https://x.example/1' },
      ]);
      const ids = eventsOf(mailjet, call).map(({ id }) => id);
      expect(new Set(ids).size).toBe(3);
      expect(eventsOf(mailjet, call).map(({ id }) => id)).toEqual(ids);
      expect(eventsOf(mailjet, inbound({ ...event, event: 'click', url: 'https://x.example/2' }))[0]!.id).not.toBe(
        ids[2],
      );
    });

    it.each([
      '',
      'null',
      '[]',
      '[null,7,"x"]',
      '{}',
      '{"event":"sent"}',
      '{"event":"parseapi","MessageID":1}',
      '<html>',
    ])('returns no event for the body %p', (body) => {
      expect(eventsOf(mailjet, inbound(body))).toEqual([]);
    });
  });
});
