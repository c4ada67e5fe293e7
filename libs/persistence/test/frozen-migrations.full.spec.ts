import { migrate, migrateDown, SchemaError, schemaFault, schemaReport } from '@clarion/persistence';
import { createEmptyDatabase, type TestDatabase } from '@clarion/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

class Later9000000000000 implements MigrationInterface {
  constructor(
    private readonly statement: string,
    readonly requires?: string,
  ) {}
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

  describe('a schema that a newer build migrated', () => {
    const last = (): string => test.dataSource.migrations.at(-1)!.name!;
    /** Migrates as the newer build, and then goes back to ours. */
    const migrateFurther = async (requires?: string): Promise<void> => {
      test.dataSource.migrations.push(new Later9000000000000(`CREATE TABLE later ()`, requires));
      await migrate(test.dataSource);
      test.dataSource.migrations.pop();
    };

    it('is accepted when it was only expanded, so that the code can be rolled back', async () => {
      await migrateFurther();
      expect(await schemaFault(test.dataSource)).toBeUndefined();
      expect(await migrate(test.dataSource)).toEqual([]);
      expect(await schemaReport(test.dataSource)).toMatchObject({
        missing: [],
        unknown: [Later9000000000000.name],
        incompatible: [],
        changedChecksums: [],
      });
    });

    it('is accepted when it was contracted by what this build no longer uses', async () => {
      await migrateFurther(last());
      expect(await schemaFault(test.dataSource)).toBeUndefined();
    });

    it('is rejected when it was contracted by what this build uses', async () => {
      await migrateFurther(Later9000000000000.name);
      const fault = await schemaFault(test.dataSource);
      expect(fault).toMatch(/newer than this build, which cannot work after Later9000000000000: start the release/);
      await expect(migrate(test.dataSource)).rejects.toThrow(new SchemaError(fault));
      expect((await schemaReport(test.dataSource)).incompatible).toEqual([Later9000000000000.name]);
    });
  });

  it('reports what ran, what is missing and what was edited, without failing', async () => {
    const names = test.dataSource.migrations.map(({ name }) => name!);
    expect(await schemaReport(test.dataSource)).toMatchObject({ applied: [], missing: names });
    await migrate(test.dataSource);
    test.dataSource.migrations.push(new Later9000000000000(`CREATE TABLE later ()`));
    await test.database.query(`UPDATE migration SET checksum = 'other' WHERE name = $1`, [names[1]]);
    expect(await schemaReport(test.dataSource)).toEqual({
      applied: names,
      missing: [Later9000000000000.name],
      unknown: [],
      incompatible: [],
      changedChecksums: [names[1]],
      withoutChecksum: [],
    });
  });
});
