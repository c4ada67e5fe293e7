/** `sslmode=verify-full` in DATABASE_URL, as the guide describes it: the certificate is checked, and so is its name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource } from '@clarion/persistence';
import { createTestDatabase, type TestDatabase, until } from '@clarion/testing';
import { selfSigned } from '@clarion/testing/providers';

describe('Postgres over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-postgres-tls-'));
  const [ours, other] = [selfSigned('localhost'), selfSigned('another.example')];
  let test: TestDatabase;

  /** The server takes a certificate up without a restart; connections without TLS go on as before. */
  async function serve({ key, cert }: { key: string; cert: string }): Promise<void> {
    const [{ folder: data }] = (await test.database.query(`SELECT current_setting('data_directory') AS folder`)) as [
      { folder: string },
    ];
    for (const [name, text] of Object.entries({ key, cert })) {
      const lines = text.trim().split('\n');
      const rows = lines.map((line) => `('${line}')`).join(', ');
      // Written by the server, because it wants the key to be its own, with no access for others.
      const file = `${data}/spec-tls.${name}`;
      await test.database.query(`COPY (VALUES ${rows}) TO PROGRAM 'rm -f "${file}"; umask 077; cat > "${file}"'`);
    }
    await test.database.query(`ALTER SYSTEM SET ssl_cert_file = 'spec-tls.cert'`);
    await test.database.query(`ALTER SYSTEM SET ssl_key_file = 'spec-tls.key'`);
    await test.database.query(`ALTER SYSTEM SET ssl = on`);
    await test.database.query(`SELECT pg_reload_conf()`);
  }

  /** How a process of ours fares that is given this authority. */
  async function connect(authority: string | undefined, mode = 'verify-full'): Promise<string> {
    const url = new URL(test.url);
    url.hostname = 'localhost';
    url.searchParams.set('sslmode', mode);
    if (authority !== undefined) {
      const file = join(folder, 'authority.crt');
      writeFileSync(file, authority);
      url.searchParams.set('sslrootcert', file);
    }
    const dataSource = createDataSource({ url: url.href, poolSize: 1 });
    try {
      await dataSource.initialize();
      const [row] = await dataSource.query<[{ ssl: boolean }]>(
        `SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`,
      );
      return row.ssl ? 'encrypted' : 'plain';
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      return code ?? message;
    } finally {
      if (dataSource.isInitialized) await dataSource.destroy();
    }
  }

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(async () => {
    for (const name of ['ssl', 'ssl_cert_file', 'ssl_key_file']) {
      await test.database.query(`ALTER SYSTEM RESET ${name}`);
    }
    await test.database.query(`SELECT pg_reload_conf()`);
    await test.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('encrypts a connection with the right authority, and refuses it with a wrong one or none', async () => {
    await serve(ours);
    await until(async () => (await connect(ours.cert)) === 'encrypted');
    expect(await connect(other.cert)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await connect(undefined)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('refuses a connection whose certificate is for another name', async () => {
    await serve(other);
    await until(async () => (await connect(other.cert)) === 'ERR_TLS_CERT_ALTNAME_INVALID');
  });
});
