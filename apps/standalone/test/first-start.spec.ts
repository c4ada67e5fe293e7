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
    const chosen = 'a-key-of-my-own-choice';
    const started = place.start({ CLARION_API_KEY: chosen });
    const { url } = await place.ready(started);
    expect((await create(url, chosen, 'x')).status).toBe(201);
    expect(started.output()).toMatch(/API key +the one in CLARION_API_KEY\n/);
    await place.stop(started);
    // Nor when it is not given again: what is known of it is its hash.
    const again = place.start();
    await place.ready(again);
    expect(again.output()).toMatch(/API key +shown when it was made/);
    expect(started.output() + again.output()).not.toContain(chosen);
  }, 120_000);

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
