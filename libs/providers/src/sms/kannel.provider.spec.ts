import { eventsOf, inbound, testProviderContract, testSharedKeyVerification } from '../../test/contract';
import { CREDENTIALS, SMS } from '../../test/samples';
import { kannel } from './kannel.provider';

describe('Kannel', () => {
  const OWN = { host: 'sms.example.com', port: '13013', from: 'Clarion' };
  const rig = testProviderContract(kannel, {
    credentials: OWN,
    success: { status: 202, text: '0: Accepted for delivery' },
    id: 'message-1',
    hasNoOpenBody: true,
  });
  const query = (): Record<string, string> =>
    Object.fromEntries(new URL(rig.calls[0]!.path, 'http://x').searchParams.entries());

  it('makes a GET with everything in the query', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: 'message-1' });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', body: '' });
    expect(rig.calls[0]!.path).toMatch(/^\/cgi-bin\/sendsms\?/);
    // An unescaped + would mean a space, which separates numbers.
    expect(rig.calls[0]!.path).toContain('to=%2B15551234567&');
    expect(query()).toEqual({
      username: 'api',
      password: 'canary-password',
      from: 'Clarion',
      to: '+15551234567',
      text: 'hi',
      charset: 'UTF-8',
    });
  });

  it('sends no login when none is set', async () => {
    await rig.send({}, {}, { user: '', password: '' });
    expect(query()).not.toHaveProperty('username');
    expect(query()).not.toHaveProperty('password');
  });

  it('sets the coding for characters outside the GSM alphabet', async () => {
    await rig.send({ content: 'Grüße' });
    await rig.send({ content: 'Привет 👋' });
    const [plain, wide] = rig.calls.map(({ path }) => new URL(path, 'http://x').searchParams);
    expect([plain!.get('text'), plain!.get('coding')]).toEqual(['Grüße', null]);
    expect([wide!.get('text'), wide!.get('coding'), wide!.get('charset')]).toEqual(['Привет 👋', '2', 'UTF-8']);
  });

  it('applies overrides and ignores those of the recipient and the login', async () => {
    const overrides = { smsc: 'one', altDcs: 1, 'dlr-mask': 3, to: '+1', username: 'x' };
    expect(await rig.send({}, overrides)).toMatchObject({
      warnings: [expect.stringContaining('override to'), expect.stringContaining('override username')],
    });
    expect(query()).toMatchObject({
      smsc: 'one',
      'alt-dcs': '1',
      'dlr-mask': '3',
      to: '+15551234567',
      username: 'api',
    });
  });

  it.each([
    ['sms.example.com', 'http://sms.example.com:13013'],
    ['http://sms.example.com', 'http://sms.example.com:13013'],
    ['HTTPS://sms.example.com/', 'https://sms.example.com:13013'],
    ['[2001:db8::1]', 'http://[2001:db8::1]:13013'],
  ])('calls the host %s', async (host, origin) => {
    const urls: string[] = [];
    const http = {
      request: ({ url }: { url: string }) => {
        urls.push(url);
        return Promise.resolve({ status: 202, headers: {}, body: Buffer.from('0: Accepted for delivery') });
      },
      addressOf: (url: string) => url,
    };
    await kannel.send(SMS, { ...CREDENTIALS, ...OWN, host }, { ...rig.stage.context('kannel'), http });
    expect(urls).toEqual([expect.stringMatching(`^${origin.replaceAll(/[[\].]/g, '\\$&')}/cgi-bin/sendsms\\?`)]);
  });

  it.each([
    { host: 'sms.example.com/cgi-bin/admin?x=' },
    { host: 'a@b' },
    { host: 'sms.example.com:80' },
    { host: 'ftp://sms.example.com' },
    { host: '' },
    { host: 'a b' },
    { port: '80/x' },
    { port: '' },
  ])('makes no call with %j', async (own) => {
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: false, kind: 'credentials' });
    expect(rig.stage.fake.count).toBe(0);
  });

  it.each([
    [202, '3: Queued for later delivery'],
    [202, 'Sent.'],
  ])('accepts a %d with the text %p', async (status, text) => {
    expect(await rig.answering({ status, text })).toMatchObject({ ok: true, id: 'message-1' });
  });

  it.each([
    [202, 'Sent. Denied receivers are: +15551234567', 'recipient'],
    [403, 'Authorization failed for sendsms', 'credentials'],
    [403, 'Not routable. Do not try again.', 'permanent'],
    [400, 'Sender missing and no global set, rejected', 'permanent'],
    [503, 'Temporal failure, try again later.', 'transient'],
  ])('classifies a %d with the text %p as %s', async (status, text, kind) => {
    expect(await rig.answering({ status, text })).toMatchObject({ ok: false, kind, message: text });
  });

  it('redacts the secrets of the query in all their encodings', async () => {
    rig.stage.fake.always('/', ({ path }) => ({ status: 400, text: `bad ${path} and password=canary%26%C3%BC` }));
    const context = {
      ...rig.stage.context('kannel'),
      callbackUrl: 'https://clarion.example/hook?token=canary-key',
    };
    const result = await kannel.send(SMS, { ...CREDENTIALS, ...OWN, password: 'canary&ü' }, context);
    expect(result).toMatchObject({ ok: false, raw: expect.stringContaining('password=[redacted]') as string });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  describe('delivery events', () => {
    testSharedKeyVerification(kannel);
    const parse = (text: string) =>
      eventsOf(kannel, inbound('', { method: 'GET', url: `https://clarion.example/hook?${text}` }));

    it('requests delivery reports with every message', async () => {
      const context = { ...rig.stage.context('kannel'), callbackUrl: 'https://clarion.example/hook?token=canary-key' };
      await kannel.send({ ...SMS, id: 'a/b' }, { ...CREDENTIALS, ...OWN }, context);
      expect(query()).toMatchObject({
        'dlr-mask': '31',
        'dlr-url': 'https://clarion.example/hook?token=canary-key&message=a%2Fb&type=%d&at=%T&answer=%A',
      });
      await kannel.send(SMS, { ...CREDENTIALS, ...OWN }, { ...context, callbackUrl: 'https://clarion.example/hook' });
      expect(new URL(rig.calls[1]!.path, 'http://x').searchParams.get('dlr-url')).toMatch(/hook\?message=message-1&/);
    });

    it('reads the report of a message', () => {
      expect(parse('token=x&message=message-1&type=2&at=1767268800&answer=NACK%2F0x0b')).toEqual([
        {
          id: 'message-1:2',
          kind: 'failed',
          providerMessageId: 'message-1',
          messageId: 'message-1',
          at: new Date('2026-01-01T12:00:00Z'),
          reason: 'NACK/0x0b',
        },
      ]);
    });

    it.each([
      ['1', 'delivered'],
      ['2', 'failed'],
      ['4', 'deferred'],
      ['8', 'sent'],
      ['16', 'rejected'],
    ])('maps the report type %s to the event %s', (type, kind) =>
      expect(parse(`message=m&type=${type}&answer=`)).toEqual([
        { id: `m:${type}`, kind, providerMessageId: 'm', messageId: 'm' },
      ]),
    );

    it.each(['', 'message=m', 'type=1', 'message=m&type=%25d', 'message=m&type=64'])(
      'returns no event for the query %p',
      (text) => expect(parse(text)).toEqual([]),
    );
  });
});
