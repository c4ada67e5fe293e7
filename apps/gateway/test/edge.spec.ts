import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TemplateRenderer } from '@clarion/content';
import { until } from '@clarion/testing';
import { type Answer, OPERATOR_KEY, startGateway, type TestGateway } from './harness';
import { open } from './raw-http';

type Refusal = { statusCode: number; message: string; path: string; errors: Record<string, unknown> };

describe('edge of every endpoint', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const post = (body: string, headers = {}) => gateway.call<Refusal>('POST', '/v2/subscribers', body, headers);
  const nested = (depth: number) => `{"subscriberId":"deep","data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;

  it.each([
    ['malformed JSON', '{"subscriberId":', 400, undefined],
    ['a number instead of an object', '5', 422, undefined],
    ['an array', '[]', 422, undefined],
    ['a NUL character', '{"subscriberId":"a\\u0000b"}', 400, 'subscriberId'],
    ['a lone surrogate', '{"subscriberId":"x","firstName":"\\ud800"}', 400, 'firstName'],
    ['a lone surrogate in a key', '{"subscriberId":"x","data":{"\\udc00":1}}', 400, 'data.key'],
    ['a __proto__ key', '{"subscriberId":"x","data":{"__proto__":{"a":1}}}', 400, 'data.__proto__'],
    ['10,000 levels of nesting', nested(10_000), 400, undefined],
    ['an integer that a double does not hold', '{"subscriberId":"x","data":{"n":9007199254740993}}', 400, 'data.n'],
    ['a number beyond the range of a double', '{"subscriberId":"x","data":{"n":1e999}}', 400, 'data.n'],
  ])('rejects a body with %s', async (_, body, status, field) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ statusCode: status, path: '/v2/subscribers', message: expect.any(String) });
    if (field) expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it.each([
    '1e21',
    '-1E+21',
    '9007199254740994',
    '1.5e29',
    '1e30',
    '1e-30',
    '100000000000000000000',
    '1e23',
    '0.1',
    '1180591620717411303424',
  ])('keeps the number %s in a free-form object', async (number) => {
    const answer = await post(`{"subscriberId":"numbers","data":{"text":"9007199254740993","n":${number}}}`);
    expect(answer).toMatchObject({ status: 201, body: { data: { n: Number(number) } } });
    expect((await gateway.call('GET', '/v2/subscribers/numbers')).body).toMatchObject({ data: { n: Number(number) } });
  });

  it('keeps constructor and prototype as ordinary keys of free-form objects', async () => {
    const data = { constructor: { prototype: { a: 1 } }, prototype: [{ constructor: null }] };
    const answer = await post(JSON.stringify({ subscriberId: 'ordinary', data }));
    expect(answer).toMatchObject({ status: 201, body: { data } });
    expect(await gateway.call('GET', '/v2/subscribers/ordinary')).toMatchObject({ body: { data } });
  });

  it('rejects a body with more than 50,000 values, and a bulk call with more than 100,000', async () => {
    const body = (values: number) => `{"subscriberId":"many","data":{"list":[${'0,'.repeat(values - 1)}0]}}`;
    expect((await post(body(30_000))).status).toBe(201);
    const answer = await post(body(50_001));
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('more than 50000 values') },
    });
    const list = `[${'0,'.repeat(20_000)}0]`;
    const events = (count: number) =>
      `{"events":[${Array(count).fill(`{"name":"n","payload":{"l":${list}}}`).join()}]}`;
    expect((await gateway.call('POST', '/v1/events/trigger/bulk', events(4))).status).toBe(201);
    expect(await gateway.call('POST', '/v1/events/trigger/bulk', events(5))).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('more than 100000 values') },
    });
  });

  it('cuts off bodies that do not arrive when the gateway has no room for the body of another organization', async () => {
    const head = (key: string, length: string): string =>
      `POST /v1/events/trigger HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${key}\r\n` +
      `Content-Type: application/json\r\nExpect: 100-continue\r\n${length}\r\n\r\n`;
    const announced = async (key: string, length: string): Promise<Socket> => {
      const caller = open(gateway.url);
      caller.on('error', () => undefined);
      caller.write(head(key, length));
      // It has its room.
      await once(caller, 'data');
      return caller;
    };
    const callers: Socket[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      const { key } = await gateway.admin.createOrganization(name, { name });
      // Together as much as an organization may have.
      callers.push(await announced(key, 'Transfer-Encoding: chunked'));
      callers.push(await announced(key, `Content-Length: ${6 * 1024 * 1024}`));
    }
    const large = JSON.stringify({ name: 'none', to: 'ada', payload: { text: 'x'.repeat(100_000) } });
    const isClosed = callers.map((caller) => once(caller, 'close'));
    const { status } = await gateway.call('POST', '/v1/events/trigger', large);
    expect([status, callers.at(-1)!.closed]).toEqual([422, false]);
    // The oldest one.
    await isClosed[0];
    for (const caller of callers) caller.destroy();
  });

  it('closes the connection of a caller that sends a body in many tiny chunks', async () => {
    const send = (chunks: number, bytes: number): Socket => {
      const caller = open(gateway.url);
      caller.on('error', () => undefined);
      caller.write(
        `POST /v2/subscribers HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${gateway.key}\r\n` +
          'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      for (let sent = 0; sent < chunks; sent += 1) caller.write(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`);
      return caller;
    };
    const tiny = send(3_000, 1).resume();
    await once(tiny, 'close');
    // Not even 408, which is the answer to a body that does not end.
    expect(tiny.bytesRead).toBe(0);
    const short = send(3_000, 80);
    const body = '{"subscriberId":"chunked"}';
    short.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    const [answer] = (await once(short, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1.1 201 /);
    short.destroy();
  });

  it('rejects a body that is not valid UTF-8', async () => {
    const response = await fetch(`${gateway.url}/v2/subscribers`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${gateway.key}`, 'content-type': 'application/json' },
      body: Buffer.concat([Buffer.from('{"subscriberId":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'The body is not valid UTF-8' });
  });

  it('accepts 32 levels of nesting and names the path at which a body is deeper', async () => {
    expect((await post(nested(30))).status).toBe(201);
    const answer = await post(nested(31));
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^data\.a\.0\..* is nested deeper than 32 levels$/);
  });

  it('answers 413 to a body over 1 MiB, with Content-Length or streamed', async () => {
    const large = JSON.stringify({ subscriberId: 'large', data: { text: 'x'.repeat(1024 * 1024) } });
    expect((await post(large)).status).toBe(413);
    const streamed = await fetch(`${gateway.url}/v2/subscribers`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${gateway.key}`, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await streamed.json()).toMatchObject({
      statusCode: 413,
      message: expect.stringContaining('at most 1048576'),
    });
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain'])(
    'answers 415 to the content type %s in the usual error format',
    async (type) => {
      const answer = await post('a=1', { 'content-type': type });
      expect(answer).toMatchObject({ status: 415, body: { statusCode: 415 } });
    },
  );

  it.each([
    ['/v2/subscribers/%', 400],
    ['/v2/subscribers/%ff', 400],
    ['/v2/subscribers/a%00b', 400],
    ['/v1/nothing-here', 404],
    [`/v2/subscribers/${'x'.repeat(5000)}`, 404],
  ])('answers the path %s with %i in the usual error format', async (path, status) => {
    const answer = await gateway.call<Refusal>('GET', path);
    expect(answer.body.statusCode).toBe(answer.status);
    expect(status === 404 ? [404, 414] : [status]).toContain(answer.status);
  });

  it('answers errors of the HTTP parser in the usual error format', async () => {
    const answer = await gateway.call<Refusal>('GET', '/v2/subscribers', undefined, { 'x-long': 'x'.repeat(40_000) });
    expect(answer).toMatchObject({ status: 431, body: { statusCode: 431, path: '', message: expect.any(String) } });
  });

  it('ignores an empty limit and an empty page', async () => {
    const answer = await gateway.call('GET', '/v1/messages?limit=&page=');
    expect(answer).toMatchObject({ status: 200, body: { pageSize: 10, page: 0 } });
  });

  it('ignores unknown keys of a body', async () => {
    const answer = await gateway.call('POST', '/v2/subscribers', {
      subscriberId: 'clean',
      _id: 'x',
      deleted: true,
      isAdmin: true,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ deleted: false });
    expect(answer.body).not.toHaveProperty('isAdmin');
  });

  it('gives each request an id and keeps a well-formed id of the caller', async () => {
    const fresh = await gateway.call('GET', '/v2/subscribers');
    expect(fresh.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const kept = await gateway.call('GET', '/v2/subscribers', undefined, { 'x-request-id': 'trace-42' });
    expect(kept.headers.get('x-request-id')).toBe('trace-42');
    const odd = await gateway.call('GET', '/v2/subscribers', undefined, { 'x-request-id': 'no spaces please' });
    expect(odd.headers.get('x-request-id')).not.toBe('no spaces please');
  });

  it('answers liveness and readiness probes without a key', async () => {
    expect(await (await fetch(`${gateway.url}/health/live`)).json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${gateway.url}/health/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: 'ok', database: 'up', queue: { failedAdds: 0 } });
  });

  it('is not ready while it drains, but still answers requests with Connection: close', async () => {
    const draining = await startGateway({});
    try {
      draining.health.drain();
      const ready = await fetch(`${draining.url}/health/ready`);
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ status: 'error', missing: [expect.stringMatching(/^draining/)] });
      expect((await fetch(`${draining.url}/health/live`)).status).toBe(200);
      const { status, headers } = await draining.call('GET', '/v2/subscribers');
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
      expect((await gateway.call('GET', '/v2/subscribers')).headers.get('connection')).not.toBe('close');
    } finally {
      await draining.close();
    }
  });

  it('serves the OpenAPI document and its page without a key', async () => {
    const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { openapi: string };
    expect(document.openapi).toMatch(/^3\./);
    const page = await fetch(`${gateway.url}/docs`);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain('/v1/events/trigger');
  });

  describe('novu dialect', () => {
    const asSdk = { 'user-agent': 'speakeasy-sdk/typescript 3.19.1 2.881.4 1.0.0 @novu/api' };

    it('wraps single objects in `data` and leaves lists unchanged', async () => {
      const one = await gateway.call<{ data: { subscriberId: string } }>(
        'POST',
        '/v2/subscribers',
        { subscriberId: 'sdk' },
        asSdk,
      );
      expect(one.body).toEqual({ data: expect.objectContaining({ subscriberId: 'sdk' }) });
      const list = await gateway.call('GET', '/v2/subscribers?limit=1', undefined, asSdk);
      expect(Object.keys(list.body).sort()).toEqual(['data', 'next', 'previous', 'totalCount', 'totalCountCapped']);
      const all = await gateway.call<{ data: unknown[] }>('GET', '/v1/environments', undefined, asSdk);
      expect(all.body.data).toHaveLength(1);
    });
  });
});

describe('rate limits', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_RATE_LIMIT_CONFIGURATION: '2', CLARION_RATE_LIMIT_GLOBAL: '2' });
  });
  afterAll(() => gateway.close());

  it('sends RateLimit headers and answers 429 with Retry-After above the limit', async () => {
    const answers: Answer[] = [];
    const refused = (): Answer[] => answers.filter(({ status }) => status === 429);
    // A slow machine stays below the rate with one burst.
    await until(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 30 }, () => gateway.call('GET', '/v2/subscribers')))));
      return refused().length > 0;
    });
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(11);
    expect(refused()[0]!.body).toMatchObject({ statusCode: 429, message: 'API rate limit exceeded' });
    expect(Number(refused()[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answers[0]!.headers.get('ratelimit-limit')).toBe('10');
    expect(answers[0]!.headers.get('ratelimit-policy')).toBe(
      '10;w=5;burst=11;comment="token bucket";category="configuration";cost="single";serviceLevel="unlimited"',
    );
    // Each category has a separate bucket.
    expect((await gateway.call('GET', '/v1/environments')).status).toBe(200);
  });

  it('does not take the requests of the operator from the rate of an environment, nor the other way round', async () => {
    const operator = { authorization: `ApiKey ${OPERATOR_KEY}`, 'clarion-environment': gateway.environmentId };
    const flood = (headers: Record<string, string> = {}) =>
      Promise.all(Array.from({ length: 30 }, () => gateway.call('GET', '/v1/holds', undefined, headers)));
    const statuses = async (headers?: Record<string, string>) =>
      new Set((await flood(headers)).map(({ status }) => status));
    expect(await statuses()).toEqual(new Set([200, 429]));
    expect((await gateway.call('GET', '/v1/holds', undefined, operator)).status).toBe(200);
    const answers = await statuses(operator);
    expect(answers).toEqual(new Set([200, 429]));
    const wrong = await gateway.call('GET', '/v1/holds', undefined, { authorization: `ApiKey ${OPERATOR_KEY}x` });
    expect([wrong.status, wrong.body['message']]).toEqual([401, 'API Key not found']);
  });
});

describe('render budget of an environment', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    // All callers of the gateway share a budget too.
    gateway = await startGateway({});
    gateway.app.get(TemplateRenderer).debit(gateway.environmentId, 1_000_000);
  });
  afterAll(() => gateway.close());

  // If the body were parsed, the response would be 400.
  it.each([
    ['POST', '/v2/workflows'],
    ['PUT', '/v2/workflows/any'],
    ['POST', '/v2/workflows/any/step/any/preview'],
    ['POST', '/v2/layouts'],
    ['PUT', '/v2/layouts/any'],
    ['POST', '/v2/layouts/any/preview'],
    ['POST', '/v1/events/trigger?dryRun=true'],
    ['POST', '/v1/events/trigger/bulk?dryRun=true'],
    ['POST', '/v1/events/trigger/broadcast?dryRun=true'],
  ] as const)('answers 429 with Retry-After to %s %s before it parses the body', async (method, path) => {
    const answer = await gateway.call(method, path, '{"not json');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('does not limit triggers and other requests that need no render process', async () => {
    expect((await gateway.call('POST', '/v1/events/trigger', '{"not json')).status).toBe(400);
    expect((await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' })).status).toBe(201);
    expect((await gateway.call('GET', '/v2/workflows')).status).toBe(200);
  });
});
