import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@clarion/testing';
import { create, Installation, until } from './installation';

describe('npm start with every role', () => {
  let installation: Installation;
  beforeEach(() => void (installation = new Installation()));
  afterEach(() => installation.remove());

  it('starts on an empty folder, keeps data and key, and leaves no process behind', async () => {
    const first = installation.start();
    const one = await installation.ready(first);
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
    expect(await installation.stop(first)).toBe(0);
    expect(installation.processes()).toEqual([]);

    const two = await installation.ready(installation.start());
    expect(two.key).toBe(one.key);
    expect(two.identifier).toBe(one.identifier);
    const kept = await fetch(`${two.url}/v2/subscribers/kept`, { headers: { authorization: `ApiKey ${two.key}` } });
    expect(kept.status).toBe(200);
  });

  it('runs each role in a separate process and restarts a role that dies', async () => {
    const started = installation.start({ PORT: String(await freePort()), LOG_LEVEL: 'info' }, '--processes');
    const { url, key } = await installation.ready(started);
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
    // While it starts, it reports that it is not ready yet.
    while (!answer || answer.status === 503) answer = await create(url, key, 'again').catch(() => undefined);
    expect(answer.status).toBe(201);
    expect(await installation.stop(started)).toBe(0);
    expect(installation.processes()).toEqual([]);
  });

  // The Postgres queue backend has no server that could be lost besides the database.
  if (process.env['CLARION_TEST_QUEUE'] === 'redis') {
    it('continues without its Redis and restarts it', async () => {
      const started = installation.start();
      const { url, key } = await installation.ready(started);
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
      const post = async (path: string, body: object) =>
        (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<unknown>;
      const step = { name: 'S', type: 'in_app', controlValues: { body: 'x' } };
      await post('/v2/workflows', { name: 'W', workflowId: 'w', steps: [step] });
      const failedAdds = async () =>
        ((await (await fetch(`${url}/health/ready`)).json()) as { queue: { failedAdds: number } }).queue.failedAdds;
      const trigger = () => post('/v1/events/trigger', { name: 'w', to: 'ada' });

      const record = () =>
        JSON.parse(readFileSync(join(installation.dataDir, 'redis.server.json'), 'utf8')) as {
          server: { pid: number };
        };
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
      expect(await installation.stop(started)).toBe(0);
      expect(installation.processes()).toEqual([]);
    });
  }
});
