import { basic } from '../call';
import { eventsOf, inbound, inboundContext, NOW, testProviderContract, verdictOf } from '../../test/contract';
import { FULL_EMAIL } from '../../test/samples';
import { hmac } from '../events';
import { mailgun } from './mailgun.provider';

describe('Mailgun', () => {
  const rig = testProviderContract(mailgun, {
    credentials: { baseUrl: 'https://api.mailgun.net/' },
    success: {
      json: { id: '<mg-1@mg.example.com>', message: 'Queued. Thank you.' },
      headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' },
    },
    id: 'mg-1@mg.example.com',
    check: { json: { domain: { state: 'active' } } },
  });

  const form = async (): Promise<[name: string, value: unknown][]> => {
    const { headers, body } = rig.calls[0]!;
    const type = headers['content-type']!;
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    return [...(await new Response(body, { headers: { 'content-type': type } }).formData())];
  };

  it('chooses a boundary that no content can contain, and the same one for a retry', async () => {
    const html = `clarion${'-x'.repeat(200_000)}`;
    await rig.send({ html });
    await rig.send({ html });
    expect(await form()).toContainEqual(['html', html]);
    expect(rig.calls[1]!.headers['content-type']).toBe(rig.calls[0]!.headers['content-type']);
  });

  it('posts a multipart form with overrides', async () => {
    const result = await rig.send({ ipPoolName: 'pool' }, { 'o:tag': ['one', 'two'], 'o:testmode': true });
    expect(result).toMatchObject({ ok: true, id: 'mg-1@mg.example.com', date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v3/mg.example.com/messages' });
    expect(rig.calls[0]!.headers).toMatchObject({ authorization: basic('api', 'canary-api-key') });
    expect(await form()).toEqual([
      ['from', 'Sender <sender@example.com>'],
      ['to', 'bob@example.com'],
      ['subject', 'Hello'],
      ['html', '<p>hi</p>'],
      ['v:messageId', 'message-1'],
      ['o:sending-ip-pool', 'pool'],
      ['o:tag', 'one'],
      ['o:tag', 'two'],
      ['o:testmode', 'true'],
    ]);
  });

  it('posts all parts of a message', async () => {
    await rig.send({ ...FULL_EMAIL, customData: { order: 7 } });
    const parts = await form();
    expect(parts.filter(([, value]) => typeof value === 'string')).toEqual([
      ['from', '"Ann \\"Boss\\" Ü" <ann@example.com>'],
      ['to', 'bob@example.com'],
      ['cc', 'cc@example.com'],
      ['bcc', 'bcc@example.com'],
      ['subject', 'Grüße'],
      ['html', '<p>hi</p>'],
      ['text', 'hi'],
      ['h:Reply-To', 'reply@example.com'],
      ['v:messageId', 'message-2'],
      ['v:order', '7'],
      ['h:X-Campaign', 'spring'],
    ]);
    const [[field, file], [otherField, picture]] = parts.slice(-2) as [[string, File], [string, File]];
    expect([field, file.name, file.type, await file.text()]).toEqual(['attachment', 'a.txt', 'text/plain', 'content']);
    expect([otherField, picture.name]).toEqual(['inline', 'logo']);
  });

  it('encodes the domain as one path segment', async () => {
    await rig.send({}, {}, { domain: '../v4/x?y' });
    expect(rig.calls[0]!.path).toBe('/v3/..%2Fv4%2Fx%3Fy/messages');
  });

  it('classifies an unknown domain as transient, because it may become known', async () => {
    expect(await rig.answering({ status: 404, json: { message: 'Domain not found' } })).toMatchObject({
      ok: false,
      kind: 'transient',
      message: 'Domain not found',
    });
  });

  it('reads the plain text for a wrong key', async () => {
    expect(await rig.answering({ status: 401, text: 'Forbidden' })).toMatchObject({
      ok: false,
      kind: 'credentials',
      message: 'Forbidden',
    });
  });

  it('reads the domain to check the key and the domain', async () => {
    await rig.check();
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/v3/domains/mg.example.com' });
    rig.stage.fake.always('/', { status: 404, json: { message: 'Domain not found' } });
    expect(await rig.check()).toMatchObject({ ok: false, message: 'Domain not found' });
    rig.stage.fake.always('/', { status: 404, text: 'no such route' });
    expect(await rig.check()).toMatchObject({ ok: true });
  });

  describe('delivery events', () => {
    const KEY = 'canary-signing-key';
    const SECONDS = String(NOW.getTime() / 1000);
    const signed = (data: object, timestamp = SECONDS, key = KEY) => ({
      signature: { timestamp, token: 'token-1', signature: hmac('sha256', key, `${timestamp}token-1`) },
      'event-data': data,
    });
    const event = (name: string, more: object = {}) => ({
      id: 'event-1',
      event: name,
      timestamp: NOW.getTime() / 1000 - 60.5,
      recipient: 'bob@example.com',
      message: { headers: { 'message-id': '2026.1@mg.example.com' } },
      ...more,
    });
    const parse = (body: object | string) => eventsOf(mailgun, inbound(body));

    it('accepts a signature of the last five minutes only', async () => {
      const verdict = (body: object | string, key: string | undefined = KEY) =>
        verdictOf(mailgun, inbound(body), inboundContext(key));
      const data = event('opened');
      const good = signed(data);
      expect(await verdict(good)).toBe(true);
      expect(await verdict(signed(data, SECONDS, 'other'))).toBe(false);
      expect(await verdict(signed(data, String(NOW.getTime() / 1000 - 301)))).toBe(false);
      expect(await verdict({ ...good, signature: { ...good.signature, token: 'token-2' } })).toBe(false);
      const parent = { ...good.signature, signature: 'of a subaccount', 'parent-signature': good.signature.signature };
      expect(await verdict({ ...good, signature: parent })).toBe(true);
      for (const body of ['', '{}', '[]', '{"signature":7}']) expect(await verdict(body)).toBe(false);
      expect(await verdictOf(mailgun, inbound(good), inboundContext())).toBe(false);
    });

    it('derives the single-use part of the signature from time and token together', () => {
      const once = (timestamp: string, token: string): string =>
        mailgun.events!.signedOnce!(inbound({ signature: { timestamp, token } }));
      expect(once('1767268800', '123abc')).toBe(once('1767268800123', 'abc'));
      expect(once('1767268800', '123abc')).not.toBe(once('1767268800', '124abc'));
    });

    it.each([
      ['accepted', {}, 'sent', undefined],
      ['delivered', {}, 'delivered', undefined],
      ['opened', {}, 'opened', undefined],
      ['clicked', { url: 'https://a.test' }, 'clicked', undefined],
      ['complained', {}, 'complained', undefined],
      ['unsubscribed', {}, 'unsubscribed', undefined],
      ['rejected', {}, 'rejected', undefined],
      ['failed', { severity: 'temporary', reason: 'generic' }, 'deferred', undefined],
      ['failed', { severity: 'permanent', reason: 'bounce' }, 'bounced', true],
      ['failed', { severity: 'permanent' }, 'bounced', true],
      ['failed', { severity: 'permanent', reason: 'old' }, 'bounced', false],
      ['failed', { severity: 'permanent', reason: 'generic' }, 'bounced', false],
      ['failed', { severity: 'permanent', reason: 'suppress-bounce' }, 'bounced', true],
      ['failed', { severity: 'permanent', reason: 'suppress-complaint' }, 'rejected', undefined],
    ])('maps the event %s with %j to %s', (name, more, kind, isPermanent) => {
      const [one, ...others] = parse(signed(event(name, { 'user-variables': { messageId: 'message-1' }, ...more })));
      expect(others).toEqual([]);
      expect(one).toMatchObject({
        kind,
        messageId: 'message-1',
        providerMessageId: '2026.1@mg.example.com',
        recipient: 'bob@example.com',
        at: new Date(NOW.getTime() - 60_500),
      });
      expect(one!.isPermanent).toBe(isPermanent);
    });

    it('identifies an event by its id and its time', () => {
      const ids = [event('opened'), event('opened', { timestamp: 1 }), event('opened')].map(
        (data) => parse({ 'event-data': data })[0]!.id,
      );
      expect(new Set(ids).size).toBe(2);
    });

    it('derives an id for an event without one', () => {
      const ids = [
        event('opened', { id: undefined }),
        event('opened', { id: undefined, message: { headers: { 'message-id': '<2026.1@mg.example.com>' } } }),
        event('clicked', { id: undefined }),
        event('opened', { id: undefined, recipient: 'ann@example.com' }),
        event('opened', { id: undefined, timestamp: undefined }),
      ].map((data) => parse(signed(data))[0]!);
      expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
      expect(new Set(ids.map(({ providerMessageId }) => providerMessageId))).toEqual(
        new Set(['2026.1@mg.example.com']),
      );
    });

    it('reports the delivery status message as the reason', () => {
      const status = { code: 550, message: 'No such user' };
      const [one] = parse({ 'event-data': event('failed', { severity: 'permanent', 'delivery-status': status }) });
      expect(one!.reason).toBe('No such user');
    });

    it.each(['', 'null', '{}', '[]', '{"event-data":{"event":"constructor","id":"x"}}', '{"event-data":[]}', '<html>'])(
      'returns no event for the body %j',
      (body) => expect(parse(body)).toEqual([]),
    );
  });
});
