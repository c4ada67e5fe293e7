import { newId } from '@clarion/contracts';
import { SendRateRepository } from '@clarion/persistence';
import { createTestDatabase, insertEnvironment, type TestDatabase } from '@clarion/testing';

describe('the limits of integrations on messages a second', () => {
  let test: TestDatabase;
  let rates: SendRateRepository;
  const ids = [newId(), newId()];
  beforeAll(async () => {
    test = await createTestDatabase();
    rates = new SendRateRepository(test.database);
    const environmentId = await insertEnvironment(test.database);
    for (const id of ids) {
      await test.database.query(
        `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, credentials, configurations)
         VALUES ($1, $2, 'Mail', $1::uuid::text, 'sendgrid', 'email', '{}', '{}')`,
        [id, environmentId],
      );
    }
  });
  afterAll(() => test.drop());

  const parts = () =>
    test.database.query<{ id: string; seconds: number; ends: number }>(
      `SELECT integration_id AS id, extract(epoch FROM ends_at - starts_at)::float8 AS seconds,
              extract(epoch FROM ends_at)::float8 AS ends FROM send_rate ORDER BY integration_id`,
    );

  it('gives concurrent workers parts of the time that do not overlap and add up to the limit', async () => {
    const requests = ids.map((integrationId, index) => ({ integrationId, count: 500, perSecond: [100, 50][index]! }));
    expect(await rates.reserve(requests)).toEqual([0, 0]);
    const before = await parts();
    expect(before.map(({ seconds }) => seconds)).toEqual([5, 10]);
    // In both orders: the rows are locked in one.
    const starts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => rates.reserve(at % 2 === 0 ? requests : requests.toReversed())),
    );
    const after = await parts();
    expect(after.map(({ ends }, index) => Math.round((ends - before[index]!.ends) * 10) / 10)).toEqual([100, 200]);
    const ofFirst = starts.map((each, at) => each[at % 2 === 0 ? 0 : 1]!);
    expect(new Set(ofFirst).size).toBe(20);
  });

  it('goes on now after a time without messages, and loses the row with its integration', async () => {
    await test.database.query(
      `UPDATE send_rate SET starts_at = now() - interval '1 hour', ends_at = now() - interval '1 minute'`,
    );
    expect(await rates.reserve([{ integrationId: ids[0]!, count: 1, perSecond: 1 }])).toEqual([0]);
    await test.database.query(`DELETE FROM integration WHERE id = $1`, [ids[0]]);
    expect((await parts()).map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('waits a few minutes at most when the clock of the database was set back', async () => {
    const request = { integrationId: ids[1]!, count: 1, perSecond: 10 };
    await test.database.query(`UPDATE send_rate SET ends_at = now() + interval '1 day'`);
    const [first] = await rates.reserve([request]);
    expect(first).toBeLessThanOrEqual(300_001);
    const [second] = await rates.reserve([request]);
    expect(second).toBeLessThanOrEqual(300_100);
  });
});
