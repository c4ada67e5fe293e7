import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { create, Place, until } from './place';

describe('everything in one command', () => {
  let place: Place;
  beforeEach(() => void (place = new Place()));
  afterEach(() => place.leave());

  it('starts from nothing, keeps data and key, and leaves no process behind', async () => {
    const first = place.start();
    const one = await place.ready(first);
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
    expect(await place.stop(first)).toBe(0);
    expect(place.processes()).toEqual([]);

    const two = await place.ready(place.start());
    expect(two.key).toBe(one.key);
    expect(two.identifier).toBe(one.identifier);
    const kept = await fetch(`${two.url}/v2/subscribers/kept`, { headers: { authorization: `ApiKey ${two.key}` } });
    expect(kept.status).toBe(200);
  }, 60_000);

  it('gives each role a process of its own and starts it again when it dies', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const port = (probe.address() as AddressInfo).port;
    await new Promise((resolve) => probe.close(resolve));
    const started = place.start({ PORT: String(port), LOG_LEVEL: 'info' }, '--processes');
    const { url, key } = await place.ready(started);
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
    expect(await place.stop(started)).toBe(0);
    expect(place.processes()).toEqual([]);
  }, 60_000);

  // The Postgres backend has nothing that could be lost apart from the database itself.
  if (process.env['CLARION_TEST_QUEUE'] === 'redis') {
    it('goes on without its Redis and gets it back', async () => {
      const started = place.start();
      const { url, key } = await place.ready(started);
      const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' };
      const post = async (path: string, body: object) =>
        (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<unknown>;
      const step = { name: 'S', type: 'in_app', controlValues: { body: 'x' } };
      await post('/v2/workflows', { name: 'W', workflowId: 'w', steps: [step] });
      const failedAdds = async () =>
        ((await (await fetch(`${url}/health/ready`)).json()) as { queue: { failedAdds: number } }).queue.failedAdds;
      const trigger = () => post('/v1/events/trigger', { name: 'w', to: 'ada' });

      const record = () =>
        JSON.parse(readFileSync(join(place.dataDir, 'redis.server.json'), 'utf8')) as { server: { pid: number } };
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
      expect(await place.stop(started)).toBe(0);
      expect(place.processes()).toEqual([]);
    }, 60_000);
  }
});
