import { type EnvironmentId, newId } from '@clarion/contracts/core';
import { WebhookEndpointRepository, WebhookSendingRepository } from '@clarion/persistence';
import { DUE, RECORD } from '../src/channels/webhooks/webhook-sending.sql';
import { createTestDatabase, insertEnvironment, type TestDatabase } from '@clarion/testing';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
};
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('the work of a webhook endpoint', () => {
  let test: TestDatabase;
  let endpoints: WebhookEndpointRepository;
  let sending: WebhookSendingRepository;

  beforeAll(async () => {
    test = await createTestDatabase();
    endpoints = new WebhookEndpointRepository(test.database);
    sending = new WebhookSendingRepository(test.database);
  });

  afterAll(() => test.drop());

  const settings = { url: 'https://a.test/', description: null, events: null, channels: null, workflows: null };

  /** The nodes of the plan that a connection uses from the sixth time on: it depends on no value. */
  const nodesOfPrepared = (sql: string, values: string): Promise<Plan[]> =>
    test.database.transaction(async () => {
      await test.database.query(`SET LOCAL plan_cache_mode = 'force_generic_plan'`);
      await test.database.query(`PREPARE explained AS ${sql}`);
      const [row] = await test.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE explained (${values})`,
      );
      await test.database.query('DEALLOCATE explained');
      return nodesOf(row!['QUERY PLAN'][0].Plan);
    });
  const rowsOf = (nodes: Plan[], isCounted: (node: Plan) => boolean): number =>
    nodes.filter(isCounted).reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);

  const lockWaits = async (): Promise<number> => {
    const [row] = await test.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row!.n;
  };

  it('stays due when a delivery is opened while the process gives the endpoint back', async () => {
    const [environmentId, id] = [await insertEnvironment(test.database), newId()];
    await endpoints.insert(environmentId, id, settings, 'secret');
    await endpoints.addTest(environmentId, id);
    const claim = () => sending.claim(newId(), 60_000, 1);
    const [leased] = await claim();
    await test.database.query(`UPDATE webhook_delivery SET state = 'failed'`);
    let released: Promise<void> | undefined;
    await test.database.transaction(async () => {
      expect(await endpoints.retryFailed(environmentId, id)).toBe(1);
      // On another connection: it has its snapshot, and waits for the endpoint.
      released = test.database.outsideTransaction(() => sending.release(leased!));
      while ((await test.database.outsideTransaction(lockWaits)) === 0);
    });
    await released;
    expect(await sending.look()).toMatchObject({ hasDue: true });
    await sending.release((await claim())[0]!);
    await test.database.query(`UPDATE webhook_delivery SET state = 'delivered'`);
    await sending.release((await claim())[0]!);
    expect(await sending.look()).toMatchObject({ hasDue: false });
  });

  it('reads the entries of all due deliveries together: each batch of the log once', async () => {
    const [environmentId, id] = [await insertEnvironment(test.database), newId()];
    const [batches, messages] = [2, 100];
    await endpoints.insert(environmentId, id, { ...settings, events: ['message.delivered'] }, 'secret');
    await test.database.query(
      `WITH log AS (INSERT INTO event_log (environment_id, last_sequence) VALUES ($1, $2 * 2 * $3::int))
       INSERT INTO event_log_batch (id, environment_id, first_sequence, last_sequence, created_at, types, channel,
                                    step_ids, trigger_ids, subscriber_ids, workflow_identifiers)
       SELECT log_entry_id(uuid_v7(), 0), $1, 1 + (b - 1) * 2 * $3::int, b * 2 * $3::int, now(),
              '{message.sent,message.delivered}', 'in_app', array_agg(uuid_v7()), array_agg(uuid_v7()),
              array_agg(b || '-' || m ORDER BY m), array_agg('welcome'::text)
         FROM generate_series(1, $2::int) b CROSS JOIN generate_series(1, $3::int) m GROUP BY b`,
      [environmentId, batches, messages],
    );
    const [leased] = (await sending.claim(newId(), 60_000, 10)).filter((endpoint) => endpoint.id === id);
    await sending.fill(leased!, 60_000);
    const due = await sending.due(leased!, 1_000);
    // Each message has two entries, of which the endpoint gets the second.
    const expected = Array.from({ length: batches * messages }, (_, at) => ({
      sequence: 2 * at + 2,
      subscriberId: `${1 + Math.floor(at / messages)}-${1 + (at % messages)}`,
    }));
    expect(due.map(({ sequence, data }) => ({ sequence, subscriberId: data!['subscriberId'] }))).toEqual(expected);

    const unpacked = rowsOf(
      await nodesOfPrepared(DUE, `'${id}', 1000`),
      (node) => node['Node Type'] === 'Function Scan',
    );
    expect(unpacked).toBeLessThanOrEqual(4 * batches * messages);

    const [first] = due;
    const results = JSON.stringify([{ id: first!.id, state: 'delivered', status: 200 }]);
    const values = `'${id}', '${leased!.leaseId}', '${results}', true, 0, NULL, 5, '{${first!.id}}'`;
    const read = rowsOf(
      await nodesOfPrepared(RECORD, values),
      (node) => node['Relation Name'] === 'webhook_delivery' && node['Node Type'] !== 'ModifyTable',
    );
    expect(read).toBe(1);
    expect(await sending.due(leased!, 1_000)).toHaveLength(batches * messages - 1);
  });

  it('is done in turn with that of other organizations, of which none gets more than half of the places', async () => {
    const [noisy, quiet] = [await insertEnvironment(test.database), await insertEnvironment(test.database)];
    const second = newId<EnvironmentId>();
    await test.database.query(
      `INSERT INTO environment (id, organization_id, name, identifier, kind)
       SELECT $2, organization_id, 'Second', 'second', 'development' FROM environment WHERE id = $1`,
      [noisy, second],
    );
    const add = async (environmentId: EnvironmentId): Promise<void> => {
      const id = newId();
      await endpoints.insert(environmentId, id, settings, 'secret');
      await endpoints.addTest(environmentId, id);
    };
    for (let at = 0; at < 10; at += 1) await add(at % 2 ? noisy : second);
    await add(quiet);
    await test.database.query(`UPDATE webhook_endpoint SET served_at = now() WHERE environment_id = $1`, [quiet]);
    const claimed = await sending.claim(newId(), 60_000, 6);
    expect(claimed.filter(({ environmentId }) => environmentId === quiet)).toHaveLength(1);
    expect(claimed).toHaveLength(4);
    expect(await sending.claim(newId(), 60_000, 6)).toHaveLength(3);
  });
});
