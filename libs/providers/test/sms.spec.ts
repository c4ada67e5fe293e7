import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import { type Provider, providerFor, type SmsMessage } from '@clarion/providers';
import { type ProviderStage, startProviderStage } from '@clarion/testing';
import { CREDENTIALS, SMS } from './samples';

let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const sender =
  (id: 'twilio' | 'nexmo' | 'generic-sms', credentials: CredentialsDto) =>
  (message: Partial<SmsMessage> = {}, overrides?: JsonObject, own: CredentialsDto = {}) =>
    stage.send(providerFor(id) as Provider<'sms'>, { ...SMS, ...message }, { ...credentials, ...own }, overrides);
const call = (at = 0) => stage.fake.calls[at]!;
const form = (): Record<string, string> => Object.fromEntries(new URLSearchParams(call().body));

describe('any text message', () => {
  const send = sender('twilio', CREDENTIALS);

  it.each(['+15551234567,+15557654321', '555 1234;555', '5551234<5554321', 'bob', '', '+', '+1\n555'.repeat(5)])(
    'to %p is not sent: it has to be one number',
    async (to) => {
      expect(await send({ to })).toMatchObject({ ok: false, kind: 'permanent' });
      expect(stage.fake.count).toBe(0);
    },
  );
});

describe('twilio', () => {
  const send = sender('twilio', { ...CREDENTIALS, from: '+15550000000' });

  it('posts a form', async () => {
    expect(await send({}, { statusCallback: 'https://x.example', SmartEncoded: true })).toMatchObject({
      ok: true,
      id: 'SMfake-1',
    });
    expect(call()).toMatchObject({ method: 'POST', path: '/2010-04-01/Accounts/AC1/Messages.json' });
    expect(call().headers).toMatchObject({
      authorization: `Basic ${Buffer.from('AC1:canary-token').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form()).toEqual({
      To: '+15551234567',
      From: '+15550000000',
      Body: 'hi',
      StatusCallback: 'https://x.example',
      SmartEncoded: 'true',
    });
  });

  it('sends by a messaging service', async () => {
    await send({ from: 'MG123' });
    expect(form()).toEqual({ To: '+15551234567', MessagingServiceSid: 'MG123', Body: 'hi' });
  });

  it.each([
    [400, 21211, 'permanent'],
    [400, 21610, 'permanent'],
    [400, 21611, 'transient'],
    [429, 20429, 'transient'],
    [400, 20003, 'account'],
    [401, 20003, 'account'],
  ])('takes a %d with code %d as %s', async (status, code, kind) => {
    stage.fake.next('/', { status, json: { code, message: 'no', status } });
    expect(await send()).toMatchObject({ ok: false, kind, message: 'no' });
  });
});

describe('nexmo', () => {
  const send = sender('nexmo', { ...CREDENTIALS, from: 'Clarion' });

  it('posts a form', async () => {
    expect(await send()).toMatchObject({ ok: true, id: 'fake-1' });
    expect(call()).toMatchObject({ method: 'POST', path: '/sms/json' });
    expect(call().headers.authorization).toBe(
      `Basic ${Buffer.from('canary-api-key:canary-secret-key').toString('base64')}`,
    );
    expect(form()).toEqual({ to: '15551234567', from: 'Clarion', text: 'hi', 'client-ref': 'message-1' });
  });

  it.each([
    ['plain, with ä and €', undefined],
    ['Привет', 'unicode'],
    ['🙂', 'unicode'],
    ['`', 'unicode'],
  ])('announces the script of %p', async (content, type) => {
    await send({ content });
    expect(form()['type']).toBe(type);
  });

  it.each([
    ['1', 'transient'],
    ['5', 'transient'],
    ['10', 'transient'],
    ['4', 'account'],
    ['9', 'account'],
    ['6', 'permanent'],
    ['15', 'permanent'],
  ])('finds status %s inside a 200: %s', async (status, kind) => {
    const messages = [
      { status: '0', 'message-id': 'a' },
      { status, 'error-text': 'no' },
    ];
    stage.fake.next('/', { json: { 'message-count': '2', messages } });
    expect(await send()).toMatchObject({ ok: false, kind, message: 'no', status: 200 });
  });
});

describe('generic-sms', () => {
  const send = sender('generic-sms', {
    ...CREDENTIALS,
    from: 'Clarion',
    secretKeyRequestHeader: 'X-Secret',
    idPath: 'data.items.0.id',
  });

  it('posts the message as JSON, with the keys in the headers that were named', async () => {
    stage.fake.next('/', { json: { data: { items: [{ id: 42 }] } } });
    expect(await send({ customData: { a: 1 } }, { priority: 'high' })).toMatchObject({ ok: true, id: '42' });
    expect(call()).toMatchObject({ method: 'POST', path: '/send' });
    expect(call().headers).toMatchObject({ 'x-key': 'canary-api-key', 'x-secret': 'canary-secret-key' });
    expect(JSON.parse(call().body)).toEqual({
      id: 'message-1',
      to: '+15551234567',
      from: 'Clarion',
      sender: 'Clarion',
      content: 'hi',
      customData: { a: 1 },
      priority: 'high',
    });
  });

  it.each(['data.missing.id', '__proto__', 'constructor.name', 'data', 'a.b.c.d.e.f.g.h.i.j.k.l.m'])(
    'finds no id at %s and is sent all the same',
    async (idPath) => {
      stage.fake.next('/', { json: { data: { a: 1 } } });
      const result = await send({}, {}, { idPath });
      expect(result).toMatchObject({ ok: true });
      expect(result).not.toHaveProperty('id');
    },
  );

  it.each(['Host', 'X Key', 'X-Key\r\nX-Other', 'Content-Length', ''])('takes no key in a header %p', async (name) => {
    const result = await send({}, {}, { apiKeyRequestHeader: name });
    expect(result.ok).toBe(name === '');
    expect(call()?.headers['x-other']).toBeUndefined();
  });

  describe('with a token', () => {
    const token = {
      authenticateByToken: true,
      domain: 'https://generic.example.com/login',
      authenticationTokenKey: 'X-Token',
    };

    it('asks for one first and sends with it alone', async () => {
      stage.fake.always('/login', { json: { 'X-Token': 'canary-session' } });
      stage.fake.always('/send', ({ headers }) => ({ json: { echo: headers } }));
      const result = await send({}, { _passthrough: { headers: { 'X-Extra': 'yes' } } }, token);
      expect(result).toMatchObject({ ok: true });
      expect(JSON.stringify(result)).not.toContain('canary');
      expect(call(0)).toMatchObject({ method: 'POST', path: '/login', body: '' });
      expect(call(0).headers).toMatchObject({ 'x-key': 'canary-api-key' });
      expect(call(0).headers['x-extra']).toBeUndefined();
      expect(call(1).headers).toMatchObject({ 'x-token': 'canary-session', 'x-extra': 'yes' });
      expect(call(1).headers['x-key']).toBeUndefined();
    });

    it('fails as the login fails', async () => {
      stage.fake.next('/login', { status: 401, json: { message: 'who?' } });
      expect(await send({}, {}, token)).toMatchObject({ ok: false, kind: 'account', message: 'who?' });
      stage.fake.next('/login', { json: {} });
      expect(await send({}, {}, token)).toMatchObject({ ok: false, kind: 'account' });
      expect(stage.fake.calls.map(({ path }) => path)).toEqual(['/login', '/login']);
    });
  });
});
