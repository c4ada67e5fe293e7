import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `npm start` and `npm run clarion` run after their set-up. `npm test` has built them. */
const MAIN = join(__dirname, '../dist/main.js');
const CLI = join(__dirname, '../dist/clarion.js');

type Run = { child: ChildProcess; output: () => string; exited: Promise<number | null> };

function run(script: string, args: string[], environment: Record<string, string>): Run {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env['PATH'], ...environment } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text, exited: new Promise((resolve) => child.once('exit', (code) => resolve(code))) };
}

async function until<T>(look: () => T | undefined | false, run?: Run): Promise<T> {
  for (;;) {
    const found = look();
    if (found) return found;
    if (run && run.child.exitCode !== null) throw new Error(`it ended with ${run.child.exitCode}:\n${run.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Processes whose command line names the folder: everything that was started for it. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes(folder));
}

describe('everything in one command', () => {
  let dataDir: string;
  let blocker: Server | undefined;
  const runs: Run[] = [];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'clarion-standalone-'));
  });
  afterEach(async () => {
    for (const { child } of runs) child.kill('SIGTERM');
    await Promise.all(runs.splice(0).map(({ exited }) => exited));
    blocker?.close();
    blocker = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });

  const environment = (extra: Record<string, string> = {}) => ({
    CLARION_DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    CLARION_QUEUE: process.env['CLARION_TEST_QUEUE'] ?? 'postgres',
    ...extra,
  });
  const start = (extra?: Record<string, string>, ...args: string[]): Run => {
    const started = run(MAIN, args, environment(extra));
    runs.push(started);
    return started;
  };
  const ready = async (started: Run) => {
    await until(() => started.output().includes('Clarion is ready'), started);
    const word = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(started.output())![1]!;
    return { url: word('Base URL'), key: word('API key'), identifier: word('Application id') };
  };
  const stop = async (started: Run) => {
    started.child.kill('SIGTERM');
    return started.exited;
  };
  const create = (url: string, key: string, subscriberId: string) =>
    fetch(`${url}/v2/subscribers`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ subscriberId }),
    });
  const clarion = async (...args: string[]) => {
    const command = run(CLI, [...args, '--json'], environment());
    const code = await command.exited;
    return { code, output: command.output() };
  };

  it('starts from nothing, keeps data and key, and leaves no process behind', async () => {
    const first = start();
    const one = await ready(first);
    expect((await create(one.url, one.key, 'kept')).status).toBe(201);
    const environments = (await (
      await fetch(`${one.url}/v1/environments`, { headers: { authorization: `ApiKey ${one.key}` } })
    ).json()) as object[];
    expect(environments).toEqual([expect.objectContaining({ name: 'Development', identifier: one.identifier })]);
    const integrations = await fetch(`${one.url}/v1/integrations`, { headers: { authorization: `ApiKey ${one.key}` } });
    expect(await integrations.json()).toEqual([
      expect.objectContaining({ channel: 'in_app', providerId: 'platform', active: true }),
      expect.objectContaining({ channel: 'email', providerId: 'platform-email', active: true }),
      expect.objectContaining({ channel: 'sms', providerId: 'platform-sms', active: true }),
      expect.objectContaining({ channel: 'chat', providerId: 'platform-slack', active: true }),
    ]);
    expect(await stop(first)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);

    const two = await ready(start());
    expect(two.key).toBe(one.key);
    expect(two.identifier).toBe(one.identifier);
    const kept = await fetch(`${two.url}/v2/subscribers/kept`, { headers: { authorization: `ApiKey ${two.key}` } });
    expect(kept.status).toBe(200);
  }, 60_000);

  it('takes the key of the first start from CLARION_API_KEY', async () => {
    const { url, key } = await ready(start({ CLARION_API_KEY: 'a-key-of-my-own-choice' }));
    expect(key).toBe('a-key-of-my-own-choice');
    expect((await create(url, key, 'x')).status).toBe(201);
  }, 60_000);

  it('gives each role a process of its own and starts it again when it dies', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const port = (probe.address() as AddressInfo).port;
    await new Promise((resolve) => probe.close(resolve));
    const started = start({ PORT: String(port), LOG_LEVEL: 'info' }, '--processes');
    const { url, key } = await ready(started);
    const gatewayOf = () =>
      readdirSync('/proc').find((pid) => {
        try {
          return (
            /^\d+$/.test(pid) &&
            Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]) === started.child.pid &&
            readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('gateway')
          );
        } catch {
          return false;
        }
      });
    const first = gatewayOf()!;
    expect(first).toBeDefined();
    process.kill(Number(first), 'SIGKILL');
    await until(() => {
      const now = gatewayOf();
      return now !== undefined && now !== first;
    }, started);
    let answer: Response | undefined;
    // While it starts it says that it is not there yet.
    while (!answer || answer.status === 503) answer = await create(url, key, 'again').catch(() => undefined);
    expect(answer.status).toBe(201);
    expect(await stop(started)).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
  }, 60_000);

  // The other engine has nothing that could be lost apart from the database itself.
  if (process.env['CLARION_TEST_QUEUE'] === 'redis') {
    it('goes on without its Redis and gets it back', async () => {
      const started = start();
      const { url, key } = await ready(started);
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
      const post = async (path: string, body: object) =>
        (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<unknown>;
      const step = { name: 'S', type: 'in_app', controlValues: { body: 'x' } };
      await post('/v2/workflows', { name: 'W', workflowId: 'w', steps: [step] });
      const failedAdds = async () =>
        ((await (await fetch(`${url}/health/ready`)).json()) as { queue: { failedAdds: number } }).queue.failedAdds;
      const trigger = () => post('/v1/events/trigger', { name: 'w', to: 'ada' });

      const record = () =>
        JSON.parse(readFileSync(join(dataDir, 'redis.server.json'), 'utf8')) as { server: { pid: number } };
      const first = record().server.pid;
      process.kill(first, 'SIGKILL');
      while ((await failedAdds()) === 0) expect(await trigger()).toMatchObject({ status: 'processed' });
      await until(() => {
        try {
          return record().server.pid !== first;
        } catch {
          return false;
        }
      }, started);
      for (let before = -1; before !== (await failedAdds());) {
        before = await failedAdds();
        expect(await trigger()).toMatchObject({ status: 'processed' });
      }
      expect(await stop(started)).toBe(0);
      expect(processesOf(dataDir)).toEqual([]);
    }, 60_000);
  }

  it('says in one sentence that the port is taken, and starts nothing', async () => {
    blocker = createServer();
    await new Promise<void>((resolve) => blocker!.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const started = start({ PORT: String(port) });
    expect(await started.exited).toBe(1);
    expect(started.output()).toBe(
      `Port ${port} is in use on 127.0.0.1: stop the other program or set PORT to a free one, e.g. PORT=${port + 1} npm start\n`,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  }, 60_000);

  it('says in one sentence that the data folder is in use', async () => {
    const first = start();
    await ready(first);
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(String(first.child.pid));
    expect(second.output().trim().split('\n')).toHaveLength(1);
  }, 60_000);

  it('lists all faults of the configuration together', async () => {
    const started = start({ PORT: 'x', CLARION_DIALECT: 'y' });
    expect(await started.exited).toBe(1);
    expect(started.output()).toMatch(/2 faults:\n {2}- PORT .*\n {2}- CLARION_DIALECT /);
  }, 60_000);

  it('administers environments and keys from the command line, running or not', async () => {
    const migrated = await clarion('migrate');
    expect(migrated.code).toBe(0);
    const created = await clarion('environments', 'create', 'Staging');
    const [staging] = JSON.parse(created.output) as [{ id: string; key: string }];
    const key = JSON.parse((await clarion('keys', 'create', '--environment', 'Staging', '--scope', 'read')).output) as [
      { id: string; key: string },
    ];

    const { url } = await ready(start());
    const status = async (apiKey: string) =>
      (await fetch(`${url}/v2/subscribers`, { headers: { authorization: `ApiKey ${apiKey}` } })).status;
    expect(await status(staging.key)).toBe(200);
    expect(await status(key[0].key)).toBe(200);
    expect((await create(url, key[0].key, 'x')).status).toBe(403);

    const names = JSON.parse((await clarion('environments', 'list')).output) as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual(['Development', 'Staging']);
    expect((await clarion('keys', 'revoke', key[0].id)).code).toBe(0);
    const keys = JSON.parse((await clarion('keys', 'list', '--environment', staging.id)).output) as {
      revoked: string | null;
    }[];
    expect(keys.filter(({ revoked }) => revoked !== null)).toHaveLength(1);

    for (const wrong of [
      ['keys', 'revoke', 'nope'],
      ['environments', 'create'],
      ['keys', 'create', '--scope', 'root'],
      ['dance'],
    ]) {
      expect((await clarion(...wrong)).code).toBe(1);
    }
  }, 120_000);
});
