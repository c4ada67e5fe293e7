import { LIMITS, type TriggerResultDto } from '@clarion/contracts';
import { createInAppWorkflow, startGateway, type TestGateway } from './harness';

type Refusal = { errors: { field: string; message: string }[] };

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const event = (members: string): string => `{"name":"welcome","to":"ada",${members}}`;

/** Invalid members of an event, and the path in the error. */
const INVALID_MEMBERS: [string, string, string][] = [
  ['a __proto__ key', '"payload":{"a":[{"__proto__":{"x":1}}]}', 'payload.a.0.__proto__'],
  ['a NUL character', '"payload":{"text":"a\\u0000b"}', 'payload.text'],
  ['a NUL character in a key', '"payload":{"a\\u0000b":1}', 'payload.key'],
  ['a lone surrogate', '"overrides":{"email":{"subject":"\\ud800"}}', 'overrides.email.subject'],
  ['an integer beyond 2^53', '"payload":{"order":{"id":9007199254740993}}', 'payload.order.id'],
  ['a number with too many decimal places', '"payload":{"order":{"mass":[1e-29,-1e-307]}}', 'payload.order.mass.1'],
  ['a number with too many digits', '"payload":{"order":{"mass":[1e30,-1e307]}}', 'payload.order.mass.1'],
  ['a number beyond double', '"payload":{"n":1e999}', 'payload.n'],
  ['33 levels', `"payload":{"deep":${nested(31)}}`, 'payload.deep'],
  ['10,000 levels', `"payload":{"a":"\\u0000","deep":${nested(10_000)}}`, 'payload.a'],
];
/** The values of a single event are counted before it is parsed, so only a bulk call knows where they are. */
const TOO_MANY = `"payload":{"list":[${'0,'.repeat(LIMITS.jsonValues)}0]}`;

describe('events with values that no body may contain', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    await createInAppWorkflow(gateway, 'welcome', 'Hi {{payload.constructor.name}}');
  });
  afterAll(() => gateway.close());

  const bulk = (events: string[], headers?: Record<string, string>) =>
    gateway.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', `{"events":[${events.join()}]}`, headers);
  const storedPayloads = (transactionId: string) =>
    gateway.database.query<{ payload: unknown }>('SELECT payload FROM trigger WHERE transaction_id = $1', [
      transactionId,
    ]);

  it.each([...INVALID_MEMBERS, ['too many values', TOO_MANY, 'payload.list']])(
    'fails only the event with %s in a bulk call',
    async (title, members, path) => {
      const id = title.replace(/\W+/g, '-');
      const answer = await bulk([
        event(`"transactionId":"before-${id}"`),
        event(`"transactionId":"bad-${id}",${members}`),
        event(`"transactionId":"after-${id}"`),
      ]);
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual([
        { acknowledged: true, status: 'processed', transactionId: `before-${id}` },
        { acknowledged: true, status: 'error', error: [expect.stringContaining(path)], transactionId: `bad-${id}` },
        { acknowledged: true, status: 'processed', transactionId: `after-${id}` },
      ]);
      expect(await storedPayloads(`bad-${id}`)).toEqual([]);
      expect(await storedPayloads(`after-${id}`)).toHaveLength(1);
    },
  );

  it.each([...INVALID_MEMBERS, ['too many values', TOO_MANY, 'body']])(
    'answers 400 with the path to a single event with %s',
    async (_, members, path) => {
      const answer = await gateway.call<Refusal>('POST', '/v1/events/trigger', event(members));
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([{ field: expect.stringContaining(path), message: expect.any(String) }]);
    },
  );

  it('accepts an event as deeply nested in a bulk call as in a single call', async () => {
    const deepest = event(`"payload":{"deep":${nested(30)}}`);
    const [result] = (await bulk([deepest])).body;
    expect(result).toMatchObject({ status: 'processed' });
    expect((await gateway.call('POST', '/v1/events/trigger', deepest)).status).toBe(201);
  });

  it('replays the error result of an event under an idempotency key', async () => {
    const call = () => bulk([event(`"payload":{"deep":${nested(10_000)}}`)], { 'idempotency-key': 'deep' });
    const first = await call();
    expect(first.body).toMatchObject([{ status: 'error' }]);
    expect((await call()).text).toBe(first.text);
  });

  it.each([
    ['a wrong field', '"payload":5'],
    ['an unknown workflow', '"name":"nowhere"'],
    ['too many recipients', `"to":[${'"a",'.repeat(100)}"a"]`],
    ['a bad actor', '"actor":5'],
  ])('keeps the transactionId of an event that is rejected for %s', async (title, members) => {
    const [result] = (await bulk([event(`"transactionId":"kept ${title}",${members}`)])).body;
    expect(result).toMatchObject({ status: 'error', transactionId: `kept ${title}` });
  });

  it.each(['5', '""', `"${'x'.repeat(257)}"`, '"a\\u0000b"', 'null'])(
    'assigns a new transactionId to an event with an invalid one: %s',
    async (transactionId) => {
      const [result] = (await bulk([event(`"transactionId":${transactionId}`)])).body;
      expect(result).toMatchObject({ status: 'error', transactionId: expect.stringMatching(/^txn_/) });
    },
  );

  it('fails only the bad one of two events with the same transactionId', async () => {
    const { body } = await bulk([event('"transactionId":"shared"'), event('"transactionId":"shared","payload":5')]);
    expect(body).toMatchObject([{ status: 'processed' }, { status: 'error', error: ['payload must be an object'] }]);
  });

  it('stores constructor and prototype as ordinary payload keys, which templates can read', async () => {
    const payload = { constructor: { name: 'Ada', prototype: 1 }, prototype: { constructor: [] } };
    const given = { name: 'welcome', to: 'ada', payload, overrides: { email: { constructor: 'x' } } };
    for (const [path, body] of [
      ['/v1/events/trigger', { ...given, transactionId: 'ordinary-alone' }],
      ['/v1/events/trigger/bulk', { events: [{ ...given, transactionId: 'ordinary-bulk' }] }],
    ] as const) {
      expect((await gateway.call('POST', path, body)).status).toBe(201);
    }
    expect(await storedPayloads('ordinary-alone')).toEqual([{ payload }]);
    expect(await storedPayloads('ordinary-bulk')).toEqual([{ payload }]);
    const explained = await gateway.call('POST', '/v1/events/trigger?dryRun=true', given);
    expect(explained.text).toContain('Hi Ada');
  });

  it('fails only the bad subscriber in a bulk import', async () => {
    const answer = await gateway.call(
      'POST',
      '/v1/subscribers/bulk',
      '{"subscribers":[{"subscriberId":"good"},{"subscriberId":"bad","data":{"n":9007199254740993}}]}',
    );
    expect(answer.body).toMatchObject({
      created: [{ subscriberId: 'good' }],
      failed: [{ subscriberId: 'bad', message: expect.stringContaining('data.n') }],
    });
  });
});
