import type { EventEmitter } from 'node:events';
import { type EnvironmentId, LIMITS } from '@clarion/contracts';
import { inspectDatabase } from '@clarion/persistence';
import { IS_CLIENT, VACUUM_OBSTACLES } from '../src/connection/inspect-database';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { leadingRows, withoutLargeValues } from '../src/sql/page-bytes';

describe('Database', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query('CREATE TABLE note (id int PRIMARY KEY, long_text text)');
  });
  afterAll(() => test.drop());
  beforeEach(() => test.database.query('TRUNCATE note'));

  const insert = (id: number) => test.database.query('INSERT INTO note VALUES ($1)', [id]);
  const count = async () => (await test.database.query<{ n: number }>('SELECT count(*)::int AS n FROM note'))[0]!.n;

  it('gives rows camelCase names', async () => {
    await test.database.query(`INSERT INTO note VALUES (1, 'x')`);
    expect(await test.database.rows('SELECT * FROM note')).toEqual([{ id: 1, longText: 'x' }]);
  });

  it.each([
    ['text', ['a', 'b c', '', 'NULL', '{}', 'x,y', ' ', null, '"', '\\', 'a "line"\nbreak', 'a \\ tab\t', '"\u2028"']],
    ['jsonb', [{ text: 'He said "yes", \\o/', lines: 'one\ntwo\u0001', emoji: '\u{1f600}' }, ['x'], 'x', null]],
    ['float8', [0, -1.5, 1e21, Number.NaN, null]],
    ['bool', [true, false, null]],
    ['timestamptz', [new Date(0), null]],
    ['bytea', [Buffer.from('x"\\')]],
    ['text', []],
  ])('gives Postgres an array of %s as it is', async (type, values) => {
    const sent = type === 'jsonb' ? values.map((value) => JSON.stringify(value)) : values;
    const [row] = await test.database.query<{ values: unknown }>(`SELECT $1::${type}[] AS values`, [sent]);
    expect(row!.values).toEqual(values);
  });

  it('joins the open transaction at any call depth and rolls all of it back', async () => {
    const work = test.database.transaction(async () => {
      await insert(1);
      await test.database.transaction(() => insert(2));
      expect(await test.database.outsideTransaction(count)).toBe(0);
      throw new Error('undo');
    });
    await expect(work).rejects.toThrow('undo');
    expect(await count()).toBe(0);
  });

  it('runs afterCommit functions after the commit, and never without one', async () => {
    const seen: number[] = [];
    const note = async () => void seen.push(await test.database.outsideTransaction(count));
    await test.database.transaction(async () => {
      test.database.afterCommit(() => void seen.push(-1));
      await insert(1);
      await note();
    });
    expect(seen).toEqual([0, -1]);
    await test.database
      .transaction(async () => {
        test.database.afterCommit(() => void seen.push(-2));
        await insert(1);
      })
      .catch(() => undefined);
    expect(seen).toEqual([0, -1]);
  });

  it('continues a transaction after a failed attempt inside it', async () => {
    await test.database.transaction(async () => {
      await insert(1);
      await test.database.attempt(() => insert(1)).catch(() => undefined);
      await insert(2);
    });
    expect(await count()).toBe(2);
  });

  it('continues a transaction after nested attempts that both fail', async () => {
    await test.database.transaction(async () => {
      const nested = test.database.attempt(async () => {
        await insert(1);
        await test.database.attempt(() => insert(1)).catch(() => undefined);
        throw new Error('undo the first, too');
      });
      await nested.catch(() => undefined);
      await insert(2);
    });
    expect(await test.database.query('SELECT id FROM note')).toEqual([{ id: 2 }]);
  });

  it('refuses to commit a transaction in which a statement failed unnoticed', async () => {
    const work = test.database.transaction(async () => {
      await insert(1);
      await insert(1).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('cannot commit');
    expect(await count()).toBe(0);
  });

  it('opens a transaction with its first statement and runs waiting work before it', async () => {
    const openTransactions = () =>
      test.database.outsideTransaction(() =>
        test.database.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
        ),
      );
    await test.database.transaction(async () => {
      await test.database.beforehand(() => insert(1));
      test.database.refuseWait('a call');
      expect(await openTransactions()).toHaveLength(0);
      await insert(2);
      expect(await openTransactions()).toHaveLength(1);
      expect(() => test.database.refuseWait('a call')).toThrow('a call must not wait inside an open transaction');
      expect(() => test.database.beforehand(count)).toThrow('must not wait inside an open transaction');
    });
    expect(await count()).toBe(2);
  });

  it('leaves connections for others while the statements of one organization wait', async () => {
    const { database } = test;
    const [one, same, other] = ['a', 'b', 'c'].map((letter) => letter.repeat(8) as EnvironmentId);
    database.organizations.learn([
      { environmentId: one!, organizationId: 'one' },
      { environmentId: same!, organizationId: 'one' },
      { environmentId: other!, organizationId: 'other' },
    ]);
    const lock = (): Promise<unknown[]> => database.query('SELECT pg_advisory_xact_lock(25)');
    let begun: Promise<unknown[]>[] = [];
    await database.transaction(async () => {
      await lock();
      begun = Array.from({ length: 30 }, (_, at) =>
        database.outsideTransaction(() =>
          // Also with the rights of the service: it is the work of this tenant.
          database.asTenant(at % 2 ? one! : same!, at % 3 ? lock : () => database.asSystem(lock)),
        ),
      );
      await database.outsideTransaction(() => database.asTenant(other!, () => database.ping()));
      expect(database.poolUse().used).toBeLessThanOrEqual(1 + 6);
    });
    expect(await Promise.all(begun)).toHaveLength(30);
  });

  it('measures a page of large rows without reading what is not on it', async () => {
    const { database } = test;
    const [rows, bytes] = [100, Math.ceil(LIMITS.pageBytes / 9.5)];
    await database.query(
      `INSERT INTO note SELECT id, (SELECT string_agg(md5(id || '-' || part), '') FROM generate_series(1, $2 / 32) part)
         FROM generate_series(1, $1) id`,
      [rows, bytes],
    );
    const all = 'SELECT * FROM note ORDER BY id';
    for (const sql of [leadingRows(all), withoutLargeValues(all, { large: { long_text: 'NULL' }, others: ['id'] })]) {
      const [explained] = await database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
      );
      const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = explained!['QUERY PLAN'][0].Plan;
      // Blocks of 8 KiB, and those of the index that leads to them.
      expect(hit! + read!).toBeLessThan((3 * LIMITS.pageBytes) / 8_192);
    }
    expect(await database.rows(leadingRows(all))).toHaveLength(9);
    expect(await database.rows(leadingRows(`${all} LIMIT 5`))).toHaveLength(5);
    const listed = await database.rows<{ leftOut: string[] | null; longText: string | null }>(
      withoutLargeValues(all, { large: { long_text: 'NULL' }, others: ['id'] }),
    );
    expect(listed).toHaveLength(rows);
    expect(listed.every(({ leftOut, longText }) => leftOut?.[0] === 'long_text' && longText === null)).toBe(true);
  });

  it('parses large rows in several turns of the event loop', async () => {
    const runner = test.dataSource.createQueryRunner();
    const { connection } = (await runner.connect()) as { connection: EventEmitter };
    let [inTurn, most] = [0, 0];
    connection.on('dataRow', () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      most = Math.max(most, (inTurn += 1));
    });
    // 100 rows of 100 kB.
    const large = `SELECT jsonb_build_object('a', repeat('x', 100000)) AS row FROM generate_series(1, 100)`;
    expect(await runner.query(large)).toHaveLength(100);
    await runner.release();
    expect(most).toBeLessThanOrEqual(3);
  });

  it('runs a transaction again after a deadlock', async () => {
    await insert(1);
    await insert(2);
    const touch = (id: number) => test.database.query('UPDATE note SET long_text = $2 WHERE id = $1', [id, `${id}`]);
    let waiting = 0;
    let bothHold!: () => void;
    const together = new Promise<void>((resolve) => (bothHold = resolve));
    const cross = (first: number, second: number) =>
      test.database.transaction(async () => {
        await touch(first);
        if (++waiting === 2) bothHold();
        await together;
        await touch(second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(waiting).toBeGreaterThan(2);
  });

  it('names the sessions that keep Postgres from removing dead rows', async () => {
    const { vacuumObstacles } = await test.database.transaction(async () => {
      await insert(1);
      return inspectDatabase(test.dataSource);
    });
    expect(vacuumObstacles).toContainEqual({
      kind: 'session',
      name: expect.stringMatching(/^\d+ clarion-test$/),
      seconds: expect.any(Number),
      transactions: expect.any(Number),
    });
  });

  it('names them for a login that may not see the sessions of others', async () => {
    const least = test.dataSource.createQueryRunner();
    await least.query('SET ROLE clarion_tenant');
    try {
      await test.database.transaction(async () => {
        await insert(1);
        expect(await least.query(VACUUM_OBSTACLES)).toContainEqual(
          expect.objectContaining({ kind: 'session', seconds: null, transactions: expect.any(Number) as number }),
        );
      });
      const clients = `SELECT 1 FROM pg_stat_activity WHERE ${IS_CLIENT} AND pid <> pg_backend_pid()`;
      expect(await least.query(clients)).not.toEqual([]);
    } finally {
      await least.query('RESET ROLE');
      await least.release();
    }
  });
});
