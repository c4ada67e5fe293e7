import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { startEmbeddedPostgres } from '@clarion/embedded';
import { Client } from 'pg';
import { create, Installation, type Run } from './installation';

const signInToken = (started: Run): string =>
  /Dashboard +http:\/\/127\.0\.0\.1:\d+\/#token=([\w-]{43})\n/.exec(started.output())![1]!;

describe('npm start', () => {
  let installation: Installation;
  let blocker: Server | undefined;
  beforeEach(() => void (installation = new Installation()));
  afterEach(async () => {
    await installation.remove();
    blocker?.close();
  });

  it('uses CLARION_API_KEY as the key of the first start', async () => {
    const chosen = 'a-key-of-my-own-choice';
    const started = installation.start({ CLARION_API_KEY: chosen });
    const { url } = await installation.ready(started);
    expect((await create(url, chosen, 'x')).status).toBe(201);
    expect(started.output()).toMatch(/API key +the one in CLARION_API_KEY\n/);
    const first = signInToken(started);
    await installation.stop(started);
    // Nor when the variable is absent later: only the hash of the key is stored.
    const again = installation.start();
    const { url: urlAgain } = await installation.ready(again);
    expect(again.output()).toMatch(/API key +shown when it was made/);
    // Each start prints a new sign-in link, which works once and replaces the one before.
    const signIn = async (token: string): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ token }) };
      return (await fetch(`${urlAgain}/v1/sessions`, init)).status;
    };
    const second = signInToken(again);
    expect([await signIn(first), await signIn(second), await signIn(second)]).toEqual([401, 201, 401]);
    expect(started.output() + again.output()).not.toContain(chosen);
  });

  it('reports a port in use in one sentence and starts nothing', async () => {
    blocker = createServer();
    await new Promise<void>((resolve) => blocker!.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const started = installation.start({ PORT: String(port) });
    expect(await started.exited).toBe(1);
    expect(started.output()).toBe(
      `Port ${port} is in use on 127.0.0.1: stop the other program or set PORT to a free one, ` +
        `e.g. PORT=${port + 1} npm start\n`,
    );
    expect(readdirSync(installation.dataDir)).toEqual([]);
  });

  it('reports a data folder from before the migration checksums in one sentence', async () => {
    expect((await installation.clarion('migrate')).code).toBe(0);
    const server = await startEmbeddedPostgres({ dataDir: installation.dataDir });
    const client = new Client({ connectionString: server.url });
    await client.connect();
    await client.query(`ALTER TABLE migration DROP COLUMN checksum`);
    await client.end();
    await server.stop();

    const advice = /^The database was made by .*: start with a new database or, .* set CLARION_DATA_DIR\)\n$/;
    const started = installation.start();
    expect(await started.exited).toBe(1);
    expect(started.output()).toMatch(advice);
    for (const command of ['migrate', 'keys list']) {
      const { code, output } = await installation.clarion(command);
      expect([code, output]).toEqual([1, expect.stringMatching(advice)]);
    }
  });

  it('reports a data folder in use in one sentence', async () => {
    const first = installation.start();
    await installation.ready(first);
    const second = installation.start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(String(first.child.pid));
    expect(second.output().trim().split('\n')).toHaveLength(1);
  });

  it('lists all configuration faults together', async () => {
    const started = installation.start({ PORT: 'x', CLARION_DIALECT: 'y' });
    expect(await started.exited).toBe(1);
    expect(started.output()).toMatch(/2 faults:\n {2}- PORT .*\n {2}- CLARION_DIALECT /);
  });
});
