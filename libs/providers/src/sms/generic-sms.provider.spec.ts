import { createHmac } from 'node:crypto';
import { NOW, testProviderContract } from '../../test/contract';
import { genericSms } from './generic-sms.provider';

describe('Generic SMS', () => {
  const OWN = { from: 'Clarion', idPath: 'data.items.0.id' };

  const rig = testProviderContract(genericSms, {
    credentials: OWN,
    success: { json: { data: { items: [{ id: 42 }] } } },
    id: '42',
    isAcceptedByStatus: true,
  });
  const NAMED = { secretKeyRequestHeader: 'X-Secret' };

  it('posts the message as JSON with the keys in the named headers', async () => {
    const result = await rig.send({ customData: { a: 1 } }, { priority: 'high' }, NAMED);
    expect(result).toMatchObject({ ok: true, id: '42' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/send' });
    expect(rig.calls[0]!.headers).toMatchObject({ 'x-key': 'canary-api-key', 'x-secret': 'canary-secret-key' });
    expect(rig.calls[0]!.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(rig.calls[0]!.body)).toEqual({
      id: 'message-1',
      to: '+15551234567',
      from: 'Clarion',
      sender: 'Clarion',
      content: 'hi',
      customData: { a: 1 },
      priority: 'high',
    });
  });

  describe('a secret key without a header name', () => {
    it('signs the body including overrides and a passthrough', async () => {
      await rig.send({ content: 'Grüße 🙂' }, { priority: 'high', _passthrough: { body: { extra: 1 } } });
      const { headers, body } = rig.calls[0]!;
      const timestamp = String(NOW.getTime() / 1000);
      const signed = createHmac('sha256', 'canary-secret-key')
        .update(`message-1.${timestamp}.${body}`)
        .digest('base64');
      expect(headers).toMatchObject({
        'x-key': 'canary-api-key',
        'content-type': 'application/json',
        'webhook-id': 'message-1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signed}`,
      });
      expect(JSON.parse(body)).toMatchObject({ content: 'Grüße 🙂', priority: 'high', extra: 1 });
    });

    it('sends no signature when the secret key is empty', async () => {
      await rig.send({}, {}, { secretKey: '' });
      expect(rig.calls[0]!.headers).not.toHaveProperty('webhook-signature');
    });
  });

  it.each(['data.missing.id', '__proto__', 'constructor.name', 'data', 'a.b.c.d.e.f.g.h.i.j.k.l.m'])(
    'succeeds without an id when the response has none at %s',
    async (idPath) => {
      const result = await rig.send({}, {}, { idPath });
      expect(result).toMatchObject({ ok: true });
      expect(result).not.toHaveProperty('id');
    },
  );

  it('reads the date from the configured path', async () => {
    rig.stage.fake.always('/send', { json: { id: 'a', meta: { at: '2026-01-01T10:00:00Z' } } });
    const result = await rig.send({}, {}, { idPath: 'id', datePath: 'meta.at' });
    expect(result).toMatchObject({ ok: true, id: 'a', date: new Date('2026-01-01T10:00:00Z') });
  });

  it.each(['Host', 'X Key', 'X-Key\r\nX-Other', 'Content-Length', ''])(
    'rejects the header name %p unless it is empty',
    async (name) => {
      const result = await rig.send({}, {}, { apiKeyRequestHeader: name });
      expect(result.ok).toBe(name === '');
      expect(rig.calls[0]?.headers['x-other']).toBeUndefined();
    },
  );

  describe('token authentication', () => {
    const token = {
      ...NAMED,
      authenticateByToken: true,
      domain: 'https://generic.example.com/login',
      authenticationTokenKey: 'X-Token',
    };

    it('requests a token first and sends it with the keys', async () => {
      rig.stage.fake.always('/login', { json: { 'X-Token': 'canary-session' } });
      rig.stage.fake.always('/send', ({ headers }) => ({ json: { echo: headers } }));
      const result = await rig.send({}, { _passthrough: { headers: { 'X-Extra': 'yes' } } }, token);
      expect(result).toMatchObject({ ok: true });
      expect(JSON.stringify(result)).not.toContain('canary');
      const [login, message] = rig.calls;
      expect(login).toMatchObject({ method: 'POST', path: '/login', body: '' });
      expect(login!.headers).toMatchObject({ 'x-key': 'canary-api-key', 'x-secret': 'canary-secret-key' });
      expect(login!.headers['x-extra']).toBeUndefined();
      expect(message!.headers).toMatchObject({
        'x-token': 'canary-session',
        'x-extra': 'yes',
        'x-key': 'canary-api-key',
        'x-secret': 'canary-secret-key',
      });
    });

    it('fails with the failure of the token request', async () => {
      rig.stage.fake.always('/login', { status: 401, json: { message: 'who?' } });
      expect(await rig.send({}, {}, token)).toMatchObject({ ok: false, kind: 'credentials', message: 'who?' });
      rig.stage.fake.always('/login', { json: {} });
      expect(await rig.send({}, {}, token)).toMatchObject({ ok: false, kind: 'credentials' });
      rig.stage.fake.always('/login', { close: 'after-reading' });
      expect(await rig.send({}, {}, token)).toMatchObject({ ok: false, kind: 'transient' });
      expect(rig.calls.map(({ path }) => path)).toEqual(['/login', '/login', '/login']);
    });
  });
});
