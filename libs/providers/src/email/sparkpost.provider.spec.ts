import { type JsonObject } from '@clarion/contracts';
import {
  eventsOf,
  inbound,
  inboundContext,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
  verdictOf,
} from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { sparkpost } from './sparkpost.provider';

describe('SparkPost', () => {
  const response = (accepted: number, rejected = 0, more: object = {}) => ({
    results: {
      total_accepted_recipients: accepted,
      total_rejected_recipients: rejected,
      id: '11668787484950529',
      ...more,
    },
  });
  const rig = testProviderContract(sparkpost, {
    success: { json: response(1) },
    id: '11668787484950529',
  });
  const body = (): JsonObject => JSON.parse(rig.calls.at(-1)!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v1/transmissions' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'canary-api-key',
      'content-type': 'application/json',
    });
    expect(body()).toEqual({
      recipients: [{ address: { email: 'bob@example.com' } }],
      content: { from: 'Sender <sender@example.com>', subject: 'Hello', html: '<p>hi</p>' },
      options: { transactional: true },
      metadata: { message_id: 'message-1' },
    });
  });

  it('posts all parts of a message', async () => {
    await rig.send({
      ...FULL_EMAIL,
      to: ['bob@example.com', 'ann@example.com'],
      customData: { order: 7 },
      ipPoolName: 'p',
    });
    const address = (email: string) => ({ address: { email, header_to: 'bob@example.com, ann@example.com' } });
    expect(body()).toEqual({
      recipients: ['bob@example.com', 'ann@example.com', 'cc@example.com', 'bcc@example.com'].map(address),
      content: {
        from: '"Ann \\"Boss\\" Ü" <ann@example.com>',
        subject: 'Grüße',
        html: '<p>hi</p>',
        text: 'hi',
        reply_to: 'reply@example.com',
        headers: { 'X-Campaign': 'spring', CC: 'cc@example.com' },
        attachments: [{ name: 'a.txt', type: 'text/plain', data: Buffer.from('content').toString('base64') }],
        inline_images: [{ name: 'logo', type: 'image/png', data: 'AQID' }],
      },
      options: { transactional: true, ip_pool: 'p' },
      metadata: { order: 7, message_id: 'message-2' },
    });
    expect(JSON.stringify(body()['content'])).not.toContain('bcc@');
  });

  it('calls the host of the region', async () => {
    const hosts: string[] = [];
    for (const region of [undefined, 'us', 'eu', 'EU', 'true']) {
      const context = rig.stage.context('sparkpost');
      const http = {
        ...context.http,
        request: (request: { url: string }) => {
          hosts.push(new URL(request.url).host);
          return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(response(1))) });
        },
      };
      await sparkpost.send(FULL_EMAIL, { apiKey: 'x', region }, { ...context, http });
    }
    const [us, eu] = ['api.sparkpost.com', 'api.eu.sparkpost.com'];
    expect(hosts).toEqual([us, us, eu, eu, eu]);
  });

  it('escapes braces unless the trigger sets substitution data', async () => {
    const text = 'a {{b}} {{{c}}} }} { d }';
    const escaped =
      'a {{opening_double_curly()}}b{{closing_double_curly()}} {{opening_triple_curly()}}c{{closing_triple_curly()}}' +
      ' {{closing_double_curly()}} { d }';
    await rig.send({ subject: text, html: text, text, headers: { 'X-A': text }, senderName: '{{x}}' });
    expect(body()['content']).toEqual({
      from: '"{{opening_double_curly()}}x{{closing_double_curly()}}" <sender@example.com>',
      subject: escaped,
      html: escaped,
      text: escaped,
      headers: { 'X-A': escaped },
    });
    await rig.send({ subject: text }, { substitutionData: { b: 1 } });
    expect(body()).toMatchObject({ content: { subject: text }, substitution_data: { b: 1 } });
  });

  it('puts overrides into their place and lets a template replace the content', async () => {
    await rig.send(
      {},
      { campaignId: 'c', options: { click_tracking: false }, content: { amp_html: '<a>' }, recipients: [] },
    );
    expect(body()).toMatchObject({
      campaign_id: 'c',
      options: { transactional: true, click_tracking: false },
      content: { amp_html: '<a>', subject: 'Hello' },
      recipients: [{ address: { email: 'bob@example.com' } }],
    });
    await rig.send({}, { content: { template_id: 't' } });
    expect(body()['content']).toEqual({ template_id: 't' });
  });

  it('fails when all recipients are rejected and warns when some are', async () => {
    const errors = [{ message: 'transmission created, but with validation errors', code: '2000' }];
    const rcpt_to_errors = [{ message: 'bad', description: 'address.email is required', code: '1400' }];
    expect(await rig.answering({ json: { errors, ...response(0, 1, { rcpt_to_errors }) } })).toMatchObject({
      ok: false,
      kind: 'recipient',
      message: 'address.email is required',
    });
    expect(await rig.answering({ json: { errors, ...response(1, 2, { rcpt_to_errors }) } })).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/2 of the recipients: address\.email is required/)],
    });
  });

  it.each([
    [400, '7001', 'Unconfigured or unverified sending domain.', 'credentials'],
    [400, '1902', 'recipient address suppressed due to customer policy', 'recipient'],
    [400, '1902', 'bad template', 'content'],
    [422, '1300', 'invalid data format/type', 'content'],
    [422, '1301', 'both content and template', 'content'],
    [422, '1400', 'content object is required', 'content'],
    [400, '5002', 'no valid recipients', 'recipient'],
    [420, '2101', 'Exceed Sending Limit (hourly)', 'rate-limited'],
    [420, '2102', 'Exceed Sending Limit (daily)', 'quota'],
    [420, '2103', 'Exceed Sending Limit (sandbox)', 'quota'],
    [401, '', 'Unauthorized.', 'credentials'],
    [404, '1600', 'template does not exist', 'permanent'],
    [429, '', 'Too many requests', 'rate-limited'],
  ])('classifies a %d with code %s and the text "%s" as %s', async (status, code, description, kind) => {
    const json = { errors: [{ message: 'no', description, code }] };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: description });
  });

  it('classifies any other 420 as quota', async () => {
    expect(await rig.answering({ status: 420 })).toMatchObject({ kind: 'quota' });
  });

  it('reads the account to check the credentials', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/v1/account' });
    rig.stage.fake.always('/', { status: 403, json: { errors: [{ message: 'Forbidden.' }] } });
    expect(await rig.check()).toMatchObject({ ok: true });
  });

  describe('delivery events', () => {
    const event = {
      type: 'delivery',
      event_id: '92356927693813856',
      transmission_id: '11668787484950529',
      rcpt_to: 'bob@example.com',
      raw_rcpt_to: 'Bob@example.com',
      timestamp: '1767265200',
      rcpt_meta: { message_id: 'message-1' },
    };
    const common = {
      id: '92356927693813856',
      providerMessageId: '11668787484950529',
      messageId: 'message-1',
      recipient: 'Bob@example.com',
      at: new Date('2026-01-01T11:00:00Z'),
    };
    const events = (...list: object[]) =>
      eventsOf(sparkpost, inbound(list.map((one) => ({ msys: { message_event: { ...event, ...one } } }))));

    testSharedKeyVerification(sparkpost);

    it('accepts a call with the token of the webhook', async () => {
      const call = (token: string) => inbound('[]', { headers: { 'x-messagesystems-webhook-token': token } });
      expect(await verdictOf(sparkpost, call('right'), inboundContext('right'))).toBe(true);
      expect(await verdictOf(sparkpost, call('wrong'), inboundContext('right'))).toBe(false);
      expect(await verdictOf(sparkpost, call(''), inboundContext(''))).toBe(false);
    });

    it.each<[object, object]>([
      [{}, { kind: 'delivered' }],
      [
        { type: 'delay', raw_reason: '451 later' },
        { kind: 'deferred', reason: '451 later' },
      ],
      [
        { type: 'bounce', bounce_class: '10', raw_reason: '550' },
        { kind: 'bounced', isPermanent: true, reason: '550' },
      ],
      [
        { type: 'bounce', bounce_class: '30' },
        { kind: 'bounced', isPermanent: true },
      ],
      [
        { type: 'bounce', bounce_class: '90' },
        { kind: 'bounced', isPermanent: true },
      ],
      [
        { type: 'bounce', bounce_class: '22', reason: 'full' },
        { kind: 'bounced', isPermanent: false, reason: 'full' },
      ],
      [
        { type: 'bounce', bounce_class: '1' },
        { kind: 'bounced', isPermanent: false },
      ],
      [
        { type: 'out_of_band', bounce_class: '10' },
        { kind: 'bounced', isPermanent: true },
      ],
      [{ type: 'policy_rejection' }, { kind: 'rejected' }],
      [{ type: 'generation_rejection' }, { kind: 'rejected' }],
      [{ type: 'generation_failure' }, { kind: 'failed' }],
      [{ type: 'open' }, { kind: 'opened' }],
      [{ type: 'amp_open' }, { kind: 'opened' }],
      [
        { type: 'click', target_link_url: 'https://x.example' },
        { kind: 'clicked', reason: 'https://x.example' },
      ],
      [{ type: 'amp_click' }, { kind: 'clicked' }],
      [{ type: 'spam_complaint' }, { kind: 'complained' }],
      [{ type: 'list_unsubscribe' }, { kind: 'unsubscribed' }],
      [{ type: 'link_unsubscribe' }, { kind: 'unsubscribed' }],
    ])('maps the event %j', (over, expected) => expect(events(over)).toEqual([{ ...common, ...expected }]));

    it('reads several events of one call', () => {
      expect(
        events({}, { type: 'open', event_id: '2', raw_rcpt_to: undefined }).map(({ id, recipient }) => [id, recipient]),
      ).toEqual([
        ['92356927693813856', 'Bob@example.com'],
        ['2', 'bob@example.com'],
      ]);
    });

    it.each([
      { type: 'injection' },
      { type: 'initial_open' },
      { type: 'bounce', bounce_class: '60' },
      { type: 'bounce', bounce_class: '80' },
      { type: 'bounce', bounce_class: '100' },
      { type: 'constructor' },
      { transmission_id: undefined },
    ])('skips %j, which does not change the state of a message', (over) => expect(events(over)).toEqual([]));

    it('derives an id for events without one', () => {
      const ids = [{}, {}, { type: 'open' }, { timestamp: '1' }, { rcpt_to: 'ann@example.com' }, { message_id: 'm' }]
        .flatMap((more) => events({ event_id: undefined, ...more }))
        .map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([6, 5]);
    });

    it('returns no event for the empty test call', () => {
      expect(eventsOf(sparkpost, inbound([{ msys: {} }]))).toEqual([]);
    });

    testUnreadableEvents(sparkpost);
  });
});
