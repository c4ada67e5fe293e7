import { migrate, migrateDown, SchemaError, schemaFault } from '@clarion/persistence';
import { createEmptyDatabase, type TestDatabase } from '@clarion/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

class Later9000000000000 implements MigrationInterface {
  constructor(private readonly statement: string) {}
  up = (runner: QueryRunner): Promise<void> => runner.query(this.statement);
  down = (runner: QueryRunner): Promise<void> => runner.query(`DROP TABLE later`);
}

describe('frozen migrations', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createEmptyDatabase();
  });
  afterEach(() => test.drop());

  const recorded = async (): Promise<string[]> =>
    (await test.database.query<{ name: string }>(`SELECT name FROM migration WHERE checksum IS NOT NULL`)).map(
      ({ name }) => name,
    );

  it('stores a checksum for each migration, and removes it when the migration is reverted', async () => {
    test.dataSource.migrations.push(new Later9000000000000(`CREATE TABLE later ()`));
    await migrate(test.dataSource);
    expect(await recorded()).toHaveLength(test.dataSource.migrations.length);
    expect(await schemaFault(test.dataSource)).toBeUndefined();

    await migrateDown(test.dataSource, test.dataSource.migrations.at(-2)!.name);
    expect(await recorded()).not.toContain(Later9000000000000.name);
    expect(await schemaFault(test.dataSource)).toMatch(/older than this build/);

    // Another text is fine now: no database has run the migration.
    test.dataSource.migrations.splice(-1, 1, new Later9000000000000(`CREATE TABLE later (id uuid)`));
    expect(await migrate(test.dataSource)).toEqual([Later9000000000000.name]);
  });

  it('rejects a migration by its name when it was edited after the database ran it', async () => {
    test.dataSource.migrations.push(new Later9000000000000(`CREATE TABLE later ()`));
    await migrate(test.dataSource);
    test.dataSource.migrations.splice(-1, 1, new Later9000000000000(`CREATE TABLE later (id uuid)`));

    const fault = await schemaFault(test.dataSource);
    expect(fault).toMatch(/another text of Later9000000000000 than this build.*put the change into a new migration/);
    await expect(migrate(test.dataSource)).rejects.toThrow(new SchemaError(fault));
  });

  it('names what to do for a database from before the checksums', async () => {
    await migrate(test.dataSource);
    await test.database.query(`ALTER TABLE migration DROP COLUMN checksum`);
    await test.database.query(`UPDATE migration SET name = 'Delivery1600000001000'`);

    const fault = await schemaFault(test.dataSource);
    expect(fault).toMatch(/cannot be upgraded: start with a new database or, .* in a new data folder/);
    await expect(migrate(test.dataSource)).rejects.toThrow(new SchemaError(fault));
  });

  it('migrates a database with an empty table of migrations from before the checksums', async () => {
    await test.database.query(`CREATE TABLE migration (id serial PRIMARY KEY, timestamp bigint, name varchar)`);
    expect(await schemaFault(test.dataSource)).toMatch(/older than this build/);
    expect(await migrate(test.dataSource)).toHaveLength(test.dataSource.migrations.length);
    expect(await schemaFault(test.dataSource)).toBeUndefined();
  });

  it('leaves no trace of a migration that fails', async () => {
    await migrate(test.dataSource);
    test.dataSource.migrations.push(new Later9000000000000(`CREATE TABLE later (); SELECT 1 / 0`));
    await expect(migrate(test.dataSource)).rejects.toThrow(/division by zero/);
    expect(await recorded()).not.toContain(Later9000000000000.name);
    expect(await test.database.query(`SELECT to_regclass('later') AS later`)).toEqual([{ later: null }]);
  });
});
