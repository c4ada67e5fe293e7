import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import type { JsonObject } from '@clarion/contracts';
import {
  type FakeProvider,
  type FakeSmtp,
  HOSTILE_URLS,
  hostileResolver,
  METADATA_HOSTS,
  startFakeProvider,
  startFakeSmtp,
  startListener,
} from '@clarion/testing';
import { Egress, EgressError, type EgressOptions, type EgressRequest, SmtpReplyError } from '@clarion/platform';

const opened: Egress[] = [];
function egressWith(options: EgressOptions = {}): Egress {
  const egress = new Egress(options);
  opened.push(egress);
  return egress;
}

const get = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  method: 'GET',
  url,
  origin: 'tenant',
  ...more,
});

const faultOf = async (work: Promise<unknown>): Promise<EgressError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EgressError)) throw new Error(`expected an EgressError, got ${String(error)}`);
  return error;
};

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterEach(async () => {
  fake.reset();
  await Promise.all(opened.splice(0).map((egress) => egress.close()));
});
afterAll(() => fake.close());

describe('egress guard', () => {
  it('opens no connection for a hostile URL', async () => {
    const listeners = await Promise.all(['127.0.0.1', '::1', '127.0.0.1', '::1'].map((host) => startListener(host)));
    const resolve = hostileResolver();
    const egress = egressWith({ resolvers: { public: resolve, system: resolve } });
    const outcomes = await Promise.all(
      [...HOSTILE_URLS].flatMap((template) =>
        listeners.map(async ({ port }) => {
          const url = template.replaceAll('${port}', String(port));
          const fault = await egress.request(get(url)).then(
            ({ status }) => `status ${status}`,
            (error: unknown) => (error instanceof EgressError ? error.kind : String(error)),
          );
          return `${url} ${fault}`;
        }),
      ),
    );
    expect(outcomes.length).toBeGreaterThanOrEqual(120 * listeners.length);
    expect(outcomes.filter((outcome) => !outcome.endsWith(' refused'))).toEqual([]);
    expect(listeners.map(({ seen }) => seen())).toEqual([0, 0, 0, 0]);
    await Promise.all(listeners.map(({ close }) => close()));
  });

  it('moves the calls of a provider only, also when the URL is known', async () => {
    const url = 'https://api.example.test/known';
    const egress = egressWith({
      allow: ['127.0.0.1'],
      providerUrls: { sendgrid: fake.url },
      resolvers: { public: () => Promise.reject(new Error('unknown name')) },
    });
    const { http } = egress.portsFor('sendgrid');
    for (let round = 1; round <= 3; round += 1) {
      expect((await http.request(get(url, { origin: 'provider' }))).status).toBeLessThan(500);
      expect((await faultOf(http.request(get(url)))).kind).toBe('unreachable');
      expect((await faultOf(egress.request(get(url, { origin: 'provider' })))).kind).toBe('unreachable');
      expect(fake.count).toBe(round);
    }
  });

  it('calls every path of more URLs than it keeps, twice', async () => {
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const paths = [...Array.from({ length: 205 }, (_, at) => `/p${at}`), `/${'x'.repeat(2_000)}`];
    for (const path of [...paths, ...paths]) await egress.request(get(fake.url + path));
    expect(fake.calls.map(({ path }) => path)).toEqual([...paths, ...paths]);
  });

  it('allows only the listed address', async () => {
    const listed = await startListener('127.0.0.1');
    const other = await startListener('127.0.0.2');
    const resolve = hostileResolver();
    const egress = egressWith({ allow: ['127.0.0.1'], resolvers: { public: resolve, system: resolve } });
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'loopback.hostile.test']) {
      const { status } = await egress.request(get(`http://${host}:${listed.port}/`));
      expect([host, status]).toEqual([host, 204]);
    }
    expect((await faultOf(egress.request(get(`http://127.0.0.2:${other.port}/`)))).kind).toBe('refused');
    expect(listed.seen()).toBeGreaterThan(0);
    expect(other.seen()).toBe(0);
    await Promise.all([listed.close(), other.close()]);
  });

  it('connects to the address that it checked, even if the name resolves differently afterwards', async () => {
    const judged = await startListener('127.0.0.1');
    const inside = await startListener('127.0.0.2', judged.port);
    let asked = 0;
    const rebound = (): Promise<string[]> => Promise.resolve([(asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2']);
    const egress = egressWith({ allow: ['127.0.0.1'], resolvers: { public: rebound } });
    const url = `http://rebinding.example:${judged.port}/`;
    expect((await egress.request(get(url))).status).toBe(204);
    expect([asked, judged.seen(), inside.seen()]).toEqual([1, 1, 0]);
    expect((await faultOf(egress.request(get(url)))).kind).toBe('refused');
    expect([asked, judged.seen(), inside.seen()]).toEqual([2, 1, 0]);
    await Promise.all([judged.close(), inside.close()]);
  });

  it('allows a listed name at any address, and no other name at the same address', async () => {
    const egress = egressWith({
      allow: ['Chat.Example'],
      resolvers: { public: () => Promise.resolve(['127.0.0.1']), system: () => Promise.resolve(['127.0.0.1']) },
    });
    const { port } = new URL(fake.url);
    expect((await egress.request(get(`http://chat.example:${port}/`))).status).toBe(200);
    expect(fake.calls[0]!.headers.host).toBe(`chat.example:${port}`);
    expect((await faultOf(egress.request(get(`http://other.example:${port}/`)))).kind).toBe('refused');
    expect(fake.count).toBe(1);
  });

  it('blocks metadata services inside listed ranges and names', async () => {
    const egress = egressWith({
      allow: ['0.0.0.0/0', '::/0', 'metadata.hostile.test'],
      resolvers: { public: hostileResolver(), system: hostileResolver() },
      limits: { connectMs: 50 },
    });
    for (const host of METADATA_HOSTS) {
      expect([host, (await faultOf(egress.request(get(`http://${host}/`)))).kind]).toEqual([host, 'refused']);
    }
  });

  it('returns a redirect and does not follow it', async () => {
    const inside = await startListener('127.0.0.2');
    const egress = egressWith({ allow: ['127.0.0.1'] });
    for (const status of [301, 302, 303, 307, 308]) {
      fake.next('/', { status, headers: { location: `http://127.0.0.2:${inside.port}/` } });
      expect((await egress.request(get(`${fake.url}/`))).status).toBe(status);
    }
    expect(inside.seen()).toBe(0);
    await inside.close();
  });

  it('names only the blocked host in the error, not the rest of the URL', async () => {
    const { message } = await faultOf(egressWith().request(get('https://10.0.0.1/secret?token=hidden')));
    expect(message).toContain('10.0.0.1');
    expect(message).toContain('CLARION_EGRESS_ALLOW');
    expect(message).not.toMatch(/secret|hidden/);
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection'])(
    'rejects a request that sets the header %s',
    async (name) => {
      const egress = egressWith({ allow: ['127.0.0.1'] });
      expect((await faultOf(egress.request(get(fake.url, { headers: { [name]: 'x' } })))).kind).toBe('refused');
    },
  );

  it('rejects a header with a line break', async () => {
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const fault = await faultOf(egress.request(get(fake.url, { headers: { 'x-a': 'b\r\nx-c: d' } })));
    expect(fault.kind).toBe('refused');
    expect(fake.count).toBe(0);
  });

  it('ignores proxy variables of the environment', async () => {
    const proxy = await startListener('127.0.0.1');
    const before = { ...process.env };
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = `http://127.0.0.1:${proxy.port}`;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    try {
      const egress = egressWith({ allow: ['127.0.0.1'] });
      expect((await egress.request(get(fake.url))).status).toBe(200);
      expect(proxy.seen()).toBe(0);
    } finally {
      process.env = before;
      await proxy.close();
    }
  });
});

describe('provider URLs of the operator', () => {
  it('replaces the host of the API and keeps its path and query', async () => {
    const egress = egressWith({ providerUrls: { twilio: fake.url } });
    const { http } = egress.portsFor('twilio');
    await http.request(get('https://api.twilio.com:8443/2010-04-01/x?y=1', { origin: 'provider' }));
    expect(fake.calls).toMatchObject([{ method: 'GET', path: '/2010-04-01/x?y=1' }]);
    expect(fake.calls[0]!.headers.host).toBe(new URL(fake.url).host);
    expect(http.addressOf('https://api.twilio.com:8443/a?b=c')).toBe(`${fake.url}/a?b=c`);
  });

  it('adds a path prefix, which is also part of the signed URL', async () => {
    const { http } = egressWith({ providerUrls: { twilio: `${fake.url}/proxy/twilio/` } }).portsFor('twilio');
    await http.request(get('https://api.twilio.com/2010-04-01/x?y=1', { origin: 'provider' }));
    expect(fake.calls).toMatchObject([{ method: 'GET', path: '/proxy/twilio/2010-04-01/x?y=1' }]);
    expect(http.addressOf('https://api.twilio.com/a?b=c')).toBe(`${fake.url}/proxy/twilio/a?b=c`);
  });

  it('applies the settings neither to other providers nor to tenant URLs, and allows no direct calls', async () => {
    const egress = egressWith({ providerUrls: { twilio: fake.url }, limits: { connectMs: 50, totalMs: 200 } });
    const refused = [
      egress.portsFor('plivo').http.request(get(`${fake.url}/`, { origin: 'provider' })),
      egress.portsFor('twilio').http.request(get(`${fake.url}/`, { origin: 'tenant' })),
      egress.request(get(`${fake.url}/`, { origin: 'provider' })),
    ];
    for (const work of refused) expect((await faultOf(work)).kind).toBe('refused');
    expect(fake.count).toBe(0);
    expect(egress.portsFor('plivo').http.addressOf('https://api.plivo.com/v1')).toBe('https://api.plivo.com/v1');
  });

  it('shares no connections with tenant URLs', async () => {
    const { port } = new URL(fake.url);
    const egress = egressWith({
      providerUrls: { twilio: `http://moved.example:${port}` },
      resolvers: { system: () => Promise.resolve(['127.0.0.1']), public: () => Promise.resolve(['127.0.0.1']) },
    });
    const { http } = egress.portsFor('twilio');
    await http.request(get('https://api.twilio.com/', { origin: 'provider' }));
    const stolen = http.request(get(`http://moved.example:${port}/`, { origin: 'tenant' }));
    expect((await faultOf(stolen)).kind).toBe('refused');
    expect(fake.count).toBe(1);
  });
});

describe('HTTP request', () => {
  const quick = { connectMs: 10_000, headersMs: 60_000, idleMs: 60_000, totalMs: 3_000 };

  it('resolves with status, headers and body', async () => {
    fake.next('/a', { status: 418, headers: { 'X-One': '1' }, text: 'short and stout' });
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const { status, headers, body } = await egress.request({
      method: 'POST',
      url: `${fake.url}/a?b=c`,
      headers: { 'x-given': 'yes' },
      body: Buffer.from('päyload'),
      origin: 'tenant',
    });
    expect({ status, one: headers['x-one'], body: body.toString() }).toEqual({
      status: 418,
      one: '1',
      body: 'short and stout',
    });
    expect(fake.calls).toMatchObject([{ method: 'POST', path: '/a?b=c', body: 'päyload' }]);
    expect(fake.calls[0]!.headers['x-given']).toBe('yes');
  });

  it('reuses a connection', async () => {
    const egress = egressWith({ allow: ['127.0.0.1'] });
    for (let turn = 0; turn < 20; turn += 1) await egress.request(get(fake.url));
    expect(fake.count).toBe(20);
    expect(fake.connections).toBeLessThanOrEqual(2);
  });

  it.each([
    ['hangs', { hang: true }],
    ['drips', { dripMs: 20 }],
  ])('ends in time with an unknown outcome when the server %s', async (_, answer) => {
    fake.always('/', answer);
    const fault = await faultOf(egressWith({ allow: ['127.0.0.1'], limits: quick }).request(get(fake.url)));
    expect(fault.kind).toBe('unknown');
    expect(fault.message).toContain(`No full answer within ${quick.totalMs} ms`);
  });

  it.each(['before-reading', 'after-reading'] as const)(
    'has an unknown outcome when the server closes the connection %s',
    async (close) => {
      fake.always('/', { close });
      const egress = egressWith({ allow: ['127.0.0.1'] });
      const fault = await faultOf(egress.request(get(fake.url, { method: 'POST', body: '{}' })));
      expect(fault.kind).toBe('unknown');
      expect(fake.count).toBe(1);
    },
  );

  it('fails as unreachable for a closed port', async () => {
    const { port, close } = await startListener('127.0.0.1');
    await close();
    const egress = egressWith({ allow: ['127.0.0.1'] });
    expect((await faultOf(egress.request(get(`http://127.0.0.1:${port}/`)))).kind).toBe('unreachable');
  });

  it('fails as unreachable for a name that does not resolve', async () => {
    const egress = egressWith({ resolvers: { public: () => Promise.reject(new Error('ENOTFOUND')) } });
    expect(await faultOf(egress.request(get('https://nowhere.example/')))).toMatchObject({
      kind: 'unreachable',
      message: 'The host name nowhere.example cannot be resolved',
    });
    // Clients know this text from the check of an integration.
    const { http } = egress.portsFor('sendgrid');
    expect(await faultOf(http.request({ ...get('https://nowhere.example/'), origin: 'provider' }))).toMatchObject({
      kind: 'unreachable',
      message: "Provider gateway can't resolve the host with the given hostname nowhere.example",
    });
  });

  it('fails as unreachable when it never got a connection', async () => {
    fake.always('/', { hang: true });
    const egress = egressWith({ allow: ['127.0.0.1'], limits: { connections: 1 } });
    const callers = [new AbortController(), new AbortController()];
    const [first, second] = callers.map(({ signal }) => faultOf(egress.request({ ...get(fake.url), signal })));
    while (fake.count === 0) await nextTurn();
    // The waiting request is aborted first; otherwise it would get the connection of the other.
    callers[1]!.abort();
    expect((await second!).kind).toBe('unreachable');
    callers[0]!.abort();
    expect((await first!).kind).toBe('unknown');
    expect(fake.count).toBe(1);
  });

  it('cuts a response off at the size limit and keeps its status', async () => {
    fake.always('/', { status: 200, bytes: 1024 * 1024 * 1024 });
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const before = process.memoryUsage().rss;
    const faults = await Promise.all(Array.from({ length: 20 }, () => faultOf(egress.request(get(fake.url)))));
    expect(faults.map(({ kind, status }) => [kind, status])).toEqual(faults.map(() => ['too-large', 200]));
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 1024 * 1024);
  });

  it.each([
    ['a body in very short pieces', `1\r\na\r\n`.repeat(5_000), 'too-large', /short pieces/],
    ['very many informational responses', '', 'unknown', /informational/],
  ])('ends a response with %s', async (name, chunks, kind, message) => {
    const informational = chunks === '' ? 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50) : '';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(`${informational}HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const fault = await faultOf(egress.request(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)));
    expect([name, fault.kind]).toEqual([name, kind]);
    expect(fault.message).toMatch(message);
    server.close();
  });

  it('accepts a body of exactly the limit', async () => {
    fake.next('/', { text: 'x'.repeat(64 * 1024) });
    const egress = egressWith({ allow: ['127.0.0.1'] });
    expect((await egress.request(get(fake.url))).body.length).toBe(64 * 1024);
  });

  it('aborts a request before it starts and while it waits', async () => {
    fake.always('/', { hang: true });
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const early = await faultOf(egress.request(get(fake.url, { signal: AbortSignal.abort() })));
    expect([early.kind, fake.count]).toEqual(['unreachable', 0]);
    const controller = new AbortController();
    const late = faultOf(egress.request(get(fake.url, { signal: controller.signal })));
    while (fake.count === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await late).kind).toBe('unknown');
  });

  it('uses HTTP/2 without TLS for a plain http URL', async () => {
    const server: Http2Server = createHttp2Server((request, response) => {
      response.setHeader('x-version', request.httpVersion);
      response.end('two');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const egress = egressWith({ providerUrls: { apns: `http://127.0.0.1:${port}` } });
    const request = get('https://api.push.apple.com/3/device/x', {
      method: 'POST',
      body: '{}',
      http2: true,
      origin: 'provider',
    });
    const answers = await Promise.all([1, 2, 3].map(() => egress.portsFor('apns').http.request(request)));
    expect(answers.map(({ headers, body }) => [headers['x-version'], body.toString()])).toEqual(
      answers.map(() => ['2.0', 'two']),
    );
    await egress.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('SMTP', () => {
  let smtp: FakeSmtp;
  beforeAll(async () => {
    smtp = await startFakeSmtp();
  });
  afterEach(() => smtp.reset());
  afterAll(() => smtp.close());

  const mail = {
    messageId: 'm1@example.com',
    from: { name: 'Ann', address: 'ann@example.com' },
    to: ['bob@example.com'],
    subject: 'Hello',
    text: 'hi',
  };
  const faultOfMail = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('applies the same guard as for URLs', async () => {
    const egress = egressWith({ resolvers: { public: () => Promise.resolve(['127.0.0.1']) } });
    const port = smtp.port;
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '::1', '::ffff:127.0.0.1', 'inside.example', '10.0.0.1']) {
      const server = { host, port };
      const send = await faultOf(egress.portsFor('nodemailer').smtp.send(server, mail));
      const verify = await faultOf(egress.portsFor('nodemailer').smtp.verify(server));
      expect([host, send.kind, verify.kind]).toEqual([host, 'refused', 'refused']);
    }
    expect(smtp.connections).toBe(0);
  });

  it('sends mails over reused connections', async () => {
    const egress = egressWith({ allow: ['127.0.0.1'] });
    const { smtp: mailer } = egress.portsFor('nodemailer');
    const server = { host: smtp.host, port: smtp.port, user: 'me', password: 'secret', ignoreTls: true };
    await mailer.verify(server);
    const before = smtp.connections;
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await mailer.send(server, mail)).toMatchObject({ accepted: ['bob@example.com'], rejected: [] });
    }
    expect(smtp.connections - before).toBe(1);
    expect(smtp.mails[0]).toMatchObject({ from: 'ann@example.com', to: ['bob@example.com'], user: 'me' });
    expect(smtp.mails[0]!.raw).toMatch(/^Message-ID: <m1@example.com>$/m);
  });

  it('does not share connections between logins', async () => {
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'] }).portsFor('nodemailer');
    const server = { host: smtp.host, port: smtp.port, password: 'secret', ignoreTls: true };
    await mailer.send({ ...server, user: 'one' }, mail);
    await mailer.send({ ...server, user: 'two' }, mail);
    expect(smtp.mails.map(({ user }) => user)).toEqual(['one', 'two']);
  });

  it('sends to the server that the operator set', async () => {
    const { smtp: mailer } = egressWith({ providerUrls: { nodemailer: smtp.url } }).portsFor('nodemailer');
    await mailer.send({ host: 'smtp.example.com', port: 587, requireTls: true }, mail);
    expect(smtp.mails).toHaveLength(1);
  });

  it('accepts any certificate of a server that the operator set and that requires TLS', async () => {
    const strict = await startFakeSmtp({ disabledCommands: [], allowInsecureAuth: false, authOptional: false });
    const { smtp: mailer } = egressWith({ providerUrls: { outlook365: strict.url } }).portsFor('outlook365');
    const server = { host: 'smtp.office365.com', port: 587, requireTls: true, user: 'me', password: 'secret' };
    await mailer.send(server, mail);
    expect(strict.mails).toMatchObject([{ to: ['bob@example.com'], user: 'me' }]);
    await strict.close();
  });

  it.each([
    ['auth', 535, 'AUTH PLAIN'],
    ['mail', 451, 'MAIL FROM'],
    ['rcpt', 550, 'RCPT TO'],
    ['data', 554, 'DATA'],
  ] as const)('reports the reply of a server that rejects at %s', async (stage, code, command) => {
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'] }).portsFor('nodemailer');
    smtp.rejectNext(stage, code, 'not today');
    const server = { host: smtp.host, port: smtp.port, user: 'me', password: 'x', ignoreTls: true };
    const fault = await faultOfMail(mailer.send(server, mail));
    expect(fault).toBeInstanceOf(SmtpReplyError);
    expect(fault).toMatchObject({
      responseCode: code,
      command,
      message: expect.stringContaining('not today') as string,
    });
    expect(smtp.mails).toEqual([]);
  });

  it('fails as unreachable when the server is missing or does not greet', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'], limits: { headersMs: 100 } }).portsFor('nodemailer');
    expect((await faultOf(mailer.send({ host: '127.0.0.1', port }, mail))).kind).toBe('unreachable');
    await new Promise((resolve) => silent.close(resolve));
    expect((await faultOf(mailer.send({ host: '127.0.0.1', port }, mail))).kind).toBe('unreachable');
  });

  it('leaves a server that sends many lines unasked', async () => {
    const flood = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('\r\n'.repeat(10_000));
    });
    await new Promise<void>((resolve) => flood.listen(0, '127.0.0.1', resolve));
    const { port } = flood.address() as AddressInfo;
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'] }).portsFor('nodemailer');
    for (const talk of [mailer.send({ host: '127.0.0.1', port }, mail), mailer.verify({ host: '127.0.0.1', port })]) {
      expect(await faultOf(talk)).toMatchObject({
        kind: 'unreachable',
        message: expect.stringContaining('Server response exceeds maximum allowed size') as string,
      });
    }
    await new Promise((resolve) => flood.close(resolve));
  });

  it('keeps pools in use when a tenant uses very many servers', async () => {
    let answer: (() => void) | undefined;
    const slow = await startFakeSmtp({
      onData: (stream, _session, done) => {
        stream.resume();
        answer = () => done();
      },
    });
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'] }).portsFor('nodemailer');
    const sent = mailer.send({ host: slow.host, port: slow.port }, mail);
    while (!answer) await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 600 }, (_, index) => ({ host: '10.0.0.1', port: 25, user: `user-${index}` }));
    await Promise.all(others.map((server) => faultOf(mailer.send(server, mail))));
    answer();
    expect(await sent).toMatchObject({ accepted: ['bob@example.com'] });
    await slow.close();
  });

  it('has an unknown outcome when the server stops answering during the message', async () => {
    const mute = await startFakeSmtp({ onData: (stream) => void stream.resume() });
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'], limits: { totalMs: 4_000 } }).portsFor('nodemailer');
    expect((await faultOf(mailer.send({ host: mute.host, port: mute.port }, mail))).kind).toBe('unknown');
    await mute.close();
  });

  it('reads no file and fetches no URL for a mail', async () => {
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'] }).portsFor('nodemailer');
    const server = { host: smtp.host, port: smtp.port, ignoreTls: true };
    const leak = { ...mail, html: { path: '/etc/hostname' } } as unknown as typeof mail;
    expect(await faultOfMail(mailer.send(server, leak))).toMatchObject({
      message: expect.stringMatching(/access/i) as string,
    });
    const fetching = { ...mail, html: { href: fake.url } } as unknown as typeof mail;
    expect(await faultOfMail(mailer.send(server, fetching))).toMatchObject({
      message: expect.stringMatching(/access/i) as string,
    });
    expect([smtp.mails, fake.count]).toEqual([[], 0]);
  });

  it.each<JsonObject>([
    { path: '/var/run/docker.sock' },
    { socket: {} },
    { minVersion: 'SSLv3' },
    { ca: 7 },
    { pfx: 'x' },
  ])('rejects the TLS options %p', async (tlsOptions) => {
    const { smtp: mailer } = egressWith({ allow: ['127.0.0.1'] }).portsFor('nodemailer');
    const fault = await faultOf(mailer.send({ host: smtp.host, port: smtp.port, tlsOptions }, mail));
    expect(fault).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(Object.keys(tlsOptions)[0]!) as string,
    });
  });

  it('verifies the certificate unless the operator listed the host', async () => {
    const encrypted = await startFakeSmtp({ disabledCommands: [], logger: false });
    const resolvers = { system: () => Promise.resolve(['127.0.0.1']) };
    const { smtp: mailer } = egressWith({ allow: ['mail.example', '127.0.0.1'], resolvers }).portsFor('nodemailer');
    const server = { host: 'mail.example', port: encrypted.port, requireTls: true };
    expect((await faultOf(mailer.send(server, mail))).kind).toBe('unreachable');
    const trusting = { ...server, tlsOptions: { rejectUnauthorized: false } };
    expect(await mailer.send(trusting, mail)).toMatchObject({ accepted: ['bob@example.com'] });
    await encrypted.close();
  });

  it.each([
    ['its name', ['mail.example'], 'mail.example'],
    ['its address', ['127.0.0.1'], '127.0.0.1'],
    ['a range with it', ['127.0.0.0/8'], '127.0.0.1'],
    ['the address that its name leads to', ['127.0.0.0/8'], 'mail.example'],
  ])('skips certificate verification when the operator listed %s', async (_, allow, host) => {
    const encrypted = await startFakeSmtp({ disabledCommands: [], logger: false });
    const here = () => Promise.resolve(['127.0.0.1']);
    const { smtp: mailer } = egressWith({ allow, resolvers: { system: here, public: here } }).portsFor('nodemailer');
    const server = { host, port: encrypted.port, requireTls: true, tlsOptions: { rejectUnauthorized: false } };
    expect(await mailer.send(server, mail)).toMatchObject({ accepted: ['bob@example.com'] });
    await encrypted.close();
  });

  it.each(['8.8.8.8', 'else.example'])(
    'does not skip certificate verification for %s, which is public and not listed',
    async (host) => {
      const resolvers = { public: () => Promise.resolve(['8.8.8.8']) };
      const { smtp: mailer } = egressWith({ allow: ['127.0.0.0/8', 'mail.example'], resolvers }).portsFor('nodemailer');
      const fault = await faultOf(mailer.send({ host, port: 587, tlsOptions: { rejectUnauthorized: false } }, mail));
      expect(fault).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('goes unchecked only') as string,
      });
    },
  );
});
