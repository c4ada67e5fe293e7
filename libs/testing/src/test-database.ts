import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, Database, migrate } from '@clarion/persistence';

/** The server that `npm test` starts, or your own. */
function testServerUrl(): string {
  const url = process.env['CLARION_TEST_DATABASE_URL'];
  if (!url) throw new Error('CLARION_TEST_DATABASE_URL is not set: run specs through `npm test -- <pattern>`');
  return url;
}

function urlFor(database: string): string {
  const url = new URL(testServerUrl());
  url.pathname = `/${database}`;
  // On a busy machine only the time of a spec may change, not an answer.
  url.searchParams.set('wait_factor', '20');
  return url.href;
}

async function asAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlFor('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export type TestDatabase = {
  url: string;
  database: Database;
  dataSource: DataSource;
  drop(): Promise<void>;
};

/** An empty database without the schema, for specs of the migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `clarion_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name}`));
  return open(name);
}

/** A migrated database for one spec file, cloned from a template that is created once per schema. */
export async function createTestDatabase(poolSize?: number): Promise<TestDatabase> {
  const template = `clarion_template_${schemaFingerprint()}`;
  const name = `clarion_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (client) => {
    await client.query(`SELECT pg_advisory_lock(1234567)`);
    const existing = await client.query(`SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate`, [template]);
    if (existing.rowCount === 0) {
      await client.query(`DROP DATABASE IF EXISTS ${template}`);
      await client.query(`CREATE DATABASE ${template}`);
      const dataSource = await createDataSource({ url: urlFor(template), poolSize: 3 }).initialize();
      await migrate(dataSource);
      await dataSource.destroy();
      await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true`);
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return open(name, poolSize);
}

async function open(name: string, poolSize = 10): Promise<TestDatabase> {
  const url = urlFor(name);
  const dataSource = await createDataSource({ url, poolSize, applicationName: 'clarion-test' }).initialize();
  // What a worker keeps for its next spec file does not keep the worker alive after the last one.
  (dataSource.driver as unknown as { master: Pool }).master.options.allowExitOnIdle = true;
  return {
    url,
    dataSource,
    database: new Database(dataSource),
    async drop() {
      if (dataSource.isInitialized) await dataSource.destroy();
      await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** A template of an older schema must not be reused, so its name contains a hash of the migrations and the week. */
function schemaFingerprint(): string {
  const folder = join(__dirname, '../../persistence/src');
  const migrations = readdirSync(join(folder, 'migrations')).map((file) => join('migrations', file));
  const hash = createHash('sha256');
  for (const file of [...migrations.sort(), 'schema/migrate.ts', 'schema/row-level-security.ts'])
    hash.update(readFileSync(join(folder, file)));
  hash.update(String(Math.floor(Date.now() / (7 * 24 * 3600 * 1000))));
  return hash.digest('hex').slice(0, 12);
}
