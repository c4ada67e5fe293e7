import { Controller, Get, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { TemplateRenderer } from '@clarion/content';
import type { Database } from '@clarion/persistence';
import { createLogger, Health, loadConfig, Metrics, openTracing } from '@clarion/platform';
import { corpus } from '@clarion/testing';
import type { KeyDirectory } from '../src/edge/auth/key-directory';
import type { OperatorKey } from '../src/edge/auth/operator';
import type { SessionDirectory } from '../src/edge/auth/session-directory';
import { WrongKeys } from '../src/edge/auth/wrong-keys';
import { installEdge } from '../src/edge/http/edge';
import { ErrorFilter } from '../src/edge/http/error.filter';
import { BodyLimit, Public, RateCategory, type Route, Scope, scopeCovers } from '../src/edge/http/route-policy';
import { createServer } from '../src/edge/http/server';
import { TenantRates } from '../src/edge/http/tenant-rates';
import { callGateway, OPERATOR_KEY, type Refusal, startGateway, type TestGateway } from './harness';
import { exchange, open, readAnswer, type RawAnswer } from './raw-http';
import { NO_PATHS, SPELLINGS } from './spellings';

/** In the first tier. The rules are the same for all routes. */
const FEW_ROUTES = 40;
const ID = '0190c0de-0000-7000-8000-000000000000';
const pathOf = ({ url }: Route): string => url.replace(/:\w+/g, ID);
const nameOf = ({ method, url }: Route): string => `${method} ${url}`;

describe('routes of the gateway', () => {
  let gateway: TestGateway;
  let closed: Route[];

  beforeAll(async () => {
    gateway = await startGateway();
    closed = gateway.routes.filter(({ policy }) => policy.access === 'key');
  });
  afterAll(() => gateway.close());

  it('gives every route the recorded access policy (-u records that of a new route)', () => {
    const rows = gateway.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url, policy }) => {
        const { access, scopes, rate, bodyLimit, triggers, acrossEnvironments, refusesUnknown, allowsUnsigned } =
          policy;
        return [
          method.padEnd(6),
          url,
          access === 'key' ? `scope=${scopes.join('|')}` : access,
          ...(access === 'public' ? [] : [`rate=${rate}`]),
          ...(method === 'GET' ? [] : [`body=${bodyLimit}`]),
          ...(triggers ? ['trigger'] : []),
          ...(acrossEnvironments ? ['across environments'] : []),
          ...(refusesUnknown ? ['strict'] : []),
          ...(allowsUnsigned ? ['unsigned'] : []),
        ].join(' ');
      });
    expect(rows.sort()).toMatchSnapshot();
  });

  it('allows a key of the scope read to explain, to sign out and every GET except those for administrators', () => {
    const readable = closed.filter(({ policy }) => scopeCovers('read', policy.scopes)).map(nameOf);
    const isForAdmins = /\/(api-keys|audit-log|inbox-secret|sessions)$|^\/v1\/operations\//;
    // The question of an explanation has a payload, so it is a POST, and it changes nothing.
    const others = ['DELETE /v1/sessions/current', 'POST /v1/subscribers/:subscriberId/explain'];
    const isReadable = (route: Route): boolean =>
      (/^(GET|HEAD)$/.test(route.method) && !isForAdmins.test(route.url)) || others.includes(nameOf(route));
    expect(readable).toEqual(closed.filter(isReadable).map(nameOf));
  });

  it('allows a key of the scope trigger the event routes and nothing else', () => {
    const open = closed.filter(({ policy }) => scopeCovers('trigger', policy.scopes)).map(nameOf);
    // The event log is for keys that read: it shows what happened to everyone.
    const ofEvents = closed.filter(({ url }) => url.startsWith('/v1/events/') && url !== '/v1/events/log');
    expect(open).toEqual(ofEvents.map(nameOf));
  });

  it('opens only the declared routes with the key of the operator, and those of the installation with no other', async () => {
    const call = async (key: string, route: Route) =>
      (await callGateway<Refusal | undefined>(gateway.url, key, route.method, pathOf(route))) ?? {};
    const declared = closed.filter(({ policy }) => policy.scopes.includes('operator'));
    expect(declared.map(nameOf).filter((name) => !/\/v1\/(operations|holds)\b|\/(pause|resume)$/.test(name))).toEqual(
      [],
    );
    for (const route of closed.filter((each) => !declared.includes(each))) {
      const { status, body } = await call(OPERATOR_KEY, route);
      expect([nameOf(route), status]).toEqual([nameOf(route), 403]);
      if (body) expect(body.message).toContain('The key of the operator may not');
    }
    for (const { method, url } of gateway.routes.filter(({ policy: { access } }) => access.startsWith('inbox'))) {
      const { status } = await callGateway(gateway.url, OPERATOR_KEY, method, url);
      expect([url, status]).not.toEqual([url, 200]);
    }
    const ofInstallation = declared.filter(({ policy }) => !scopeCovers('admin', policy.scopes));
    expect(ofInstallation.filter(({ method }) => method !== 'HEAD').map(nameOf)).toEqual([
      'GET /v1/operations/database',
      'GET /v1/operations/queues',
      'POST /v1/operations/queues/rebuild',
    ]);
    for (const route of ofInstallation) {
      const { status, body } = await call(gateway.key, route);
      expect([nameOf(route), status]).toEqual([nameOf(route), 403]);
      if (body) expect(body.message).toMatch(/key of the operator \(CLARION_OPERATOR_KEY\) or the command line/);
      expect([nameOf(route), (await call(OPERATOR_KEY, route)).status]).toEqual([nameOf(route), 200]);
    }
    const session = await callGateway<Refusal>(gateway.url, '', 'POST', '/v1/sessions', { apiKey: OPERATOR_KEY });
    expect([session.status, session.body.message]).toEqual([403, expect.stringContaining('has no session')]);
  });

  it('opens a route of the inbox neither without a token nor with an API key, and no other route for pages', async () => {
    const inbox = gateway.routes.filter(({ policy }) => policy.access === 'inbox');
    expect(inbox.length).toBeGreaterThan(20);
    for (const route of inbox) {
      for (const authorization of ['', `ApiKey ${gateway.key}`]) {
        const answer = await fetch(gateway.url + pathOf(route), { method: route.method, headers: { authorization } });
        expect([nameOf(route), answer.status]).toEqual([nameOf(route), 401]);
      }
    }
    const isForPages = ({ policy }: Route): boolean => policy.access.startsWith('inbox');
    expect(gateway.routes.filter((route) => isForPages(route) !== /^\/v1\/(inbox|widgets)\//.test(route.url))).toEqual(
      [],
    );
  });

  describe('routes without a key', () => {
    /** Announces a body and never sends it, so that only a response that does not wait for the body arrives. */
    const ask = (method: string, target: string): Promise<RawAnswer> =>
      exchangeOf(
        method,
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          'Content-Length: 900000\r\n\r\n{"',
      );
    const exchangeOf = (method: string, head: string): Promise<RawAnswer> =>
      method === 'HEAD' ? headAnswer(head) : exchange(gateway.url, head);
    const headAnswer = (head: string): Promise<RawAnswer> =>
      new Promise((resolve, reject) => {
        const socket = open(gateway.url);
        socket.once('data', (chunk: Buffer) => {
          socket.destroy();
          resolve(readAnswer(chunk.toString('latin1'), true)!);
        });
        socket.on('error', reject);
        socket.write(head);
      });

    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${gateway.url}/metrics`)).text();
      const found = text.matchAll(/^clarion_http_responses_total\{.+\} (\d+)$/gm);
      return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
    };

    it.each(Object.entries(SPELLINGS))(
      'answers 400, 401 or 404 without a key when the path is written with: %s',
      async (spelling, write) => {
        const before = await counted();
        const expected = NO_PATHS.includes(spelling) || spelling === 'half a percent escape' ? [400] : [401, 404];
        const wrong: string[] = [];
        const tried = corpus(closed, FEW_ROUTES);
        const rest = [...tried];
        const workers = Array.from({ length: 8 }, async () => {
          for (let route = rest.pop(); route; route = rest.pop()) {
            const { status } = await ask(route.method, write(pathOf(route)));
            if (!expected.includes(status)) wrong.push(`${nameOf(route)} as ${write(pathOf(route))}: ${status}`);
          }
        });
        await Promise.all(workers);
        expect(wrong).toEqual([]);
        expect((await counted()) - before).toBe(tried.length);
      },
    );

    it.each(['as it is', 'one letter percent-encoded', 'every letter percent-encoded', 'a trailing slash'])(
      'answers 401 without a key when the router resolves the path written with: %s',
      async (spelling) => {
        for (const route of corpus(
          closed.filter(({ method }) => method !== 'HEAD'),
          FEW_ROUTES,
        )) {
          const target = SPELLINGS[spelling]!(pathOf(route));
          expect([target, (await ask(route.method, target)).status]).toEqual([target, 401]);
        }
      },
    );

    it('answers 404 for an unknown path without reading a chunked body', async () => {
      const answer = await exchange(
        gateway.url,
        'POST /v2/nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
          'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":',
      );
      expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('Cannot POST /v2/nothing') });
    });

    it('answers 401 instead of 100 Continue to a caller without a key', async () => {
      const answer = await exchange(
        gateway.url,
        'POST /v2/subscribers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
          'Content-Length: 2\r\nExpect: 100-continue\r\n\r\n',
      );
      expect(answer.status).toBe(401);
    });
  });

  it('answers 100 Continue to a caller with a key', async () => {
    const body = JSON.stringify({ subscriberId: 'continued' });
    const answer = await exchange(
      gateway.url,
      `POST /v2/subscribers HTTP/1.1\r\nHost: x\r\nAuthorization: ApiKey ${gateway.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(answer.status).toBe(100);
  });

  describe('paths with a method that they do not support', () => {
    const call = (method: string, path: string, key = gateway.key) => callGateway(gateway.url, key, method, path);

    it.each([
      ['PUT', '/v2/subscribers', 'GET, HEAD, POST'],
      ['DELETE', '/v1/events/trigger', 'POST'],
      ['GET', '/v1/events/trigger/bulk', 'POST, DELETE'],
      ['PATCH', '/v1/events/trigger/a-transaction', 'DELETE'],
      ['GET', '/v1/organizations/', 'POST'],
      ['POST', '/docs', 'GET, HEAD'],
      ['PUT', `/v2/inbound-webhooks/delivery-providers/${ID}/${ID}`, 'GET, HEAD, POST'],
    ])('answers %s %s with 405 and Allow: %s', async (method, path, allow) => {
      const answer = await call(method, path);
      expect(answer).toMatchObject({ status: 405, body: { statusCode: 405, error: 'Method Not Allowed', path } });
      expect(answer.headers.get('allow')).toBe(allow);
    });

    it('answers OPTIONS with 204 and the methods of the path in Allow', async () => {
      const answer = await call('OPTIONS', '/v2/subscribers/ada');
      expect([answer.status, answer.text, answer.headers.get('allow')]).toEqual([204, '', 'GET, HEAD, PATCH, DELETE']);
    });

    it('answers 401 before 405 when the path requires a key', async () => {
      for (const method of ['PUT', 'OPTIONS']) {
        const answer = await fetch(`${gateway.url}/v2/subscribers`, { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([401, null]);
      }
      expect((await fetch(`${gateway.url}/health/live`, { method: 'DELETE' })).status).toBe(405);
    });

    it('never answers 405 to a declared route', async () => {
      for (const route of corpus(
        closed.filter(({ method }) => method !== 'HEAD'),
        FEW_ROUTES,
      )) {
        const { status } = await call(route.method, pathOf(route));
        expect([nameOf(route), status]).not.toEqual([nameOf(route), 405]);
      }
    });
  });

  it('answers 414 to a URL that is too long', async () => {
    const long = `/v2/subscribers?email=${'x'.repeat(16 * 1024)}`;
    const answer = await gateway.call('GET', long);
    expect(answer).toMatchObject({
      status: 414,
      body: { statusCode: 414, error: 'URI Too Long', path: long, message: expect.stringContaining('at most 16384') },
    });
    expect((await gateway.call('GET', `/v2/subscribers/${'x'.repeat(8193)}`)).status).toBe(414);
    const endless = await exchange(gateway.url, `GET /v2/subscribers?email=${'x'.repeat(60_000)}`);
    expect(endless).toMatchObject({ status: 414, headers: { connection: 'close' } });
    const headers = await exchange(
      gateway.url,
      `GET /v2/subscribers HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(60_000)}`,
    );
    expect(headers.status).toBe(431);
  });

  it('names the authentication scheme in every 401', async () => {
    for (const headers of [{}, { authorization: 'Basic eDp5' }, { authorization: 'ApiKey unknown' }]) {
      const answer = await fetch(`${gateway.url}/v2/subscribers`, { headers: headers as Record<string, string> });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="clarion"']);
    }
  });
});

describe('route policies of controllers', () => {
  @RateCategory('configuration')
  @Scope('read')
  @Controller('v3/declared')
  class Declared {
    @Get()
    list(): void {}

    @Scope('admin')
    @BodyLimit(10)
    @Post()
    create(): void {}

    @Public()
    @Get('page')
    page(): string {
      return 'public';
    }
  }

  @Controller('v3/silent')
  class Silent {
    @Post()
    create(): void {}
  }

  class Things {}

  let app: NestFastifyApplication;

  beforeAll(async () => {
    const config = loadConfig([], { LOG_LEVEL: 'silent' });
    const logger = createLogger({ level: 'silent', name: 'routes' });
    const server = createServer({
      config,
      logger,
      tracing: openTracing(config, 'gateway', logger),
      metrics: new Metrics(),
      health: new Health(),
    });
    const module = { module: Things, controllers: [Declared, Silent] };
    app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(server), {
      bodyParser: false,
      logger: false,
      abortOnError: false,
    });
    const keys = { find: () => Promise.resolve(undefined) } as unknown as KeyDirectory;
    const renderer = { checkBudget: () => undefined } as unknown as TemplateRenderer;
    const sessions = { find: () => Promise.resolve(undefined) } as unknown as SessionDirectory;
    const operatorKey = { matches: () => false } as unknown as OperatorKey;
    const directories = { keys, sessions, operatorKey, wrongKeys: new WrongKeys() };
    const inbox = { admit: () => Promise.resolve(undefined) };
    const called = { find: () => Promise.reject(new Error('no route is called by providers')) };
    const rates = new TenantRates({}, config, (environmentId) => environmentId);
    const limits = { take: () => undefined };
    const database = { slotsOf: () => undefined, organizations: { of: () => '' } } as unknown as Database;
    installEdge(server, { config, directories, renderer, limits, rates, database, called, inbox });
    app.useGlobalFilters(new ErrorFilter());
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const ask = async (path: string, method: string) => fetch((await app.getUrl()) + path, { method });

  it('requires a key of the scope full for a controller unless it declares otherwise', async () => {
    const policies = app
      .getHttpAdapter()
      .getInstance()
      .routeTable.filter(({ method }) => method !== 'HEAD')
      .map(({ method, url, policy }) => [`${method} ${url}`, policy]);
    const silent = {
      access: 'key',
      scopes: ['full'],
      rate: 'global',
      bodyLimit: 1024 * 1024,
      triggers: false,
      acrossEnvironments: false,
      readsReplica: false,
      takesFiles: false,
    };
    const declared = { ...silent, scopes: ['read'], rate: 'configuration' };
    expect(policies).toEqual([
      ['GET /v3/declared', declared],
      ['POST /v3/declared', { ...declared, scopes: ['admin'], bodyLimit: 10 }],
      ['GET /v3/declared/page', { ...declared, access: 'public' }],
      ['POST /v3/silent', silent],
    ]);
    for (const path of ['/v3/silent', '/%76%33/silent', '/v3/declared'])
      expect((await ask(path, 'POST')).status).toBe(401);
    expect(await (await ask('/v3/declared/page', 'GET')).text()).toBe('public');
  });
});
