import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrationChecksum, migrationName, normalizeSql } from './migration-checksums';
import { MIGRATIONS } from '../migrations';

const migration = (up: string[], more: Partial<MigrationInterface> = {}): MigrationInterface => ({
  async up(runner: QueryRunner) {
    for (const statement of up) await runner.query(statement);
  },
  down: (runner: QueryRunner) => runner.query(`DROP TABLE a`),
  ...more,
});

describe('migrationChecksum', () => {
  /**
   * Never accept a changed line of a migration that has landed: databases have run it, and this build would refuse to
   * start on them. Restore the migration and write a new one. To accept the line of a new migration:
   * `npx jest -c libs/persistence/jest.config.cjs migration-checksums -u`.
   */
  it('is the recorded one for every migration, because landed migrations are frozen', async () => {
    const checksums: Record<string, string> = {};
    for (const Migration of MIGRATIONS) {
      const instance = new Migration();
      checksums[migrationName(instance)] = await migrationChecksum(instance);
    }
    expect(checksums).toMatchSnapshot();
  });

  it('does not depend on comments and line breaks', async () => {
    const formatted = [`\n  CREATE TABLE a\n  -- it's a table\n  (id uuid, /* "the name */ name text)\n`];
    const one = await migrationChecksum(migration([`CREATE TABLE a (id uuid, name text)`]));
    expect(await migrationChecksum(migration(formatted))).toBe(one);
  });

  it('keeps literals, quoted names and function bodies as they are', () => {
    for (const kept of [`'a  -- ''b'`, `"a  b"`, `$$ BEGIN\n  -- why\n END $$`, `$x$ $$\n$$ $x$`]) {
      expect(normalizeSql(`SELECT\n${kept}  -- end`)).toBe(`SELECT ${kept}`);
    }
  });

  it.each([
    ['a statement', migration([`CREATE TABLE b ()`])],
    ['the order of statements', migration([`SELECT 2`, `SELECT 1`])],
    ['a literal', migration([`SELECT 'a  b'`])],
    ['a statement of `down`', migration([`SELECT 1`, `SELECT 2`], { down: () => Promise.resolve() })],
    ['the transaction', migration([`SELECT 1`, `SELECT 2`], { transaction: false })],
    ['a parameter', migration([], { up: (runner) => runner.query(`SELECT $1`, [2]) })],
  ])('changes with %s', async (_, other) => {
    const originals = [
      migration([`CREATE TABLE a ()`]),
      migration([`SELECT 1`, `SELECT 2`]),
      migration([`SELECT 'a b'`]),
      migration([], { up: (runner) => runner.query(`SELECT $1`, [1]) }),
    ];
    const checksums = await Promise.all(originals.map(migrationChecksum));
    expect(checksums).not.toContain(await migrationChecksum(other));
  });
});
