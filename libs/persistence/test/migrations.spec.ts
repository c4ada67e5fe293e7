import { createDataSource, ENTITIES, migrate, migrateDown } from '@clarion/persistence';
import { createEmptyDatabase, type TestDatabase } from '@clarion/testing';
import type { QueryRunner } from 'typeorm';

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

    const difference = await test.dataSource.driver.createSchemaBuilder().log();
    expect(difference.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('reverts all migrations and applies them again', async () => {
    await migrate(test.dataSource);
    await migrateDown(test.dataSource);
    expect(await tables()).toEqual(['migration']);

    expect(await migrate(test.dataSource)).toHaveLength(test.dataSource.migrations.length);
  });

  it('adds missing demo providers to environments and replaces a demo provider that was primary', async () => {
    await migrate(test.dataSource);
    await migrateDown(test.dataSource, 'Delivery1700000001000');
    await test.database.query(`INSERT INTO organization (id, name) VALUES (uuid_v7(), 'O')`);
    await test.database.query(
      `INSERT INTO environment (id, organization_id, name, identifier, type)
       SELECT uuid_v7(), o.id, n, n, 'dev' FROM organization o, unnest('{new,old}'::text[]) n`,
    );
    await test.database.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active, "primary", priority, deleted)
       SELECT uuid_v7(), e.id, p.id, p.id, p.id, p.channel, p.active, p.first, p.priority, p.deleted FROM environment e,
              (VALUES ('platform-email', 'email', true, true, 3, false), ('ses', 'email', true, false, 1, false),
                      ('sendgrid', 'email', true, false, 2, false), ('platform-sms', 'sms', false, false, 0, true))
              AS p (id, channel, active, first, priority, deleted)
        WHERE e.name = 'old'`,
    );

    await migrate(test.dataSource);
    const rows = await test.database.query<Record<string, string | boolean>>(
      `SELECT e.name || ' ' || provider_id AS what, i.name, i.active, i."primary" FROM integration i JOIN environment e ON e.id = i.environment_id
        ORDER BY 1`,
    );
    expect(rows.slice(0, 3).map(({ name }) => name)).toEqual(['Clarion Email', 'Clarion Slack', 'Clarion SMS']);
    expect(rows.map(({ what, active, primary }) => [what, active, primary])).toEqual([
      ['new platform-email', true, false],
      ['new platform-slack', true, false],
      ['new platform-sms', true, false],
      ['old platform-email', true, false],
      ['old platform-slack', true, false],
      ['old platform-sms', false, false],
      ['old sendgrid', true, true],
      ['old ses', true, false],
    ]);
  });

  it('gives the scope admin to the first key of the default organization and to no other', async () => {
    await migrate(test.dataSource);
    await migrateDown(test.dataSource, 'Observe1700000003000');
    for (const organization of ['Default', 'Later']) {
      await test.database.query(`INSERT INTO organization (id, name) VALUES (uuid_v7(), $1)`, [organization]);
      await test.database.query(
        `INSERT INTO environment (id, organization_id, name, identifier)
         SELECT uuid_v7(), id, 'Development', name FROM organization WHERE name = $1`,
        [organization],
      );
      for (const name of ['default', 'second']) {
        await test.database.query(
          `INSERT INTO api_key (id, environment_id, name, prefix, hash, encrypted_key)
           SELECT uuid_v7(), id, $2, '', uuid_send(gen_random_uuid()), '' FROM environment WHERE identifier = $1`,
          [organization, name],
        );
      }
    }

    await migrate(test.dataSource);
    const rows = await test.database.query<{ what: string; scope: string }>(
      `SELECT e.identifier || ' ' || k.name AS what, k.scope FROM api_key k JOIN environment e ON e.id = k.environment_id
        ORDER BY what`,
    );
    expect(rows.map(({ what, scope }) => `${what}: ${scope}`)).toEqual([
      'Default default: admin',
      'Default second: full',
      'Later default: full',
      'Later second: full',
    ]);
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
    expect(limits).toEqual([{ statement: '0', lock: '3s' }]);
    // The next user of the connection has the usual settings.
    const after = await Promise.all(
      [1, 2, 3].map(() => test.database.query(`SELECT current_setting('statement_timeout') AS statement`)),
    );
    expect(after.flat()).toEqual([1, 2, 3].map(() => ({ statement: '10s' })));
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
