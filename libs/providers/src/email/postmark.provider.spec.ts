import type { JsonObject } from '@clarion/contracts';
import { eventsOf, inbound, NOW, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { CREDENTIALS, EMAIL, FULL_EMAIL } from '../../test/samples';
import { postmark } from './postmark.provider';

describe('Postmark', () => {
  const accepted = (MessageID: string, Message = 'OK') => ({
    To: 'bob@example.com',
    SubmittedAt: '2026-01-01T13:00:00.0000000+01:00',
    MessageID,
    ErrorCode: 0,
    Message,
  });

  const rig = testProviderContract(postmark, {
    success: { json: accepted('pm-1') },
    id: 'pm-1',
    check: { json: { ID: 1, Name: 'Production' } },
  });
  const body = (): unknown => JSON.parse(rig.calls[0]!.body);

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'pm-1', date: NOW });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/email' });
    expect(rig.calls[0]!.headers).toMatchObject({
      'x-postmark-server-token': 'canary-api-key',
      accept: 'application/json',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      From: 'Sender <sender@example.com>',
      To: 'bob@example.com',
      Subject: 'Hello',
      HtmlBody: '<p>hi</p>',
      Metadata: { message_id: 'message-1' },
    });
  });

  it('posts all parts of a message', async () => {
    await rig.send({ ...FULL_EMAIL, to: ['bob@example.com', 'dan@example.com'], customData: { order: 7 } });
    expect(body()).toEqual({
      From: '"Ann \\"Boss\\" Ü" <ann@example.com>',
      To: 'bob@example.com, dan@example.com',
      Cc: 'cc@example.com',
      Bcc: 'bcc@example.com',
      ReplyTo: 'reply@example.com',
      Subject: 'Grüße',
      HtmlBody: '<p>hi</p>',
      TextBody: 'hi',
      Headers: [{ Name: 'X-Campaign', Value: 'spring' }],
      Attachments: [
        { Name: 'a.txt', Content: 'Y29udGVudA==', ContentType: 'text/plain' },
        { Name: 'b.png', Content: 'AQID', ContentType: 'image/png', ContentID: 'cid:logo' },
      ],
      Metadata: { order: '7', message_id: 'message-2' },
    });
  });

  it('applies overrides in any casing and ignores an override of the recipients', async () => {
    const overrides = {
      messageStream: 'broadcast',
      TrackLinks: 'None',
      Metadata: { more: 'x' },
      Headers: [],
      To: 'eve@example.com',
    };
    const result = await rig.send({ headers: { 'X-A': 'b' } }, overrides);
    expect(result).toMatchObject({ ok: true, warnings: [expect.stringContaining('To') as string] });
    expect(body()).toMatchObject({
      MessageStream: 'broadcast',
      TrackLinks: 'None',
      Metadata: { more: 'x', message_id: 'message-1' },
      Headers: [],
      To: 'bob@example.com',
    });
  });

  it('warns about inactive recipients of an accepted mail', async () => {
    const text = 'Message OK, but will not deliver to these inactive addresses: cc@example.com';
    expect(await rig.answering({ json: accepted('pm-1', text) })).toMatchObject({
      ok: true,
      id: 'pm-1',
      warnings: [text],
    });
    expect(await rig.answering({ json: accepted('pm-1', 'Test job accepted') })).not.toHaveProperty('warnings');
  });

  const ERRORS = [
    [401, 10, 'The Server Token you provided is not valid', 'credentials'],
    [503, 100, 'Maintenance', 'transient'],
    [422, 300, 'Zero recipients specified', 'content'],
    [422, 300, "Error parsing 'To': Illegal email domain 'x'", 'recipient'],
    [422, 300, "Invalid 'Cc' address", 'recipient'],
    [422, 300, "Invalid 'From' address: it is not a verified sender signature", 'credentials'],
    [422, 400, 'Sender signature not found', 'credentials'],
    [422, 401, 'Sender signature not confirmed', 'credentials'],
    [422, 402, 'Invalid JSON', 'permanent'],
    [422, 405, 'Not allowed to send', 'quota'],
    [422, 406, 'Inactive recipient', 'recipient'],
    [422, 411, 'Forbidden attachment type', 'content'],
    [422, 412, 'Account is pending', 'credentials'],
    [422, 413, 'Account may not send', 'credentials'],
    [429, 429, 'Rate limit exceeded', 'rate-limited'],
    [422, 9999, 'Something new', 'permanent'],
  ] as const;

  it.each(ERRORS)('classifies a %d with code %d and the text "%s" as %s', async (status, ErrorCode, Message, kind) => {
    expect(await rig.answering({ status, json: { ErrorCode, Message } })).toMatchObject({
      ok: false,
      kind,
      message: Message,
      status,
    });
  });

  it('accepts an id without a code and warns that it does not support IP pools', async () => {
    rig.stage.fake.always('/', { json: { MessageID: 'pm-1', SubmittedAt: '2026-01-01T12:00:00Z' } });
    expect(await rig.send({ ipPoolName: 'pool' })).toMatchObject({
      ok: true,
      id: 'pm-1',
      warnings: [expect.stringContaining('ipPoolName')],
    });
  });

  it('reports an unknown outcome for a success code without an id', async () => {
    expect(await rig.answering({ json: { ErrorCode: 0, Message: 'OK' } })).toMatchObject({ kind: 'unknown-outcome' });
  });

  describe('batch', () => {
    it('sends one call and returns one result per message', async () => {
      rig.stage.fake.always('/', {
        json: [
          accepted('pm-1'),
          ...ERRORS.map(([, ErrorCode, Message]) => ({ ErrorCode, Message })),
          accepted('pm-2', 'Message OK, but will not deliver to these inactive addresses: x@example.com'),
        ],
      });
      const results = await rig.sendBatch(
        Array.from({ length: ERRORS.length + 2 }, (_, index) => ({ id: `m-${index}`, subject: `S ${index}` })),
      );
      expect(results[0]).toMatchObject({ ok: true, id: 'pm-1', date: NOW });
      expect(results.slice(1, -1)).toMatchObject(
        ERRORS.map(([, , message, kind]) => ({ ok: false, kind, message, status: 200 })),
      );
      expect(results.at(-1)).toMatchObject({ ok: true, id: 'pm-2', warnings: [expect.any(String)] });
      expect(rig.calls).toHaveLength(1);
      expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/email/batch' });
      expect(rig.calls[0]!.headers).toMatchObject({ 'x-postmark-server-token': 'canary-api-key' });
      expect((body() as JsonObject[]).slice(0, 2)).toMatchObject([
        { To: 'bob@example.com', Subject: 'S 0', Metadata: { message_id: 'm-0' } },
        { To: 'bob@example.com', Subject: 'S 1', Metadata: { message_id: 'm-1' } },
      ]);
      // The result of one message does not contain data of another.
      expect(results[1]!.raw).not.toContain('pm-1');
    });

    it('reports an unknown outcome when the response has another number of entries', async () => {
      rig.stage.fake.always('/', { json: [accepted('pm-1')] });
      const unknown = { ok: false, kind: 'unknown-outcome' };
      expect(await rig.sendBatch([{ id: 'a' }, { id: 'b' }])).toMatchObject([unknown, unknown]);
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 401, json: { ErrorCode: 10, Message: 'no' } });
      const failure = { ok: false, kind: 'credentials', message: 'no' };
      expect(await rig.sendBatch([{ id: 'a' }, { id: 'b' }])).toMatchObject([failure, failure]);
    });

    it('reads a batch response of the maximum size to the end', async () => {
      const long = { ErrorCode: 406, Message: 'x'.repeat(500) };
      rig.stage.fake.always('/', { json: Array(postmark.batch!.size).fill(long) });
      const results = await rig.sendBatch(Array.from({ length: postmark.batch!.size }, () => ({})));
      expect(new Set(results.map((result) => !result.ok && result.kind))).toEqual(new Set(['recipient']));
    });

    it.each([
      ['allows a plain message in a batch', {}, ''],
      ['sends a message with attachments alone', { attachments: FULL_EMAIL.attachments }, undefined],
      ['sends a message with copies alone', { bcc: ['bcc@example.com'] }, undefined],
      ['sends a long message alone', { text: 'x'.repeat(300_000) }, undefined],
    ])('%s', (_, message, group) => {
      expect(postmark.batch!.groupOf({ message: { ...EMAIL, ...message }, overrides: {} }, CREDENTIALS)).toBe(group);
    });
  });

  it('reads the server to check its token', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/server' });
    rig.stage.fake.next('/', { status: 401, json: { ErrorCode: 10, Message: 'no' } });
    expect(await rig.check()).toMatchObject({ ok: false, kind: 'credentials', message: 'no' });
  });

  describe('delivery events', () => {
    const time = '2026-01-01T13:00:00.0000000+01:00';
    const about = { MessageID: 'pm-1', Metadata: { message_id: 'message-1' }, MessageStream: 'outbound' };
    const common = { messageId: 'message-1', providerMessageId: 'pm-1', recipient: 'bob@example.com', at: NOW };
    const delivery = {
      ...about,
      RecordType: 'Delivery',
      Recipient: 'bob@example.com',
      DeliveredAt: time,
      Details: '250 OK',
    };
    const bounce = {
      ...about,
      RecordType: 'Bounce',
      ID: 42,
      Email: 'bob@example.com',
      BouncedAt: time,
      Details: '550 no such user',
    };
    const suppressed = {
      ...about,
      RecordType: 'SubscriptionChange',
      Recipient: 'bob@example.com',
      ChangedAt: time,
      Origin: 'Recipient',
      SuppressSending: true,
      SuppressionReason: 'ManualSuppression',
    };

    testSharedKeyVerification(postmark);

    it.each([
      ['Delivery', delivery, { kind: 'delivered', reason: '250 OK' }],
      [
        'Open',
        { ...about, RecordType: 'Open', Recipient: 'bob@example.com', ReceivedAt: time, FirstOpen: true },
        { kind: 'opened' },
      ],
      [
        'Click',
        {
          ...about,
          RecordType: 'Click',
          Recipient: 'bob@example.com',
          ReceivedAt: time,
          OriginalLink: 'https://x.example',
        },
        { kind: 'clicked', reason: 'https://x.example' },
      ],
      ['SpamComplaint', { ...bounce, RecordType: 'SpamComplaint', Type: 'SpamComplaint' }, { kind: 'complained' }],
      ['SubscriptionChange', suppressed, { kind: 'unsubscribed' }],
    ])('maps the event %s', (_, event, expected) => {
      expect(eventsOf(postmark, inbound(event))).toMatchObject([{ ...expected, ...common }]);
    });

    it.each([
      ['HardBounce', { kind: 'bounced', isPermanent: true }],
      ['BadEmailAddress', { kind: 'bounced', isPermanent: true }],
      ['SoftBounce', { kind: 'bounced', isPermanent: false }],
      ['Blocked', { kind: 'bounced', isPermanent: false }],
      ['DnsError', { kind: 'bounced', isPermanent: false }],
      ['Unknown', { kind: 'bounced', isPermanent: false }],
      ['Transient', { kind: 'deferred' }],
      ['SpamComplaint', { kind: 'complained' }],
      ['Unsubscribe', { kind: 'unsubscribed' }],
      ['ManuallyDeactivated', { kind: 'rejected' }],
      ['DMARCPolicy', { kind: 'rejected' }],
      ['SMTPApiError', { kind: 'failed' }],
      ['TemplateRenderingFailed', { kind: 'failed' }],
    ])('maps the bounce type %s', (Type, expected) => {
      const [event] = eventsOf(postmark, inbound({ ...bounce, Type }));
      expect(event).toMatchObject({ ...expected, ...common, reason: '550 no such user' });
      expect(event!.isPermanent).toBe((expected as { isPermanent?: boolean }).isPermanent);
    });

    it('treats a bounce of a deactivated address as permanent', () => {
      expect(eventsOf(postmark, inbound({ ...bounce, Type: 'Blocked', Inactive: true }))).toMatchObject([
        { kind: 'bounced', isPermanent: true },
      ]);
    });

    it('derives a stable id for each event of a call', () => {
      const call = inbound([
        delivery,
        { ...delivery, DeliveredAt: '2026-01-01T13:00:01Z' },
        { ...bounce, Type: 'Transient' },
        { ...bounce, Type: 'SoftBounce' },
        { ...bounce, Type: 'HardBounce' },
      ]);
      const ids = eventsOf(postmark, call).map(({ id }) => id);
      expect(new Set(ids).size).toBe(5);
      expect(eventsOf(postmark, call).map(({ id }) => id)).toEqual(ids);
    });

    it.each([
      ['an automatic reply', { ...bounce, Type: 'AutoResponder' }],
      ['a subscription', { ...bounce, Type: 'Subscribe' }],
      ['a reactivated address', { ...suppressed, SuppressSending: false }],
      ['an address that the account suppressed', { ...suppressed, Origin: 'Customer' }],
      ['a subscription change after a complaint', { ...suppressed, SuppressionReason: 'SpamComplaint' }],
      ['an event of another type', { ...delivery, RecordType: 'Inbound' }],
      ['an event without a message', { ...delivery, MessageID: null }],
      ['an empty body', ''],
      ['null', 'null'],
      ['a list without events', '[null,7,"x",{}]'],
      ['an HTML page', '<html>'],
    ])('returns no event for %s', (_, call) => {
      expect(eventsOf(postmark, inbound(call))).toEqual([]);
    });
  });
});
