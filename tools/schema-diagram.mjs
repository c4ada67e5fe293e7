/** `npm run schema-diagram`: migrates an empty database and writes docs/schema.md from its catalogue. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureDependencies, root, setUp } from './setup.mjs';

const require = createRequire(import.meta.url);

await setUp(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const { startEmbeddedPostgres } = require('../libs/embedded/dist/embedded-postgres.js');
  const { createDataSource, migrate } = require('../libs/persistence/dist/index.js');
  const { schemaPage } = require('./schema-page.cjs');

  const folder = mkdtempSync(join(tmpdir(), 'clarion-schema-'));
  // When this runs as root, Postgres runs under another account, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const database = await createDataSource({ url: server.url }).initialize();
    await migrate(database);
    const page = await schemaPage((sql) => database.query(sql));
    await database.destroy();
    writeFileSync(join(root, 'docs', 'schema.md'), page);
    console.log('docs/schema.md is written.');
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
