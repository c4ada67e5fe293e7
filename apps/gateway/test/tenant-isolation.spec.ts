/** @jest-environment node */
import { newId } from '@clarion/contracts';
import { Database, listTenantTables } from '@clarion/persistence';
import { insertMessages, insertNotifications } from '@clarion/testing';
import { type Answer, callGateway, inboxToken, startGateway, type TestGateway } from './harness';
import { environmentConditions } from './unscoped-persistence';

jest.mock('@clarion/persistence', () => {
  const { copyPersistenceUnscoped } = jest.requireActual<{ copyPersistenceUnscoped(): string }>(
    './unscoped-persistence',
  );
  return jest.requireActual<object>(copyPersistenceUnscoped());
});

/** Part of every row of the victim. */
const SECRET = 'hidden-treasure';

describe('row-level security without any WHERE on the environment', () => {
  let gateway: TestGateway;
  let ids: Record<'integration' | 'notification' | 'message' | 'endpoint', string>;
  let intruder: string;

  beforeAll(async () => {
    gateway = await startGateway();
    ids = await fill(gateway);
    intruder = await gateway.secondKey();
    await callGateway(gateway.url, intruder, 'POST', '/v2/subscribers', { subscriberId: 'own' });
  });
  afterAll(() => gateway.close());

  const asIntruder = (method: string, path: string, body?: unknown) =>
    callGateway<Record<string, unknown>>(gateway.url, intruder, method, path, body);

  /** Reads as a page of the intruder's subscriber. */
  const asPage = async (path: string) => {
    const authorization = `Bearer ${await inboxToken(gateway, 'own', intruder)}`;
    return callGateway<Record<string, unknown>>(gateway.url, '', 'GET', path, undefined, { authorization });
  };
  const pages = ['/v1/inbox/preferences', '/v1/inbox/notifications', `/v1/inbox/topics/${SECRET}/subscriptions`];

  const reads = () => [
    '/v2/subscribers',
    `/v2/subscribers?name=${SECRET}`,
    `/v2/subscribers/${SECRET}`,
    `/v2/subscribers/${SECRET}/preferences`,
    '/v2/topics',
    `/v2/topics?key=${SECRET}`,
    `/v2/topics/${SECRET}`,
    `/v2/topics/${SECRET}/subscriptions`,
    '/v2/workflows',
    `/v2/workflows/${SECRET}`,
    '/v2/layouts',
    `/v2/layouts/${SECRET}`,
    '/v1/tenants',
    `/v1/tenants/${SECRET}`,
    '/v1/environment-variables',
    '/v1/environment-variables/TREASURE',
    `/v2/translations/workflow/${SECRET}/de`,
    '/v2/translations/master-json?locale=de',
    '/v2/translations',
    '/v2/contexts',
    `/v2/contexts?search=${SECRET}`,
    `/v2/contexts/team/${SECRET}`,
    '/v1/integrations',
    '/v1/channel-connections',
    `/v1/channel-connections/${SECRET}`,
    '/v1/channel-endpoints',
    `/v1/channel-endpoints/${SECRET}`,
    '/v1/notifications',
    `/v1/notifications?topicKey=${SECRET}`,
    `/v1/notifications/${ids.notification}`,
    '/v1/messages',
    '/v1/subscribers',
    `/v1/topics/${SECRET}`,
    '/v1/layouts',
    `/v1/notification-templates/${SECRET}`,
    `/v1/execution-details?notificationId=${ids.notification}&subscriberId=${SECRET}`,
    '/v1/webhook-endpoints',
    '/v1/mirror',
    '/v1/mirror/differences',
    `/v1/webhook-endpoints/${ids.endpoint}`,
    '/v1/events/log',
    `/v1/environments/${gateway.environmentId}/api-keys`,
  ];
  const writes = (): [string, string, object?][] => [
    ['PATCH', `/v2/subscribers/${SECRET}`, { firstName: 'Taken' }],
    ['DELETE', `/v2/subscribers/${SECRET}`],
    ['PATCH', `/v2/topics/${SECRET}`, { name: 'Taken' }],
    ['DELETE', `/v2/topics/${SECRET}`],
    ['PATCH', `/v2/workflows/${SECRET}`, { name: 'Taken' }],
    ['DELETE', `/v2/workflows/${SECRET}`],
    ['PUT', `/v2/layouts/${SECRET}`, { name: 'Taken' }],
    ['PUT', `/v1/subscribers/${SECRET}`, { firstName: 'Taken' }],
    ['PUT', `/v1/notification-templates/${SECRET}`, { name: 'Taken' }],
    ['POST', `/v1/layouts/${SECRET}/default`],
    ['PATCH', `/v1/tenants/${SECRET}`, { name: 'Taken' }],
    ['DELETE', `/v1/tenants/${SECRET}`],
    ['DELETE', '/v1/environment-variables/TREASURE'],
    ['DELETE', `/v2/translations/workflow/${SECRET}`],
    ['DELETE', `/v2/contexts/team/${SECRET}`],
    ['PUT', `/v1/integrations/${ids.integration}`, { name: 'Taken' }],
    ['DELETE', `/v1/integrations/${ids.integration}`],
    ['DELETE', `/v1/messages/${ids.message}`],
    [
      'PATCH',
      `/v1/channel-connections/${SECRET}`,
      { workspace: { id: 'Taken' }, auth: { accessToken: 'taken-token' } },
    ],
    ['PATCH', `/v1/channel-endpoints/${SECRET}`, { endpoint: { userId: 'Taken' } }],
    ['DELETE', `/v1/channel-endpoints/${SECRET}`],
    ['DELETE', `/v1/channel-connections/${SECRET}`],
    ['PATCH', `/v1/webhook-endpoints/${ids.endpoint}`, { active: false }],
    ['DELETE', `/v1/webhook-endpoints/${ids.endpoint}`],
    ['DELETE', '/v1/mirror?discard=true'],
  ];
  const showsSecret = (answer: Answer): boolean => answer.text.includes(SECRET) && answer.status < 400;
  const ofVictim = async () => {
    const rows: Record<string, unknown[]> = {};
    for (const table of await listTenantTables(gateway.database.dataSource)) {
      rows[table] = await gateway.database.query(
        `SELECT to_jsonb(t) - 'last_used_at' AS row FROM "${table}" t WHERE t.environment_id IN ($1) ORDER BY 1`,
        [gateway.environmentId],
      );
    }
    return rows;
  };

  it('removes more than 100 environment conditions for this spec', () => {
    expect(environmentConditions.removed).toBeGreaterThan(100);
  });

  it('hides the rows of another tenant and prevents changes to them', async () => {
    const before = await ofVictim();
    const leaks: string[] = [];
    for (const path of reads()) {
      const answer = await asIntruder('GET', path);
      if (showsSecret(answer) || answer.status >= 500) leaks.push(`GET ${path}: ${answer.text}`);
    }
    for (const path of pages) {
      const answer = await asPage(path);
      if (showsSecret(answer) || answer.status !== 200) leaks.push(`GET ${path}: ${answer.text}`);
    }
    for (const [method, path, body] of writes()) {
      const answer = await asIntruder(method, path, body);
      if (answer.status < 400 || answer.status >= 500) leaks.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    expect(leaks).toEqual([]);
    expect(await ofVictim()).toEqual(before);
    expect((await gateway.call('GET', '/v2/subscribers')).text).toContain(SECRET);
  });

  it('shows and changes rows of another tenant when row-level security is bypassed', async () => {
    const asTenant = jest
      .spyOn(Database.prototype, 'asTenant')
      .mockImplementation(<T>(_: string, work: () => T): T => work());
    try {
      const shown = [];
      for (const path of reads()) if (showsSecret(await asIntruder('GET', path))) shown.push(path);
      expect(shown.length).toBeGreaterThan(15);
      expect(showsSecret(await asPage(pages[0]!))).toBe(true);
      const before = await ofVictim();
      for (const [method, path, body] of writes()) await asIntruder(method, path, body);
      const after = await ofVictim();
      const changed = Object.keys(before).filter(
        (table) => JSON.stringify(before[table]) !== JSON.stringify(after[table]),
      );
      expect(changed).toEqual(expect.arrayContaining(['integration', 'message', 'subscriber', 'tenant', 'topic']));
    } finally {
      asTenant.mockRestore();
    }
  });
});

/** Inserts a row of the victim into every table that callers can read. */
async function fill(
  gateway: TestGateway,
): Promise<Record<'integration' | 'notification' | 'message' | 'endpoint', string>> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await gateway.call<Record<string, string>>('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.body['_id'] ?? '';
  };
  await make('/v2/subscribers', { subscriberId: SECRET, firstName: SECRET });
  await make('/v2/topics', { key: SECRET, name: SECRET });
  await make(`/v2/topics/${SECRET}/subscriptions`, { subscriberIds: [SECRET] });
  const steps = [{ name: 'Text', type: 'sms', controlValues: { body: SECRET } }];
  await make('/v2/workflows', { name: SECRET, workflowId: SECRET, steps });
  await make('/v2/layouts', { name: SECRET, layoutId: SECRET });
  await make('/v1/tenants', { identifier: SECRET, name: SECRET });
  const values = [{ _environmentId: gateway.environmentId, value: SECRET }];
  await make('/v1/environment-variables', { key: 'TREASURE', values });
  const translated = { resourceType: 'workflow', resourceId: SECRET, locale: 'de', content: { a: SECRET } };
  await make('/v2/translations', translated);
  await make('/v2/contexts', { type: 'team', id: SECRET });
  const integration = await make('/v1/integrations', { name: SECRET, providerId: 'sendgrid', channel: 'email' });
  const chat = { integrationIdentifier: SECRET, subscriberId: SECRET, identifier: SECRET };
  await make('/v1/integrations', { name: SECRET, providerId: 'slack', channel: 'chat', identifier: SECRET });
  await make('/v1/channel-connections', { ...chat, workspace: { id: SECRET }, auth: { accessToken: SECRET } });
  await make('/v1/channel-endpoints', { ...chat, type: 'slack_user', endpoint: { userId: SECRET } });
  const endpoint = await make('/v1/webhook-endpoints', { url: `https://example.com/${SECRET}` });
  const { database, environmentId } = gateway;
  await database.query(
    `WITH mirrored AS (
       INSERT INTO mirror (environment_id, url, key, delivers, compare_percent, settle_seconds, until)
       VALUES ($1, $2, $2, 'clarion', 1, 1, now() + interval '1 day'))
     INSERT INTO mirror_difference (id, environment_id, kind, transaction_id) VALUES (uuid_v7(), $1, 'failed', $2)`,
    [environmentId, SECRET],
  );
  const [[subscriber], [workflow]] = await Promise.all([
    database.query<{ id: string }>(`SELECT id FROM subscriber WHERE subscriber_id = $1`, [SECRET]),
    database.query<{ id: string }>(`SELECT id FROM workflow WHERE workflow_id = $1`, [SECRET]),
  ]);
  const [subscriberId, workflowId] = [subscriber!.id, workflow!.id];
  const [notification] = await insertNotifications(database, [
    { environmentId, subscriberId, workflowId, transactionId: SECRET, topicKeys: [SECRET] },
  ] as never);
  const [message] = await insertMessages(database, [
    { environmentId, subscriberId, workflowId, transactionId: SECRET, notificationId: notification!.id, id: newId() },
  ] as never);
  return { integration, notification: notification!.id, message: message!.id, endpoint };
}
