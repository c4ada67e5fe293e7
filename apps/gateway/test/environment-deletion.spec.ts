import { type EnvironmentId, LIMITS, newId, type SubscriberRowId } from '@clarion/contracts';
import { deleteEnvironments, listTenantTables } from '@clarion/persistence';
import { insertExecutionDetails, insertMessages, insertNotifications, insertSteps } from '@clarion/testing';
import { callGateway, type Refusal, startOwnGateway, type TestGateway } from './harness';

type Made = { _id: EnvironmentId; identifier: string; apiKeys: [{ key: string }] };

describe('DELETE /v1/environments/{environmentId}', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startOwnGateway();
  });
  afterAll(() => gateway.close());

  const make = async (name: string): Promise<Made> =>
    (await gateway.call<Made>('POST', '/v1/environments', { name })).body;
  const rowsOf = async (environmentId: string): Promise<Map<string, number>> => {
    const tables = await listTenantTables(gateway.database);
    const counts = await Promise.all(
      tables.map(async (table): Promise<[string, number]> => {
        const [row] = await gateway.database.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM "${table}" WHERE environment_id = $1`,
          [environmentId],
        );
        return [table, row!.count];
      }),
    );
    return new Map(counts.filter(([, count]) => count > 0));
  };

  /** Rows in every kind of table: with and without partitions, with and without an index of the environment. */
  async function fill({ _id: environmentId, apiKeys: [{ key }] }: Made): Promise<void> {
    const call = (method: string, path: string, body: unknown) =>
      gateway.call<{ _id: string }>(method, path, body, { authorization: `ApiKey ${key}` });
    const subscriber = await call('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'ada@example.com' });
    await call('POST', '/v2/topics', { key: 'news', name: 'News' });
    await call('POST', '/v2/topics/news/subscriptions', { subscriberIds: ['ada'] });
    const steps = [{ name: 'Bell', type: 'in_app', controlValues: { body: 'Hi' } }];
    const workflow = await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', steps });
    await call('POST', '/v2/layouts', { layoutId: 'main', name: 'Main' });
    await call('POST', '/v1/events/trigger', { name: 'w', to: 'ada', transactionId: 'chosen' });
    const row = { environmentId, subscriberId: subscriber.body._id as SubscriberRowId, workflowId: workflow.body._id };
    const [notification] = await insertNotifications(gateway.database, [row]);
    const [step] = await insertSteps(gateway.database, notification!, [{ type: 'in_app' }]);
    await insertMessages(gateway.database, [{ ...row, notificationId: notification!.id, id: newId() }]);
    await insertExecutionDetails(gateway.database, [
      { environmentId, notificationId: notification!.id, stepId: step!.id },
    ]);
  }

  it('hides the environment at once and deletes all its rows in the background, and no others', async () => {
    const [kept, deleted] = [await make('Kept'), await make('Deleted')];
    await fill(kept);
    await fill(deleted);
    const before = await rowsOf(kept._id);
    const tables = [
      'trigger',
      'notification',
      'step',
      'message',
      'execution_detail',
      'work',
      'transaction',
      'subscriber',
    ];
    expect([...(await rowsOf(deleted._id)).keys()]).toEqual(expect.arrayContaining(tables));

    const answer = await gateway.call('DELETE', `/v1/environments/${deleted._id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ _id: deleted._id, name: 'Deleted', deletedAt: expect.any(String) });
    const withKey = { authorization: `ApiKey ${deleted.apiKeys[0].key}` };
    expect((await gateway.call('GET', '/v2/subscribers', undefined, withKey)).status).toBe(401);
    expect((await gateway.call('DELETE', `/v1/environments/${deleted._id}`)).status).toBe(404);
    expect((await gateway.call('PUT', `/v1/environments/${deleted._id}`, { name: 'Again' })).status).toBe(404);
    const listed = await gateway.call<{ name: string }[]>('GET', '/v1/environments');
    expect(listed.body.map(({ name }) => name)).toEqual(['Development', 'Kept']);
    expect((await make('Deleted')).identifier).not.toBe(deleted.identifier);

    const { database } = gateway;
    // Other gateways may know the keys for some seconds.
    expect(await deleteEnvironments(database, () => false)).toBe(0);
    await database.query(`UPDATE environment SET deleted_at = now() - interval '5 minutes' WHERE id = $1`, [
      deleted._id,
    ]);
    // A process that stops in the middle leaves the rest to the next run.
    expect(await deleteEnvironments(database, () => true)).toBeLessThan(before.size);
    expect(await deleteEnvironments(database, () => false)).toBeGreaterThan(before.size);
    expect([...(await rowsOf(deleted._id)).keys()]).toEqual(['audit_log']);
    expect(await database.query(`SELECT 1 FROM environment WHERE id = $1`, [deleted._id])).toEqual([]);
    expect(await rowsOf(kept._id)).toEqual(before);
    expect(await deleteEnvironments(database, () => false)).toBe(0);

    const log = await gateway.call<{ data: object[] }>('GET', '/v1/audit-log?action=environment.deleted');
    expect(log.body.data).toEqual([expect.objectContaining({ before: expect.objectContaining({ name: 'Deleted' }) })]);
  });

  it('keeps identifiers that an organization gave up from other organizations', async () => {
    const other = await gateway.admin.createOrganization('Other', { name: 'Main' });
    const rename = (id: string, identifier: string, key = gateway.key) =>
      callGateway<Refusal>(gateway.url, key, 'PUT', `/v1/environments/${id}`, { identifier });
    const take = (identifier: string) => rename(other.environment.id, identifier, other.key);
    const renamed = await make('Renamed');
    const [, taken] = await Promise.all([rename(renamed._id, 'shop-a'), take(renamed.identifier)]);
    expect([taken.status, (await take(renamed.identifier)).status]).toEqual([409, 409]);
    expect((await take('shop-b')).status).toBe(200);
    expect((await rename(renamed._id, renamed.identifier)).status).toBe(200);
    expect((await rename(renamed._id, 'shop-a')).status).toBe(200);
    expect((await gateway.call('DELETE', `/v1/environments/${renamed._id}`)).status).toBe(200);
    const refused = await take('shop-a');
    expect([refused.status, refused.body.message]).toEqual([409, 'The identifier "shop-a" is taken']);
    // The organization itself may use it again.
    expect((await rename((await make('Successor'))._id, 'shop-a')).status).toBe(200);
    expect((await take(`deleted_${gateway.environmentId}`)).status).toBe(422);
    for (let each = 0; each < LIMITS.formerIdentifiers; each += 1) await take(`shop-c${each}`);
    const full = await take('shop-d');
    expect([full.status, full.body.message]).toEqual([409, expect.stringContaining('can give up 100 identifiers')]);
  });

  it('refuses to delete the environment of the key and the last one of an organization', async () => {
    const own = await gateway.call<Refusal>('DELETE', `/v1/environments/${gateway.environmentId}`);
    expect(own.status).toBe(409);
    expect(own.body.message).toContain('belongs to the environment "Development"');
    const { organization, environment } = await gateway.admin.createOrganization('Small', {
      name: 'Only',
      type: 'dev',
    });
    await expect(gateway.admin.deleteEnvironment(organization.id, environment.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Environment "Only" is the last one of its organization',
    });
  });
});
