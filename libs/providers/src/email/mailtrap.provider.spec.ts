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
import { mailtrap } from './mailtrap.provider';

describe('Mailtrap', () => {
  const rig = testProviderContract(mailtrap, {
    success: { json: { success: true, message_ids: ['0c7fd939-1', '0c7fd939-2'] } },
    id: '0c7fd939-1',
    check: { json: [{ id: 1, name: 'Shop' }] },
  });
  const body = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: bearer('canary-api-key'),
      'content-type': 'application/json',
      'user-agent': 'clarion',
    });
    expect(body()).toEqual({
      from: { email: 'sender@example.com', name: 'Sender' },
      to: [{ email: 'bob@example.com' }],
      subject: 'Hello',
      html: '<p>hi</p>',
      custom_variables: { message_id: 'message-1' },
    });
  });

  it('posts all parts of a message and warns about the IP pool', async () => {
    expect(await rig.send({ ...FULL_EMAIL, customData: { order: 7 }, ipPoolName: 'pool' })).toMatchObject({
      warnings: [expect.stringContaining('ipPoolName')],
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
      headers: { 'X-Campaign': 'spring' },
      attachments: [
        { filename: 'a.txt', type: 'text/plain', content: Buffer.from('content').toString('base64') },
        { filename: 'b.png', type: 'image/png', content: 'AQID', disposition: 'inline', content_id: 'logo' },
      ],
      custom_variables: { order: '7', message_id: 'message-2' },
    });
  });

  it('applies overrides and leaves the content to a template', async () => {
    await rig.send({}, { category: 'orders', customVariables: { a: 'b' }, to: [{ email: 'eve@example.com' }] });
    expect(body()).toMatchObject({ category: 'orders', custom_variables: { a: 'b', message_id: 'message-1' } });
    expect(rig.calls[0]!.body).not.toContain('eve@');
    await rig.send({}, { templateUuid: 'b81a', template_variables: { name: 'Bob' } });
    const second = JSON.parse(rig.calls[1]!.body) as JsonObject;
    expect(second).toMatchObject({ template_uuid: 'b81a', template_variables: { name: 'Bob' } });
    for (const name of ['subject', 'html', 'text']) expect(second).not.toHaveProperty(name);
  });

  it.each([
    [400, { success: false, errors: ["'subject' is required"] }, 'content', "'subject' is required"],
    [200, { success: false, errors: ['one', 'two'] }, 'content', 'one; two'],
    [401, { success: false, errors: ['Unauthorized'] }, 'credentials', 'Unauthorized'],
    [401, { error: 'Incorrect API token' }, 'credentials', 'Incorrect API token'],
    [403, { errors: 'Access forbidden' }, 'credentials', 'Access forbidden'],
    [429, { errors: ['Rate limit exceeded'] }, 'rate-limited', 'Rate limit exceeded'],
    [500, { success: false, errors: ['Oops'] }, 'transient', 'Oops'],
  ])('classifies a %d with %j as %s', async (status, json, kind, message) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message });
  });

  it('reports an unknown outcome for a success without an id', async () => {
    expect(await rig.answering({ json: { success: true } })).toMatchObject({ ok: false, kind: 'unknown-outcome' });
    expect(await rig.answering({ json: { success: true, message_ids: [] } })).toMatchObject({
      kind: 'unknown-outcome',
    });
  });

  describe('batch', () => {
    const answering = (json: unknown) => rig.stage.fake.always('/api/batch', { json });

    it('returns one result per message', async () => {
      answering({
        success: true,
        responses: [
          { success: true, message_ids: ['a'] },
          { success: false, errors: ['no such domain'] },
          { success: true, message_ids: ['c'] },
        ],
      });
      const results = await rig.sendBatch([{}, { to: ['ann@example.com'] }, { id: 'message-3', subject: 'Third' }]);
      expect(results).toMatchObject([
        { ok: true, id: 'a' },
        { ok: false, kind: 'content', message: 'no such domain' },
        { ok: true, id: 'c' },
      ]);
      expect(rig.calls).toHaveLength(1);
      expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/batch' });
      expect(body()).toMatchObject({
        requests: [
          { to: [{ email: 'bob@example.com' }], subject: 'Hello' },
          { to: [{ email: 'ann@example.com' }] },
          { subject: 'Third', custom_variables: { message_id: 'message-3' } },
        ],
      });
    });

    it.each([
      [{ success: true, responses: [{ success: true, message_ids: ['a'] }] }],
      [{ success: true }],
      [{ success: true, responses: 'all' }],
    ])('reports an unknown outcome for all messages when the response is incomplete: %j', async (json) => {
      answering(json);
      expect(await rig.sendBatch([{}, {}])).toMatchObject([{ kind: 'unknown-outcome' }, { kind: 'unknown-outcome' }]);
    });

    it('fails all messages when the call fails', async () => {
      answering({ success: false, errors: ['Too large'] });
      expect(await rig.sendBatch([{}, {}])).toMatchObject([{ kind: 'content' }, { kind: 'content' }]);
      rig.stage.fake.always('/api/batch', { status: 401, json: { errors: ['Unauthorized'] } });
      expect(await rig.sendBatch([{}, {}])).toMatchObject([{ kind: 'credentials' }, { kind: 'credentials' }]);
    });

    it('batches only small messages to one recipient', () => {
      const groupOf = (message: object) =>
        mailtrap.batch!.groupOf(
          { message: { ...FULL_EMAIL, cc: [], bcc: [], attachments: [], ...message }, overrides: {} },
          {},
        );
      expect(mailtrap.batch!.size).toBe(200);
      expect(groupOf({})).toBe('');
      expect(groupOf({ cc: ['cc@example.com'] })).toBeUndefined();
      expect(groupOf({ attachments: FULL_EMAIL.attachments })).toBeUndefined();
      expect(groupOf({ html: 'x'.repeat(200_000) })).toBeUndefined();
    });
  });

  it('reads the accounts to check the credentials', async () => {
    rig.stage.fake.always('/api/accounts', { json: [] });
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/accounts' });
    rig.stage.fake.always('/api/accounts', { text: '<html></html>' });
    expect(await rig.check()).toMatchObject({ ok: false });
  });

  describe('delivery events', () => {
    const event = {
      event: 'delivery',
      timestamp: 1767265200,
      message_id: '0c7fd939-1',
      email: 'bob@example.com',
      event_id: 'event-1',
      custom_variables: { message_id: 'message-1' },
    };
    const common = {
      id: 'event-1',
      providerMessageId: '0c7fd939-1',
      messageId: 'message-1',
      recipient: 'bob@example.com',
      at: new Date('2026-01-01T11:00:00Z'),
    };

    it('accepts only a body that is signed with the signing key', async () => {
      const text = JSON.stringify({ events: [event] });
      const signed = (key: string, signature = hmac('sha256', key, text)) =>
        inbound(text, { headers: { 'mailtrap-signature': signature } });
      expect(await verdictOf(mailtrap, signed('key'), inboundContext('key'))).toBe(true);
      expect(await verdictOf(mailtrap, signed('other'), inboundContext('key'))).toBe(false);
      expect(await verdictOf(mailtrap, signed('key', ''), inboundContext('key'))).toBe(false);
      expect(await verdictOf(mailtrap, inbound(text), inboundContext('key'))).toBe(false);
      expect(await verdictOf(mailtrap, signed('', hmac('sha256', '', text)), inboundContext())).toBe(false);
    });

    it.each<[object, object]>([
      [{}, { kind: 'delivered' }],
      [
        { event: 'bounce', response: '550 no such user' },
        { kind: 'bounced', isPermanent: true, reason: '550 no such user' },
      ],
      [
        { event: 'bounce', bounce_category: 'spam' },
        { kind: 'bounced', isPermanent: false },
      ],
      [
        { event: 'soft bounce', response: '451 later' },
        { kind: 'deferred', reason: '451 later' },
      ],
      [{ event: 'soft_bounce' }, { kind: 'deferred' }],
      [
        { event: 'suspension', reason: 'daily limit' },
        { kind: 'deferred', reason: 'daily limit' },
      ],
      [
        { event: 'reject', reason: 'suppressed' },
        { kind: 'rejected', reason: 'suppressed' },
      ],
      [{ event: 'open' }, { kind: 'opened' }],
      [
        { event: 'click', url: 'https://x.example' },
        { kind: 'clicked', reason: 'https://x.example' },
      ],
      [{ event: 'spam' }, { kind: 'complained' }],
      [{ event: 'unsubscribe' }, { kind: 'unsubscribed' }],
    ])('maps the event %j', (over, expected) => {
      expect(eventsOf(mailtrap, inbound({ events: [{ ...event, ...over }] }))).toEqual([{ ...common, ...expected }]);
    });

    it('derives an id for events without one', () => {
      const ids = [{}, {}, { event: 'open' }, { timestamp: 1 }, { email: 'ann@example.com' }]
        .flatMap((more) => eventsOf(mailtrap, inbound({ events: [{ ...event, event_id: undefined, ...more }] })))
        .map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([5, 4]);
    });

    it('reads several events from a list or from lines', () => {
      const second = { ...event, event: 'open', event_id: 'event-2', custom_variables: undefined };
      const expected = [
        { ...common, kind: 'delivered' },
        { ...common, id: 'event-2', kind: 'opened', messageId: undefined },
      ];
      expect(eventsOf(mailtrap, inbound({ events: [event, second] }))).toEqual(expected);
      expect(eventsOf(mailtrap, inbound(`${JSON.stringify(event)}\n${JSON.stringify(second)}\n`))).toEqual(expected);
      expect(eventsOf(mailtrap, inbound(JSON.stringify([event, second], null, 2)))).toEqual(expected);
      expect(eventsOf(mailtrap, inbound(JSON.stringify(event, null, 2)))).toEqual(expected.slice(0, 1));
    });

    it.each([
      { ...event, event: 'activity_log.user.login' },
      { ...event, event: 'constructor' },
      { ...event, message_id: undefined },
    ])('skips %j, which is not about a message', (one) => {
      expect(eventsOf(mailtrap, inbound({ events: [one] }))).toEqual([]);
    });

    testUnreadableEvents(mailtrap);
  });
});
