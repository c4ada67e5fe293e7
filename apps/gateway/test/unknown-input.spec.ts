import { createInAppWorkflow, type Refusal, startGateway, type TestGateway } from './harness';

const STRICT = { prefer: 'handling=strict' };

describe('unknown fields and query parameters', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    await createInAppWorkflow(gateway, 'welcome');
  });
  afterAll(() => gateway.close());

  const event = { name: 'welcome', to: 'ada', payload: {} };
  const CASES: [string, string, string, unknown, Record<string, string | undefined>][] = [
    ['a field of a body', 'POST', '/v2/subscribers', { subscriberId: 'a', emial: 'a@example.com' }, { emial: 'email' }],
    ['a field of a single event', 'POST', '/v1/events/trigger', { ...event, tennant: 'acme' }, { tennant: 'tenant' }],
    ['a field of a broadcast', 'POST', '/v1/events/trigger/broadcast', { ...event }, { to: undefined }],
    [
      'fields of a bulk call and of its events',
      'POST',
      '/v1/events/trigger/bulk',
      {
        events: [
          event,
          {
            ...event,
            tennant: 'x',
            to: ['bob', { subscriberId: 'c', emial: 'x' }],
            actor: { subscriberId: 'b', foo: 1 },
          },
        ],
        unknown: 1,
      },
      {
        unknown: undefined,
        'events.1.tennant': 'tenant',
        'events.1.actor.foo': undefined,
        'events.1.to.1.emial': 'email',
      },
    ],
    [
      'a field of an element of a bulk import',
      'POST',
      '/v1/subscribers/bulk',
      { subscribers: [{ subscriberId: 'a' }, { subscriberId: 'b', fistName: 'B' }] },
      { 'subscribers.1.fistName': 'firstName' },
    ],
    [
      'fields of nested objects in lists',
      'POST',
      '/v2/workflows',
      {
        name: 'Nested',
        workflowId: 'nested',
        steps: [{ name: 'Mail', type: 'email', controlValus: {}, filters: [{ children: [], vlaue: 'AND' }] }],
      },
      { 'steps.0.filters.0.vlaue': 'value', 'steps.0.controlValus': 'controlValues' },
    ],
    ['a parameter of a query', 'GET', '/v2/subscribers?limti=5&zzz=1', undefined, { limti: 'limit', zzz: undefined }],
    [
      'a parameter where the operation has none',
      'GET',
      '/v2/workflows/welcome?verbose=1',
      undefined,
      { verbose: undefined },
    ],
    [
      'body and query together',
      'POST',
      '/v2/topics?failIfExist=false',
      { key: 'news', nmae: 'News' },
      { failIfExist: 'failIfExists', nmae: 'name' },
    ],
  ];

  it.each(CASES)('names unknown input in the Clarion-Warning header: %s', async (_, method, path, body, unknown) => {
    const answer = await gateway.call(method, path, body);
    expect(answer.status).toBeLessThan(300);
    const warning = answer.headers.get('clarion-warning') ?? '';
    expect(warning.split('; ')).toHaveLength(Object.keys(unknown).length);
    for (const [name, meant] of Object.entries(unknown)) {
      expect(warning).toContain(meant ? ` ${name} (did you mean ${meant}?)` : ` ${name}`);
    }
    expect(answer.headers.get('preference-applied')).toBeNull();
  });

  it.each(CASES)(
    'answers unknown input with a 422 that names it under Prefer: handling=strict: %s',
    async (_, method, path, body, unknown) => {
      const watched = gateway.watchStatements();
      const answer = await gateway.call<Refusal>(method, path, body, STRICT);
      expect(answer.status).toBe(422);
      expect(watched().filter((statement) => /insert|update|delete/i.test(statement))).toEqual([]);
      expect(Object.keys(answer.body.errors).sort()).toEqual(Object.keys(unknown).sort());
      for (const [name, meant] of Object.entries(unknown)) {
        if (meant) expect(answer.body.errors[name]!.messages[0]).toContain(`did you mean ${meant}?`);
      }
      expect(answer.headers.get('preference-applied')).toBe('handling=strict');
    },
  );

  it.each(['handling="strict"', 'respond-async, handling=strict', 'HANDLING = strict; foo=bar'])(
    'answers unknown input with a 422 under every spelling of the preference: %s',
    async (prefer) => {
      const answer = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'a', emial: 'x' }, { prefer });
      expect(answer.status).toBe(422);
    },
  );

  it.each([{}, { prefer: 'handling=lenient' }, { prefer: 'return=minimal' }, STRICT])(
    'does not report members of free-form objects, with %p',
    async (headers) => {
      const answer = await gateway.call(
        'POST',
        '/v1/events/trigger?dryRun=false',
        {
          ...event,
          to: { subscriberId: 'ada', data: { anything: { at: 'all' } } },
          payload: { anything: 1 },
          overrides: { anything: { at: 'all' } },
          context: { region: { id: 'eu', data: { anything: 1 } } },
        },
        headers as Record<string, string>,
      );
      expect(answer.status).toBe(201);
      expect(answer.headers.get('clarion-warning')).toBeNull();
    },
  );

  it('names unknown input in the Clarion-Warning header of an error response', async () => {
    const answer = await gateway.call('POST', '/v2/subscribers', { subscriberID: 'a' });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('clarion-warning')).toBe('unknown body field subscriberID (did you mean subscriberId?)');
  });

  it('bounds the Clarion-Warning header and keeps it in ASCII for any names', async () => {
    const names = Array.from({ length: 5000 }, (_, index) => `${index}é\r\nSet-Cookie: x${'y'.repeat(150)}`);
    const body = { subscriberId: 'a', ...Object.fromEntries(names.map((name) => [name, 1])) };
    const answer = await gateway.call('POST', '/v2/subscribers', body);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toBeNull();
    const warning = answer.headers.get('clarion-warning')!;
    expect(warning).toMatch(/^[\x20-\x7e]+; and more$/);
    expect(warning.length).toBeLessThan(2200);
    const refused = await gateway.call<Refusal>('POST', '/v2/subscribers', body, STRICT);
    expect(Object.keys(refused.body.errors).length).toBeLessThanOrEqual(20);
  });
});
