import { type JsonObject } from '@clarion/contracts';
import {
  eventsOf,
  inbound,
  testProviderContract,
  testSharedKeyVerification,
  testUnreadableEvents,
} from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { netcore } from './netcore.provider';

describe('Netcore', () => {
  const rig = testProviderContract(netcore, {
    success: { status: 202, json: { status: 'success', message: 'OK', data: { message_id: '15536250111702803' } } },
    id: '15536250111702803',
    credentials: { baseUrl: '' },
  });
  const body = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it('posts a message with only the required parts', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, date: expect.any(Date) as Date });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v5.1/mail/send' });
    expect(rig.calls[0]!.headers).toMatchObject({ api_key: 'canary-api-key', 'content-type': 'application/json' });
    expect(body()).toEqual({
      from: { email: 'sender@example.com', name: 'Sender' },
      subject: 'Hello',
      content: [{ type: 'html', value: '<p>hi</p>' }],
      personalizations: [{ to: [{ email: 'bob@example.com' }], token_to: 'message-1' }],
    });
  });

  it('posts the supported parts of a message and warns about the others', async () => {
    const result = await rig.send({ ...FULL_EMAIL, ipPoolName: 'pool', customData: { a: 1 } });
    expect(body()).toEqual({
      from: { email: 'ann@example.com', name: 'Ann "Boss" Ü' },
      reply_to: 'reply@example.com',
      subject: 'Grüße',
      content: [{ type: 'html', value: '<p>hi</p>' }],
      personalizations: [
        {
          to: [{ email: 'bob@example.com' }],
          cc: [{ email: 'cc@example.com' }],
          bcc: [{ email: 'bcc@example.com' }],
          headers: { 'X-Campaign': 'spring' },
          attachments: [
            { name: 'a.txt', content: Buffer.from('content').toString('base64') },
            { name: 'b.png', content: 'AQID' },
          ],
          token_to: 'message-2',
        },
      ],
      settings: { ip_pool: 'pool' },
    });
    expect(result).toMatchObject({
      warnings: ['pictures', 'customData'].map((part) => expect.stringContaining(part) as string),
    });
  });

  it('puts overrides into their place and ignores an override of the recipients', async () => {
    await rig.send(
      { headers: { 'X-A': 'a' } },
      { templateId: 7, attributes: { NAME: 'Bob' }, headers: { 'X-B': 'b' }, settings: { open_track: false }, to: [] },
    );
    expect(body()).toMatchObject({
      template_id: 7,
      settings: { open_track: false },
      personalizations: [
        { to: [{ email: 'bob@example.com' }], attributes: { NAME: 'Bob' }, headers: { 'X-A': 'a', 'X-B': 'b' } },
      ],
    });
    expect(body()).not.toHaveProperty('attributes');
  });

  it.each([
    [400, { status: 'error', error_info: [{ field: 'from', message: 'bad', help: 'x' }] }, 'content', 'from: bad'],
    [400, { status: 'error', error: 'no content' }, 'content', 'no content'],
    [200, { status: 'error', error_info: [{ message: 'one' }, { message: 'two' }] }, 'content', 'one; two'],
    [401, { status: 'error', message: 'Unauthorized' }, 'credentials', 'Unauthorized'],
    [429, { status: 'error', message: 'Slow down' }, 'rate-limited', 'Slow down'],
    [500, { status: 'error', message: 'Oops' }, 'transient', 'Oops'],
  ])('classifies a %d with %j as %s', async (status, json, kind, message) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message });
  });

  it('accepts a response with an id regardless of its status text', async () => {
    const json = { status: 'queued', message: 'OK', data: { message_id: 'nc-1' } };
    expect(await rig.answering({ status: 202, json })).toMatchObject({ ok: true, id: 'nc-1' });
    const text = '{"status":"success","data":{"message_id": 15536250111702803}}';
    expect(await rig.answering({ status: 202, text })).toMatchObject({ ok: true, id: '15536250111702803' });
  });

  it('reports an unknown outcome for a success without an id', async () => {
    expect(await rig.answering({ json: { status: 'success', data: {} } })).toMatchObject({ kind: 'unknown-outcome' });
  });

  describe('delivery events', () => {
    const event = {
      TRANSID: 'ID',
      EVENT: 'sent',
      EMAIL: 'bob@example.com',
      TIMESTAMP: 1767265200,
      'X-APIHEADER': 'message-1',
    };
    /** The id has more digits than JSON.stringify can write. */
    const text = (...list: object[]): string => JSON.stringify(list).replaceAll('"ID"', '15536250111702803');
    const events = (...list: object[]) =>
      eventsOf(netcore, inbound(text(...list.map((one) => ({ ...event, ...one })))));
    const common = {
      providerMessageId: '15536250111702803',
      messageId: 'message-1',
      recipient: 'bob@example.com',
      at: new Date('2026-01-01T11:00:00Z'),
    };
    const id = (name: string, url = ''): string => `15536250111702803 ${name} 1767265200 bob@example.com ${url}`;

    testSharedKeyVerification(netcore);

    it.each<[object, object]>([
      [{}, { id: id('sent'), kind: 'delivered' }],
      [{ EVENT: 'send' }, { id: id('send'), kind: 'delivered' }],
      [
        { EVENT: 'bounced', BOUNCE_TYPE: 'HARDBOUNCE', BOUNCE_REASON: '550' },
        { id: id('bounced'), kind: 'bounced', isPermanent: true, reason: '550' },
      ],
      [
        { EVENT: 'bounce', BOUNCE_TYPE: 'SOFTBOUNCE', RESPONSE: '451' },
        { id: id('bounce'), kind: 'bounced', isPermanent: false, reason: '451' },
      ],
      [{ EVENT: 'invalid' }, { id: id('invalid'), kind: 'rejected', isPermanent: true }],
      [{ EVENT: 'dropped' }, { id: id('dropped'), kind: 'rejected' }],
      [{ EVENT: 'drop' }, { id: id('drop'), kind: 'rejected' }],
      [{ EVENT: 'opened' }, { id: id('opened'), kind: 'opened' }],
      [{ EVENT: 'open' }, { id: id('open'), kind: 'opened' }],
      [
        { EVENT: 'clicked', URL: 'https://x.example' },
        { id: id('clicked', 'https://x.example'), kind: 'clicked', reason: 'https://x.example' },
      ],
      [{ EVENT: 'click' }, { id: id('click'), kind: 'clicked' }],
      [{ EVENT: 'spam' }, { id: id('spam'), kind: 'complained' }],
      [{ EVENT: 'unsub' }, { id: id('unsub'), kind: 'unsubscribed' }],
      [{ EVENT: 'Unsubscribed' }, { id: id('unsubscribed'), kind: 'unsubscribed' }],
    ])('maps the event %j', (over, expected) => expect(events(over)).toEqual([{ ...common, ...expected }]));

    it('reads several events or a single one', () => {
      expect(events({}, { EVENT: 'opened' }).map(({ kind }) => kind)).toEqual(['delivered', 'opened']);
      expect(eventsOf(netcore, inbound({ ...event, TRANSID: 'text' }))).toMatchObject([{ providerMessageId: 'text' }]);
    });

    it.each([{ EVENT: 'new' }, { EVENT: 'constructor' }, { EVENT: undefined }, { TRANSID: undefined }])(
      'skips the unknown event %j',
      (over) => expect(events(over)).toEqual([]),
    );

    testUnreadableEvents(netcore);
  });

  it('calls the host and API version of the integration', async () => {
    await rig.send({}, {}, { baseUrl: 'https://eu.example.com/own' });
    await rig.send({}, {}, { baseUrl: 'https://eu.example.com/v5/' });
    expect(rig.calls.map(({ path }) => path)).toEqual(['/own/v5.1/mail/send', '/v5/mail/send']);
  });
});
