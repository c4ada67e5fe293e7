import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { create, Place } from './place';

describe('npm start', () => {
  let place: Place;
  let blocker: Server | undefined;
  beforeEach(() => void (place = new Place()));
  afterEach(async () => {
    await place.leave();
    blocker?.close();
  });

  it('takes the key of the first start from CLARION_API_KEY', async () => {
    const { url, key } = await place.ready(place.start({ CLARION_API_KEY: 'a-key-of-my-own-choice' }));
    expect(key).toBe('a-key-of-my-own-choice');
    expect((await create(url, key, 'x')).status).toBe(201);
  }, 60_000);

  it('says in one sentence that the port is taken, and starts nothing', async () => {
    blocker = createServer();
    await new Promise<void>((resolve) => blocker!.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const started = place.start({ PORT: String(port) });
    expect(await started.exited).toBe(1);
    expect(started.output()).toBe(
      `Port ${port} is in use on 127.0.0.1: stop the other program or set PORT to a free one, e.g. PORT=${port + 1} npm start\n`,
    );
    expect(readdirSync(place.dataDir)).toEqual([]);
  }, 60_000);

  it('says in one sentence that the data folder is in use', async () => {
    const first = place.start();
    await place.ready(first);
    const second = place.start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(String(first.child.pid));
    expect(second.output().trim().split('\n')).toHaveLength(1);
  }, 60_000);

  it('lists all faults of the configuration together', async () => {
    const started = place.start({ PORT: 'x', CLARION_DIALECT: 'y' });
    expect(await started.exited).toBe(1);
    expect(started.output()).toMatch(/2 faults:\n {2}- PORT .*\n {2}- CLARION_DIALECT /);
  }, 60_000);
});
