import { type EnvironmentId, newId, type StepId } from '@clarion/contracts';
import { createTestDatabase, insertEnvironment, runs, type TestDatabase, until } from '@clarion/testing';
import { Database, HoldRepository, LagRepository, StepClaimRepository, StuckRepository, SweepRepository } from '../src';

/** The bounds of `oldest-open.ts` are used from 50,000 dead rows on. */
const DEAD_ROWS = runs(100_000, 60_000);
const DEAD_CLAIMS = 60_000;

type Buffers = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** Counts the buffers that each statement reads, and runs it again. */
class CountingDatabase extends Database {
  buffers: number[] = [];

  override async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    await this.count(sql, parameters);
    return super.query<Row>(sql, parameters);
  }

  override async prepared<Row>(name: string, sql: string, parameters: unknown[]): Promise<Row[]> {
    await this.count(sql, parameters);
    return super.prepared<Row>(name, sql, parameters);
  }

  private async count(sql: string, parameters: unknown[]): Promise<void> {
    const undone = new Error('undone');
    const counting = this.transaction(async () => {
      const [row] = await super.query<{ 'QUERY PLAN': [{ Plan: Buffers }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, FORMAT JSON) ${sql}`,
        parameters,
      );
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = row!['QUERY PLAN'][0].Plan;
      this.buffers.push(hit + read);
      throw undone;
    });
    await counting.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  }
}

/*
 * Dead rows that Postgres keeps for a transaction of another program, such as a backup. They come first in the indexes
 * of open work and of claims.
 */
describe('reads of open work while a transaction is held open', () => {
  let test: TestDatabase;
  let environmentId: EnvironmentId;
  let backup: ReturnType<TestDatabase['dataSource']['createQueryRunner']>;

  beforeAll(async () => {
    test = await createTestDatabase();
    environmentId = await insertEnvironment(test.database);
    backup = test.dataSource.createQueryRunner();
    await backup.startTransaction('REPEATABLE READ');
    await backup.query('SELECT count(*) FROM work');
    // Rows of an hour in two lanes, of which one is idle now, and their claims. All of them have ended.
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, type, due_at)
       SELECT md5(n::text)::uuid, $1, $1, CASE n % 2 WHEN 0 THEN 'email' ELSE 'chat' END,
              now() - interval '1 hour' + n * interval '40 minutes' / $2::int FROM generate_series(1, $2::int) n`,
      [environmentId, DEAD_ROWS],
    );
    await test.database.query(
      `INSERT INTO claim (id, lease_until, first_id, last_id, work_ids, fences)
       SELECT (lpad(to_hex((extract(epoch FROM now() - interval '1 hour') * 1000)::bigint + n * 25), 12, '0')
                || '7' || left(md5(n::text), 3) || '8' || right(md5(n::text), 15))::uuid,
              now(), $1, $1, ARRAY[$1::uuid], ARRAY[1] FROM generate_series(1, $2::int) n`,
      [environmentId, DEAD_CLAIMS],
    );
    await test.database.query('DELETE FROM claim');
    await test.database.query('DELETE FROM work');
    await until(async () => {
      const [row] = await test.database.query<{ known: boolean }>(
        `SELECT pg_stat_get_dead_tuples('work'::regclass) >= $1 AND pg_stat_get_dead_tuples('claim'::regclass) >= $2
             AS known`,
        [DEAD_ROWS, DEAD_CLAIMS],
      );
      return row!.known;
    });
    await test.database.query('VACUUM work, claim');
  });
  afterAll(async () => {
    await backup.rollbackTransaction();
    await backup.release();
    await test.drop();
  });

  it('visits none of the dead rows before the oldest open one', async () => {
    const open = Array.from({ length: 3 }, () => newId<StepId>());
    for (const id of open) {
      await test.database.query(
        `INSERT INTO work (id, environment_id, trigger_id, type, step_key) VALUES ($1, $2, $2, 'email', 'first')`,
        [id, environmentId],
      );
    }
    const sweeps = new SweepRepository(test.database);
    // The first sweep moves the bounds.
    expect(await sweeps.overdueTypes()).toEqual(['email']);

    const database = new CountingDatabase(test.dataSource);
    const measure = async (use: () => Promise<unknown>): Promise<number> => {
      database.buffers = [];
      await use();
      return Math.max(...database.buffers);
    };
    // Every five minutes, for two seconds, the sweeper reads without a bound.
    await until(async () => {
      const [row] = await test.database.query<{ second: number }>(
        `SELECT (floor(extract(epoch FROM now()))::bigint % 300)::int AS second`,
      );
      return row!.second >= 2 && row!.second < 280;
    });
    const read = {
      sweep: await measure(() => new SweepRepository(database).overdueTypes()),
      steps: await measure(() => new LagRepository(database).steps()),
      triggers: await measure(() => new LagRepository(database).triggers()),
      stuck: await measure(() => new StuckRepository(database).read(undefined, 0, 100)),
      retried: await measure(() => new StuckRepository(database).retried([environmentId])),
      offer: await measure(() => new SweepRepository(database).offerSteps(100, 100)),
      claim: await measure(() => new StepClaimRepository(database).claimChannel('email', open)),
    };
    // Index pages of the idle lane are passed, at more than a hundred rows each; the rows themselves are not read.
    const most = DEAD_ROWS / 50;
    expect({ read, tooMuch: Object.values(read).filter((buffers) => buffers > most) }).toEqual({ read, tooMuch: [] });
  });

  it('visits none of the rows that waited for an account or a hold and went on', async () => {
    const [account, holdId] = [newId(), newId()];
    await test.database.query(
      `INSERT INTO integration (id, environment_id, channel, provider_id, identifier, name, active, credentials)
       VALUES ($1, $2, 'email', 'sendgrid', 'mail', 'Mail', true, '{}')`,
      [account, environmentId],
    );
    await test.database.query(
      `INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by, resumed_at)
       VALUES ($1, $2, 'channel', 'sms', 'sms', 'incident', 'me', now())`,
      [holdId, environmentId],
    );
    const wait = (count: number, from: number) =>
      test.database.query(
        `INSERT INTO work (id, environment_id, trigger_id, type, due_at, waits_for, hold_id)
         SELECT uuid_v7(), $1, $1, CASE n % 2 WHEN 0 THEN 'email' ELSE 'sms' END,
                now() + interval '30 days' + ($5 + n) * interval '1 millisecond',
                CASE n % 2 WHEN 0 THEN $2::uuid END, CASE n % 2 WHEN 1 THEN $3::uuid END
           FROM generate_series(1, $4::int) n`,
        [environmentId, account, holdId, count, from],
      );
    await wait(DEAD_ROWS, 0);
    await test.database.query('DELETE FROM work');
    await test.database.query('VACUUM work');
    await wait(6, DEAD_ROWS);
    await test.database.query(
      `INSERT INTO send_rate (integration_id, starts_at, ends_at, per_second) VALUES ($1, now(), now(), 1)`,
      [account],
    );
    const database = new CountingDatabase(test.dataSource);
    const measure = async (use: () => Promise<unknown>): Promise<number> => {
      database.buffers = [];
      await use();
      return Math.max(...database.buffers);
    };
    const [sweeps, holds] = [new SweepRepository(database), new HoldRepository(database)];
    // The first release finds where the others begin.
    expect(await sweeps.releaseWaiting()).toHaveLength(2);
    await test.database.query(`UPDATE hold SET released_to = (SELECT min(due_at) FROM work WHERE hold_id IS NOT NULL)`);
    await test.database.query(`UPDATE send_rate SET released_until = NULL`);
    const released = await measure(async () => expect(await sweeps.releaseWaiting()).toHaveLength(1));
    const resumed = await measure(async () => expect(await holds.release()).toBe(3));
    const most = DEAD_ROWS / 100;
    expect({ released, resumed, areFew: released <= most && resumed <= most }).toEqual({
      released,
      resumed,
      areFew: true,
    });
  });

  it('finds a row that is due before the bound when few dead rows are left', async () => {
    await backup.rollbackTransaction();
    await backup.startTransaction();
    await test.database.query('VACUUM work, claim');
    await until(async () => {
      const [row] = await test.database.query<{ dead: number }>(
        `SELECT pg_stat_get_dead_tuples('work'::regclass)::int AS dead`,
      );
      return row!.dead < 50_000;
    });
    await test.database.query('DELETE FROM work');
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, type, due_at)
       VALUES ($1, $2, $2, 'delay', now() - interval '2 hours')`,
      [newId(), environmentId],
    );
    expect(await new SweepRepository(test.database).overdueTypes()).toEqual(['delay']);
    expect(await new LagRepository(test.database).steps()).toEqual([
      expect.objectContaining({ type: 'delay', due: 1 }),
    ]);
  });
});
