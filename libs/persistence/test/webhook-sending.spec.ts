import { type EnvironmentId, newId } from '@clarion/contracts/core';
import { WebhookEndpointRepository, WebhookSendingRepository } from '@clarion/persistence';
import { createTestDatabase, insertEnvironment, type TestDatabase } from '@clarion/testing';

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
