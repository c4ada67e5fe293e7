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
    [
      'a field of a broadcast',
      'POST',
      '/v1/events/trigger/broadcast',
      { name: 'welcome', payload: {}, exclude: 'a' },
      { exclude: undefined },
    ],
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
      expect(
        watched().filter((statement) => /\binsert into\b|\bdelete from\b|\bupdate \w+ (\w+ )?set\b/i.test(statement)),
      ).toEqual([]);
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

  const ID = '0190c0de-0000-7000-8000-000000000000';
  const WIDENED: [string, string, string, unknown, string][] = [
    ['a replay of all', 'POST', '/v1/notifications/replay', { dryRun: false, workflows: ['a'] }, 'workflows'],
    ['a replay without a dry run', 'POST', '/v1/notifications/replay?dryRun=true', {}, 'dryRun'],
    [
      'a bulk action',
      'POST',
      '/v1/bulk-actions',
      { action: 'cancel', filter: { statuss: 'failed' } },
      'filter.statuss',
    ],
    ['the start of a bulk action', 'POST', `/v1/bulk-actions/${ID}/run`, { count: 1, perMinute: 1 }, 'perMinute'],
    ['a cancellation', 'DELETE', '/v1/events/trigger/t1?subscriberId=ada', undefined, 'subscriberId'],
    ['a cancellation with a body', 'DELETE', '/v1/events/trigger/t1', { subscriberId: 'ada' }, 'subscriberId'],
    ['a trigger', 'POST', '/v1/events/trigger?dry_run=true', event, 'dry_run'],
    ['a broadcast with recipients', 'POST', '/v1/events/trigger/broadcast', event, 'to'],
    ['the messages of a transaction', 'DELETE', '/v1/messages/transaction/t1?chanel=email', undefined, 'chanel'],
    ['the outbox', 'DELETE', '/v1/outbox?before=2020-01-01', undefined, 'before'],
    ['the marks of an inbox', 'POST', '/v2/subscribers/ada/notifications/read', { tag: ['a'] }, 'tag'],
    ['the deletion of an inbox', 'POST', '/v2/subscribers/ada/notifications/delete', { workflow: 'a' }, 'workflow'],
    [
      'the marks of all messages',
      'POST',
      '/v1/subscribers/ada/messages/mark-all',
      { markAs: 'read', feed: 'a' },
      'feed',
    ],
    ['a hold', 'POST', '/v1/holds', { target: 'channel', id: 'email', workflow: 'a' }, 'workflow'],
    ['a publish', 'POST', `/v2/environments/${ID}/publish`, { resource: [] }, 'resource'],
    ['a webhook endpoint', 'POST', '/v1/webhook-endpoints', { url: 'https://a.example', event: ['a'] }, 'event'],
    ['a webhook replay', 'POST', `/v1/webhook-endpoints/${ID}/replay`, { after: 0, too: 9 }, 'too'],
    ['an erasure', 'POST', '/v2/subscribers/ada/erase', { dryRun: true }, 'dryRun'],
    ['the deletion of an environment', 'DELETE', `/v1/environments/${ID}?dryRun=true`, undefined, 'dryRun'],
    ['a new API key', 'POST', `/v1/environments/${ID}/api-keys`, { scopes: ['read'] }, 'scopes'],
    [
      'a preference',
      'PATCH',
      '/v2/subscribers/ada/preferences',
      { workflow: 'a', channels: { email: false } },
      'workflow',
    ],
    ['limits', 'PUT', '/v1/operations/limits', { environment: 'a', messagesPerDay: 1 }, 'environment'],
  ];

  it.each(WIDENED)(
    'answers 422 without any preference where an unknown name would widen the effect: %s',
    async (_, method, path, body, name) => {
      const watched = gateway.watchStatements();
      const answer = await gateway.call<Refusal>(method, path, body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [name]]);
      expect(watched().filter((statement) => /insert|update|delete/i.test(statement))).toEqual([]);
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
