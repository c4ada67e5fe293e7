import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { newId } from '@clarion/contracts';
import { createFixtures } from './fixtures';
import { inboxToken, OPERATOR_KEY, startOwnGateway, type TestGateway } from './harness';
import {
  bodySchema,
  fetchDocument,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  resolve,
  sampleOf,
  type Schema,
} from './openapi-document';
import { SPELLINGS } from './spellings';

/** Set CLARION_FUZZ_SEED=$RANDOM to try other requests. A failure prints the seed and the smallest failing request. */
const SEED = Number(process.env['CLARION_FUZZ_SEED'] ?? 20_260_101);
const BATCHES = Number(process.env['CLARION_FUZZ_BATCHES'] ?? 200);
const BATCH = 40;

type Refusal = {
  statusCode: number;
  timestamp: string;
  path: string;
  message: string;
  type?: string;
  errors?: Record<string, { messages: string[] }> | { field: string; message: string }[];
};
type Call = { method: string; url: string; headers: Record<string, string>; body?: string };
type Answered = { status: number; text: string };

/** Marks a piece of JSON that JSON.stringify cannot write, such as 1e999. */
const raw = (text: string): string => `@raw ${text}@`;
const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(/"@raw (?:[^"\\]|\\.)*@"/g, (text) => (JSON.parse(text) as string).slice(5, -1));

const LONG = 'x'.repeat(64 * 1024);
const nest = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
};

const ODD_TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udc00x', LONG, "' OR 1=1 --", '_id; DROP TABLE subscriber', '%', '_'],
  ...['null', 'undefined', 'NaN', 'Infinity', '-1', '0', '1.5', '1e309', '9007199254740993', '99999999999999999999'],
  ...['true', 'TRUE', '2020-02-30', '-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-00-00', 'infinity'],
  ...['__proto__', 'constructor', 'toString', '{}', '[]', '[1', '$ne', '../../etc/passwd', 'a,b', 'type:id', ':', '\\'],
  ...['{{', '{% if %}', '{{ payload.a | no_such }}', '{% for i in (1..99999999) %}x{% endfor %}', '\ufffe', '\u202e'],
  ...['e30=', 'eyJhIjoxfQ', '=', '!!!!', Buffer.from('{"__proto__":1}').toString('base64'), 'ñ', '🦊', '••••1234'],
];
const ODD_VALUES: unknown[] = [
  ...ODD_TEXTS,
  ...[null, true, false, 0, -1, -0, 1.5, 1e21, Number.MAX_SAFE_INTEGER, -(2 ** 31) - 1],
  ...['9007199254740993', '1e999', '-1e999', '123456789012345678901234567890', '{"__proto__":{"a":1}}'].map(raw),
  ...[[], {}, [[]], [null], [{}], [1, 'a'], { a: null }, { toString: 1 }, { length: 5 }],
  ...[{ constructor: { prototype: 1 } }, { constructor: null }, { prototype: {} }, { then: {} }],
  ...[5, 30, 31, 32, 33, 200].map(nest),
  ...[{ type: 'nope' }, { $ref: '#/nowhere' }, { $ref: 'http://127.0.0.1/' }, { pattern: '(a+)+$' }, { $async: true }],
  ...[{ type: 'Topic', topicKey: 5 }, { subscriberId: null }, Array(101).fill('many'), Array(501).fill({})],
  // Many small elements.
  ...[{}, 0, '', null, []].map((element): unknown => Array(5_000).fill(element)),
  Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [index.toString(36), 0])),
  { children: Array(50).fill({ children: Array(50).fill({}) }) },
];
const ODD_BODIES = [
  ...['', ' ', 'null', 'true', '5', '"text"', '[]', '[[]]', '{', '{"a":', '{"a":1,}', 'NaN', '\ufeff{}', '{}{}'],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"a":1}}}', '{"a":1e999}', '{"\\ud800":1}', 'a=1'],
  ...[1000, 10_000].map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  ...[1000, 10_000].map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
];
const ODD_SEGMENTS = [
  ...['%', '%zz', '%ff', '%00', '%c0%80', '%ed%a0%80', '..%2f', '%2e%2e', '.', 'a%0Ab', '*', ':id', 'x'.repeat(5000)],
];
const ODD_QUERIES = [
  ...['email[$ne]=1', 'a[b][c]=1', '__proto__=1', '__proto__[a]=1', 'constructor=1', '=', '&&&', '?', '%', 'x=%ff'],
  ...['after=a&before=b', `after=${newId()}&before=${newId()}`, 'limit=1&limit=2', 'limit[]=1', 'page[0]=1&page[1]=2'],
  ...["orderBy=_id'%20OR%201=1", 'orderBy=createdAt;--', 'orderDirection=asc', 'page=99999999999999', 'page=-1'],
  ...['limit', 'limit=', 'limit=0', 'limit=%zz', `email=${'x'.repeat(4000)}`, 'a=1&'.repeat(1500)],
];
const CONTENT_TYPES = [
  ...['application/json; charset=latin1', 'application/json;', 'text/plain', 'application/x-www-form-urlencoded', ''],
  ...['application/merge-patch+json', 'multipart/form-data; boundary=x', 'APPLICATION/JSON', '*/*', ';;;', 'a/b'],
];

/** The lists of this filter take one text too, as they do in a query. */
const TAKES_ONE_TEXT = ['filter.transactionId', 'filter.providerId', 'filter.workflowId'];

describe('malformed requests', () => {
  let gateway: TestGateway;
  let document: OpenApiDocument;
  let operations: Operation[];
  let ids: Record<string, string>;
  let foreignIds: Record<string, string>;
  /** Of the inbox of the subscriber `fuzzed`. */
  let token: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 12 });

  beforeAll(async () => {
    gateway = await startOwnGateway({ CLARION_RATE_LIMIT: 'false' });
    document = await fetchDocument(gateway.url);
    operations = operationsOf(document);
    ids = await renewFixtures();
    foreignIds = await fixtures(await gateway.secondKey());
  });
  afterAll(async () => {
    agent.destroy();
    await gateway.close();
  });

  /** The key that opens the route. */
  const keyFor = (url: string): string =>
    /^\/v1\/operations\/(database|queues)/.test(url) ? OPERATOR_KEY : gateway.key;

  function send({ method, url, headers: given, body }: Call, key = keyFor(url)): Promise<Answered> {
    const isPage = /\/(?:inbox|widgets)\//.test(url);
    const headers = { ...given, authorization: isPage ? `Bearer ${token}` : `ApiKey ${key}` };
    return new Promise((fulfil, reject) => {
      const outgoing = httpRequest(gateway.url, { method, agent, path: url, headers }, (incoming) => {
        if (incoming.headers['content-type'] === 'text/event-stream') {
          // A stream of events has no end: the caller disconnects.
          incoming.destroy();
          return fulfil({ status: incoming.statusCode ?? 0, text: '' });
        }
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () =>
          fulfil({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        incoming.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  const headersOf = (body: string | undefined): Record<string, string> =>
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };

  const fixtures = (key: string): Promise<Record<string, string>> =>
    createFixtures(gateway.database, key, async (url, value) => {
      const body = JSON.stringify(value);
      return send({ method: 'POST', url, headers: headersOf(body), body }, key);
    });

  async function renewFixtures(): Promise<Record<string, string>> {
    const made = await fixtures(gateway.key);
    token = await inboxToken(gateway, 'fuzzed');
    return made;
  }

  const describeCall = ({ method, url, headers, body }: Call, { status, text }: Answered): string =>
    `${method} ${url.slice(0, 300)} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 600)}\n` +
    `-> ${status} ${text.slice(0, 600)}`;

  /** Checks what holds for every response. */
  function checkAnswer(call: Call, answered: Answered): void {
    const { status, text } = answered;
    const fail = (reason: string): never => {
      throw new Error(`${reason}\n${describeCall(call, answered)}`);
    };
    if (status < 200 || status > 499 || (status > 299 && status < 400)) fail('the status is neither 2xx nor 4xx');
    if (status < 300) return text === '' ? undefined : void JSON.parse(text);
    const refusal = JSON.parse(text) as Refusal;
    if (refusal.statusCode !== status) fail('statusCode differs from the HTTP status');
    if (Number.isNaN(Date.parse(refusal.timestamp))) fail('the timestamp is missing or invalid');
    if (refusal.path !== call.url) fail('the path differs from the URL of the request');
    if (typeof refusal.message !== 'string' || refusal.message === '') fail('the message is missing');
    if (status === 422 && !isErrorMap(refusal.errors)) fail('a 422 has no map of errors');
    if (status === 400 && call.url.startsWith('/v1/events/trigger')) {
      if (typeof refusal.type !== 'string' || !Array.isArray(refusal.errors))
        fail('a 400 of a trigger endpoint has no type or no list of errors');
    }
  }

  const isErrorMap = (errors: Refusal['errors']): boolean =>
    typeof errors === 'object' &&
    !Array.isArray(errors) &&
    Object.values(errors).every(
      ({ messages }) => Array.isArray(messages) && messages.every((text) => typeof text === 'string'),
    );

  const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.oneof({ weight: 14, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
  const oddText = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) }, fc.string({ unit: 'binary' }));
  const oddValue = (): fc.Arbitrary<unknown> =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...ODD_VALUES) },
      { weight: 2, arbitrary: anyOf(ids) as fc.Arbitrary<unknown> },
      { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
      { weight: 1, arbitrary: fc.double() as fc.Arbitrary<unknown> },
    );

  const anyOf = (of: Record<string, string>): fc.Arbitrary<string> => fc.constantFrom(...Object.values(of));

  /**
   * Generates a path parameter: mostly an existing id, else one of another environment, a missing or a malformed one.
   */
  const segment = (name: string): fc.Arbitrary<string> =>
    fc.oneof(
      {
        weight: 12,
        arbitrary: ids[name] ? fc.constant(encodeURIComponent(ids[name])) : anyOf(ids).map(encodeURIComponent),
      },
      { weight: 1, arbitrary: anyOf(ids).map(encodeURIComponent) },
      { weight: 2, arbitrary: anyOf(foreignIds).map(encodeURIComponent) },
      { weight: 1, arbitrary: fc.constant(newId()) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
      { weight: 1, arbitrary: oddText.map((text) => encodeText(text.slice(0, 3000))) },
    );

  /**
   * Like encodeURIComponent, which throws on lone surrogates. Here they become the bytes that UTF-8 would give them.
   */
  const encodeText = (text: string): string =>
    text.isWellFormed()
      ? encodeURIComponent(text)
      : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');

  function queryOf(operation: Operation): fc.Arbitrary<string> {
    const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    const pair = fc
      .tuple(
        fc.constantFrom(...(names.length > 0 ? names : ['limit'])),
        fc.constantFrom('', '[]', '[0]', '[a]'),
        oddText,
      )
      .map(([name, suffix, text]) => `${name}${suffix}=${encodeText(text.slice(0, 6000))}`);
    return fc.oneof(
      { weight: operation.method === 'GET' ? 1 : 9, arbitrary: fc.constant('') },
      { weight: 5, arbitrary: fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`) },
      { weight: 2, arbitrary: fc.constantFrom(...ODD_QUERIES).map((query) => `?${query}`) },
    );
  }

  function bodyOf(operation: Operation): fc.Arbitrary<string | undefined> {
    const schema = bodySchema(operation);
    if (!schema) return seldom(fc.constantFrom(...ODD_BODIES));
    const valid = sampleOf(document, schema);
    const paths = pathsOf(valid);
    const changed = fc
      .array(fc.tuple(fc.constantFrom(...paths), fc.option(oddValue(), { nil: undefined })), {
        minLength: 1,
        maxLength: 3,
      })
      .map((changes) => toJson(changes.reduce((body, [path, value]) => put(body, path, value), valid)));
    const extended = fc
      .tuple(fc.constantFrom('extra', 'constructor', '$where', '_id', 'a.b', ''), oddValue())
      .map(([name, value]) => toJson({ ...(valid as object), [name]: value }));
    return fc.oneof(
      { weight: 8, arbitrary: changed },
      { weight: 1, arbitrary: extended },
      { weight: 2, arbitrary: fc.constantFrom(...ODD_BODIES) },
      { weight: 1, arbitrary: oddValue().map(toJson) },
    );
  }

  function callOf(operation: Operation): fc.Arbitrary<Call> {
    const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    return fc
      .record({
        segments: fc.record(Object.fromEntries(names.map((name) => [name, segment(name)]))),
        query: queryOf(operation),
        body: bodyOf(operation),
        contentType: seldom(fc.constantFrom(...CONTENT_TYPES)),
        idempotencyKey: seldom(fc.constantFrom('once', 'k'.repeat(256), '\u00e9', '%00', '{}')),
        isSdk: fc.boolean(),
        spelling: seldom(fc.constantFrom(...Object.values(SPELLINGS))),
      })
      .map(({ segments, query, body, contentType, idempotencyKey, isSdk, spelling }) => {
        const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segments[name]!);
        const url = (spelling ? spelling(path) : path) + query;
        const headers = {
          ...headersOf(body),
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...(isSdk && { 'user-agent': 'x @novu/api' }),
        };
        return { method: operation.method, url, headers, body };
      });
  }

  it('never answers a malformed request with a 5xx and gives every error the same shape', async () => {
    const covered = new Set<string>();
    let batches = 0;
    let sent = 0;
    // `ids` is read when a call is generated, because the fixtures change during the run.
    const anyCall = fc
      .constantFrom(...operations)
      .chain((operation) => callOf(operation).map((call) => ({ operationId: operation.operationId, call })));
    await fc.assert(
      fc
        .asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: BATCH, size: 'max' }), async (calls) => {
          await Promise.all(
            calls.map(async ({ operationId, call }) => {
              checkAnswer(call, await send(call));
              covered.add(operationId);
              sent += 1;
            }),
          );
        })
        .beforeEach(async () => {
          if (batches++ % 8 === 0) ids = await renewFixtures();
        }),
      { seed: SEED, numRuns: BATCHES, interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true },
    );
    expect(sent).toBeGreaterThanOrEqual(3000);
    expect([...covered].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    await expectHealthy();
  });

  it('names the invalid field when exactly one field of a request is invalid', async () => {
    // The random requests may have deleted them.
    ids = await renewFixtures();
    const cases = operations.flatMap(singleFaults);
    expect(cases.length).toBeGreaterThan(500);
    const faults: string[] = [];
    const workers = Array.from({ length: 8 }, async () => {
      for (let item = cases.pop(); item; item = cases.pop()) {
        const answered = await send(item.call);
        checkAnswer(item.call, answered);
        if (!namesOnly(item, answered)) faults.push(`${item.field}: ${describeCall(item.call, answered)}`);
      }
    });
    await Promise.all(workers);
    expect(faults).toEqual([]);
    await expectHealthy();
  });

  it.each([
    ['GET', '/v1/messages?limit=1001', undefined, ['limit']],
    ['GET', '/v1/messages?limit=10&page=1000001', undefined, ['page']],
    ['GET', '/v1/notifications?after=yesterday', undefined, ['after']],
    ['GET', '/v1/notifications?templates=welcome', undefined, ['templates']],
    ['GET', '/v1/subscribers/fuzzed/notifications/feed?payload=!', undefined, ['payload']],
    ['GET', '/v2/subscribers?after=nothing', undefined, ['after']],
    ['GET', '/v2/topics?after=a&before=b', undefined, ['after', 'before']],
    ['POST', '/v2/topics', { key: 'a b' }, ['key']],
    ['POST', '/v2/topics/a%20b/subscriptions', { subscriptions: ['fuzzed'] }, ['topicKey']],
    ['POST', '/v2/subscribers', { subscriberId: 'x', timezone: 'Moon/Base' }, ['timezone']],
    ['POST', '/v1/integrations', { providerId: 'twilio', channel: 'email' }, ['providerId']],
    ['DELETE', '/v1/subscribers/fuzzed/credentials/none', undefined, ['providerId']],
  ])(
    'names the invalid field for a rule that the OpenAPI document cannot express: %s %s',
    async (method, path, body, fields) => {
      const answer = await gateway.call<Refusal>(method, path, body);
      expect([400, 422]).toContain(answer.status);
      expect(Object.keys(answer.body.errors ?? {}).sort()).toEqual(fields);
    },
  );

  /**
   * Builds requests with exactly one invalid field, for every field of the operation and every kind of invalid value.
   */
  function singleFaults(operation: Operation): { operation: Operation; field: string; call: Call }[] {
    const url = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? newId()));
    const schema = bodySchema(operation);
    const valid = schema && sampleOf(document, schema);
    const callWith = (target: string, body: unknown): Call => {
      const text = body === undefined ? undefined : toJson(body);
      return { method: operation.method, url: target, headers: headersOf(text), body: text };
    };
    const inPath = operation.parameters
      .filter((parameter) => parameter.in === 'path' && parameter.schema.format === 'uuid')
      .map(({ name }) => ({
        operation,
        field: name,
        call: callWith(url.replace(encodeURIComponent(ids[name]!), 'not-an-id'), valid),
      }));
    const ofQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
    const inQuery = ofQuery.flatMap(({ name, schema: rule }) => {
      const others = ofQuery.filter((other) => other.required === true && other.name !== name);
      const rest = others.map((other) => `&${other.name}=x`).join('');
      return wrongTexts(rule).map((text) => ({
        operation,
        field: name,
        call: callWith(`${url}?${name}=${text}${rest}`, valid),
      }));
    });
    const inBody = (schema ? fieldsOf(document, schema) : []).flatMap(({ path, rule, isRequired }) =>
      [...wrongValues(rule), ...(isRequired ? [undefined] : [])].map((value) => ({
        operation,
        field: path.join('.'),
        call: callWith(url, put(valid, path, value)),
      })),
    );
    return [...inPath, ...inQuery, ...inBody].filter(({ field }) => !TAKES_ONE_TEXT.includes(field));
  }

  /**
   * Event and bulk calls report a fault in the result of the element. A fault in a list may be reported on the list.
   */
  function namesOnly(
    { operation, field }: { operation: Operation; field: string },
    { status, text }: Answered,
  ): boolean {
    if (status === 201) {
      const name = field.split('.').at(-1)!;
      if (!/trigger|bulk/.test(operation.path)) return false;
      if (!/^\d+$/.test(name)) return text.includes(name);
      const list = field.split('.').findLast((part) => !/^\d+$/.test(part))!;
      const saysList = new RegExp(`(?:[".]|each value in )${list}[ .]`);
      return /must be an object|not allowed as a key/.test(text) || saysList.test(text);
    }
    if (status !== 422 && status !== 400) return false;
    const { errors = {} } = JSON.parse(text) as Refusal;
    const named = Array.isArray(errors) ? errors.map((error) => error.field) : Object.keys(errors);
    const lists = field.split(/\.\d+/).map((_, index, parts) => parts.slice(0, index + 1).join('.0'));
    return (
      named.length > 0 && named.every((name) => name === field || lists.includes(name) || name.startsWith(`${field}.`))
    );
  }

  async function expectHealthy(): Promise<void> {
    expect(await (await fetch(`${gateway.url}/health/live`)).json()).toEqual({ status: 'ok' });
    const created = await gateway.call('POST', '/v2/subscribers', { subscriberId: newId(), firstName: 'Fine' });
    expect(created).toMatchObject({ status: 201, body: { firstName: 'Fine' } });
  }
});

type JsonPath = (string | number)[];

/** Returns the path of every member inside a value. */
function pathsOf(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [...(path.length > 0 ? [path] : []), ...members.flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

/** Returns a copy with another value at the path; undefined removes the member. */
function put(value: unknown, [key, ...rest]: JsonPath, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof value !== 'object' || value === null) return value;
  const member = put((value as Record<string, unknown>)[key], rest, replacement);
  if (Array.isArray(value)) return value.toSpliced(Number(key), 1, ...(member === undefined ? [] : [member]));
  const { [key]: _, ...others } = value as Record<string, unknown>;
  return member === undefined ? others : { ...others, [key]: member };
}

type Field = { path: JsonPath; rule: Schema; isRequired: boolean };

/** Returns every field of a body, also those of nested objects and of the first element of lists. */
function fieldsOf(document: OpenApiDocument, given: Schema, path: JsonPath = []): Field[] {
  const schema = resolve(document, given);
  if (schema.oneOf) return [];
  if (schema.type === 'array') {
    const rule = resolve(document, schema.items ?? {});
    return [{ path: [...path, 0], rule, isRequired: false }, ...fieldsOf(document, rule, [...path, 0])];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const rule = resolve(document, member);
    const isRequired = schema.required?.includes(name) ?? false;
    return [{ path: [...path, name], rule, isRequired }, ...fieldsOf(document, rule, [...path, name])];
  });
}

/** Returns values that the schema of a body field does not allow. */
function wrongValues(rule: Schema): unknown[] {
  if (rule.oneOf) return [null];
  const values: Record<string, unknown> = { string: 'text', integer: 7, boolean: true, array: ['a'], object: { a: 1 } };
  const ofOtherType = Object.entries(values).filter(
    ([type]) => type !== rule.type && !(type === 'integer' && rule.type === 'number'),
  );
  return [
    ...ofOtherType.map(([, value]) => value),
    ...(rule.nullable ? [] : [null]),
    ...(rule.enum ? ['no such value', '', '__proto__'] : []),
    ...(rule.format ? ['not of this form'] : []),
    ...(rule.pattern ? ['\n'] : []),
    ...(rule.maxLength === undefined ? [] : ['x'.repeat(rule.maxLength + 1)]),
    ...(rule.minLength ? [''] : []),
    ...(rule.maxItems === undefined ? [] : [Array(rule.maxItems + 1).fill('a')]),
    ...(rule.type === 'integer' ? [1.5, '7'] : []),
    ...(rule.type === 'string' ? ['a\u0000b', '\ud800', raw('9007199254740993')] : []),
    ...(rule.type === 'object' ? [nest(40), raw('{"__proto__":1}')] : []),
  ];
}

/** Returns texts that the schema of a query parameter does not allow. */
function wrongTexts(rule: Schema): string[] {
  const texts = rule.type === 'array' ? wrongTexts(rule.items ?? {}) : [];
  return [
    ...texts,
    ...(rule.enum ? ['nothing', "_id'--"] : []),
    ...(rule.type === 'integer' ? ['x', '1.5', '1e3', 'NaN', '9'.repeat(30)] : []),
    ...(rule.type === 'boolean' ? ['maybe', '1'] : []),
    ...(rule.minimum === undefined ? [] : [String(rule.minimum - 1)]),
    ...(rule.maximum === undefined ? [] : [String(rule.maximum + 1)]),
    ...(rule.maxLength === undefined ? [] : ['x'.repeat(rule.maxLength + 1)]),
    ...(rule.format ? ['not-of-this-form'] : []),
    ...['%00'],
  ];
}
