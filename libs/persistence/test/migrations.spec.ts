import { createDataSource, ENTITIES, migrate, migrateDown } from '@clarion/persistence';
import { createEmptyDatabase, type TestDatabase } from '@clarion/testing';

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

  it('make a table for every entity, equal to what the entity says', async () => {
    await migrate(test.dataSource);

    const names = test.dataSource.entityMetadatas.map((entity) => entity.tableName).sort();
    expect(names).toHaveLength(ENTITIES.length);
    expect(await tables()).toEqual([...names, 'migration'].sort());

    const difference = await test.dataSource.driver.createSchemaBuilder().log();
    expect(difference.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('can all be taken back and applied again', async () => {
    await migrate(test.dataSource);
    await migrateDown(test.dataSource);
    expect(await tables()).toEqual(['migration']);

    expect(await migrate(test.dataSource)).toHaveLength(test.dataSource.migrations.length);
  });

  it('run once when several processes start together', async () => {
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
