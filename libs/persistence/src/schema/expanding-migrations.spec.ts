import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrationName, recordStatements, requirementOf } from './migration-checksums';
import { MIGRATIONS } from '../migrations';

/** These landed before the rule; they are frozen. */
const BEFORE_THE_RULE = 1763250500000;

/** What fails or blocks the code of the release before, or blocks writers of a large table while it runs. */
const CONTRACTS: [what: string, form: RegExp][] = [
  ['drops a table', /\bDROP TABLE\b/i],
  ['drops a column', /\bDROP (COLUMN\b|(?!CONSTRAINT|DEFAULT|NOT NULL|EXPRESSION|IDENTITY)\w+\s*(,|$))/i],
  ['renames', /\bRENAME\b/i],
  ['changes the type of a column', /\bALTER (COLUMN )?"?\w+"? (SET DATA )?TYPE\b/i],
  ['forbids null in a column', /\bSET NOT NULL\b/i],
  ['drops a default', /\bDROP DEFAULT\b/i],
  ['removes rows', /\b(TRUNCATE|DELETE FROM)\b/i],
];

/** The faults of one migration; none for one that says which migration a build must know after it. */
async function expansionFaults(migration: MigrationInterface): Promise<string[]> {
  if (requirementOf(migration) !== undefined) return [];
  const statements = (await recordStatements((runner) => migration.up(runner)))
    .map(([sql]) => sql.replace(/'(?:[^']|'')*'/g, `''`))
    .flatMap((sql) => (/^(DO|CREATE (OR REPLACE )?FUNCTION)\b/i.test(sql) ? [sql] : sql.split(/;\s*/)))
    .filter((sql) => sql !== '');
  const made = new Set(
    statements.flatMap((sql) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)"?/i.exec(sql)?.[1] ?? []),
  );
  return statements.flatMap((sql) => {
    const faults = CONTRACTS.filter(([, form]) => form.test(sql)).map(([what]) => what);
    const table = /^ALTER TABLE (?:IF EXISTS |ONLY )*"?(\w+)"?/i.exec(sql)?.[1];
    const isNew = table !== undefined && made.has(table);
    if (!isNew && /\bADD (COLUMN )?(?!CONSTRAINT)[^,]*\bNOT NULL\b(?![^,]*\bDEFAULT\b)/i.test(withDefaultLast(sql)))
      faults.push('adds a column that the release before leaves empty');
    if (!isNew && table && /\bADD CONSTRAINT\b/i.test(sql) && !/\b(NOT VALID|USING INDEX)\b/i.test(sql))
      faults.push('checks all rows of a constraint at once');
    const [, way, indexed] =
      /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?\w* ?ON (?:ONLY )?"?(\w+)"?/i.exec(sql) ?? [];
    if (indexed && !way && !made.has(indexed) && !/\bON ONLY\b/i.test(sql))
      faults.push('builds an index of an existing table without CONCURRENTLY');
    return faults.map((fault) => `${migrationName(migration)} ${fault}: ${sql}`);
  });
}

/** `DEFAULT` may stand before or after `NOT NULL`. */
const withDefaultLast = (sql: string): string => sql.replace(/(\bDEFAULT\b [^,]*?)(\bNOT NULL\b)/gi, '$2 $1');

const migration = (statement: string, more: object = {}): MigrationInterface => ({
  name: 'Example1',
  up: (runner: QueryRunner) => runner.query(statement),
  down: () => Promise.resolve(),
  ...more,
});

describe('migrations', () => {
  it('expands the schema with each migration, or says which migration a build must know after it', async () => {
    const all = MIGRATIONS.map((Migration) => new Migration() as MigrationInterface);
    const ruled = all.filter((one) => Number(migrationName(one).slice(-13)) > BEFORE_THE_RULE);
    const faults = await Promise.all(ruled.map(expansionFaults));
    expect(faults.flat()).toEqual([]);
    const names = all.map(migrationName);
    const requirements = all.flatMap((one) => requirementOf(one) ?? []);
    expect(requirements.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each([
    [`DROP TABLE a`, /drops a table/],
    [`ALTER TABLE a DROP COLUMN b`, /drops a column/],
    [`ALTER TABLE a DROP b`, /drops a column/],
    [`ALTER TABLE a ADD COLUMN c int, DROP COLUMN b`, /drops a column/],
    [`DO $$ BEGIN ALTER TABLE a DROP COLUMN b; END $$`, /drops a column/],
    [`ALTER TABLE a RENAME COLUMN b TO c`, /renames/],
    [`ALTER TABLE a RENAME TO b`, /renames/],
    [`ALTER TABLE a ALTER COLUMN b TYPE bigint`, /changes the type/],
    [`ALTER TABLE a ALTER b SET DATA TYPE bigint`, /changes the type/],
    [`ALTER TABLE a ALTER COLUMN b SET NOT NULL`, /forbids null/],
    [`ALTER TABLE a ALTER COLUMN b DROP DEFAULT`, /drops a default/],
    [`DELETE FROM a`, /removes rows/],
    [`ALTER TABLE a ADD COLUMN b text NOT NULL`, /the release before leaves empty/],
    [`ALTER TABLE a ADD COLUMN b text DEFAULT 'x', ADD COLUMN c text NOT NULL`, /the release before leaves empty/],
    [`ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0)`, /checks all rows/],
    [`CREATE INDEX i ON a (b)`, /without CONCURRENTLY/],
    [`CREATE UNIQUE INDEX i ON "a" (b)`, /without CONCURRENTLY/],
  ])('must not run %s without saying so', async (statement, fault) => {
    expect((await expansionFaults(migration(statement))).join()).toMatch(fault);
    expect(await expansionFaults(migration(statement, { requires: 'Example1' }))).toEqual([]);
  });

  it.each([
    `CREATE TABLE a (b text NOT NULL); CREATE INDEX i ON a (b); ALTER TABLE a ADD CONSTRAINT c CHECK (b > '')`,
    `ALTER TABLE a ADD COLUMN b text`,
    `ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT 'it''s; DROP TABLE a'`,
    `ALTER TABLE a ADD COLUMN b jsonb DEFAULT '{}' NOT NULL, ADD COLUMN c int`,
    `ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0) NOT VALID`,
    `ALTER TABLE a ALTER COLUMN b DROP NOT NULL`,
    `ALTER TABLE a DROP CONSTRAINT c`,
    `CREATE INDEX CONCURRENTLY i ON a (b)`,
    `CREATE INDEX i ON ONLY a (b)`,
    `DROP INDEX CONCURRENTLY IF EXISTS i`,
  ])('may run %s', async (statement) => {
    expect(await expansionFaults(migration(statement))).toEqual([]);
  });
});
