import { createHash } from 'node:crypto';
import { createDataSource, ENTITIES, migrate, migrateDown } from '@clarion/persistence';
import { createEmptyDatabase, interceptStatements, type TestDatabase } from '@clarion/testing';
import type { QueryRunner } from 'typeorm';
import { PersonalAuditEntries1763281000000 } from '../src/migrations/1763281000000-personal-audit-entries';

const NIL = '00000000-0000-0000-0000-000000000000';

describe('migrations', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createEmptyDatabase();
  });
  afterEach(() => test.drop());

  const tables = async (): Promise<string[]> => {
    const rows = await test.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    );
    return rows.map((row) => row.name);
  };

  it('creates a table for every entity that equals its metadata', async () => {
    await migrate(test.dataSource);

    const names = test.dataSource.entityMetadatas.map((entity) => entity.tableName).sort();
    expect(names).toHaveLength(ENTITIES.length);
    expect(await tables()).toEqual([...names, 'migration'].sort());

    // TypeORM sends many statements at once on one connection, which a later version of the driver will refuse.
    let last: Promise<unknown> = Promise.resolve();
    const end = interceptStatements((_, send) => (last = last.then(send, send)));
    const difference = await test.dataSource.driver.createSchemaBuilder().log().finally(end);
    expect(difference.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('reverts all migrations and applies them again', async () => {
    await migrate(test.dataSource);
    await migrateDown(test.dataSource);
    expect(await tables()).toEqual(['migration']);

    expect(await migrate(test.dataSource)).toHaveLength(test.dataSource.migrations.length);
  });

  it('removes the names of people from older entries of the audit log, which stays closed to changes', async () => {
    await migrate(test.dataSource);
    await test.database.query(
      `INSERT INTO audit_log (id, organization_id, environment_id, actor_type, action, resource_type, resource_id, after)
       SELECT uuid_v7(), '${NIL}', '${NIL}', 'cli', type || '.created', type, id, after::jsonb
         FROM (VALUES ('suppression', 'email/a@x.test', '{"address":"a@x.test","channel":"email"}'),
                      ('channel_endpoint', 'of-ada', '{"externalSubscriberId":"ada","type":"webhook"}'),
                      ('tenant', 'acme', '{"identifier":"acme"}')) AS v (type, id, after)`,
    );
    const runner = test.dataSource.createQueryRunner();
    await new PersonalAuditEntries1763281000000().up(runner);
    await runner.release();
    const rows = await test.database.query(`SELECT resource_id AS id, after FROM audit_log ORDER BY action`);
    const hashOf = (id: string): string => createHash('sha256').update(`${NIL}:${id}`).digest('hex');
    expect(rows).toEqual([
      { id: hashOf('of-ada'), after: { type: 'webhook' } },
      { id: hashOf('email/a@x.test'), after: { channel: 'email' } },
      { id: 'acme', after: { identifier: 'acme' } },
    ]);
    await expect(test.database.query(`DELETE FROM audit_log`)).rejects.toThrow('append-only');
  });

  it('runs long migrations without a time limit, but does not block others behind a lock', async () => {
    let limits: unknown;
    class Slow9000000000000 {
      async up(runner: QueryRunner): Promise<void> {
        limits = await runner.query(
          `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
        );
      }
      down = (): Promise<void> => Promise.resolve();
    }
    test.dataSource.migrations.push(new Slow9000000000000());
    await migrate(test.dataSource);
    // Specs wait twenty times as long as a process.
    expect(limits).toEqual([{ statement: '0', lock: '1min' }]);
    // The next user of the connection has the usual settings.
    const after = await Promise.all(
      [1, 2, 3].map(() => test.database.query(`SELECT current_setting('statement_timeout') AS statement`)),
    );
    expect(after.flat()).toEqual([1, 2, 3].map(() => ({ statement: '200s' })));
  });

  it('runs migrations once when several processes start together', async () => {
    const processes = await Promise.all(
      [1, 2, 3, 4].map(() => createDataSource({ url: test.url, poolSize: 3 }).initialize()),
    );
    try {
      const applied = await Promise.all(processes.map((dataSource) => migrate(dataSource)));
      expect(applied.flat()).toHaveLength(test.dataSource.migrations.length);
    } finally {
      await Promise.all(processes.map((dataSource) => dataSource.destroy()));
    }
  });
});
