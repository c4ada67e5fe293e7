import { createLogger } from '../logging/logger';
import { Health, NOT_LIVE_AFTER_MS, STUCK_AFTER_MS } from './health';

describe('Health', () => {
  let health: Health;

  beforeEach(() => {
    jest.useFakeTimers();
    health = new Health();
  });
  afterEach(() => jest.useRealTimers());

  it('is not ready before it has started, and says what it waits for', async () => {
    health.waitFor('the database: connect ECONNREFUSED');
    expect(await health.ready()).toEqual({
      ok: false,
      body: { status: 'error', missing: ['starting: waits for the database: connect ECONNREFUSED'] },
    });
    health.started();
    expect(await health.ready()).toEqual({ ok: true, body: { status: 'ok' } });
  });

  it('is not ready while something is missing, and names it', async () => {
    health.started();
    health.require('database', () => Promise.reject(new Error('too many clients')));
    health.require('other', () => Promise.resolve());
    expect(await health.ready()).toEqual({
      ok: false,
      body: { status: 'error', database: 'down', other: 'up', missing: ['database: too many clients'] },
    });
  });

  it('does not wait for an answer that never comes', async () => {
    health.started();
    health.require('database', () => new Promise(() => undefined));
    const ready = health.ready();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await ready).toMatchObject({ ok: false, body: { missing: ['database: no answer within 2000 ms'] } });
  });

  it('is not ready once it drains, for good, and stays live', async () => {
    health.started();
    health.drain();
    health.started();
    expect(await health.ready()).toMatchObject({ ok: false, body: { missing: [expect.stringMatching(/^draining/)] } });
    expect(health.isDraining).toBe(true);
    expect(health.live().ok).toBe(true);
  });

  describe('judges by progress', () => {
    let lastProgressAt: number;
    let hasWork: () => Promise<boolean>;
    let ended: string[];
    const logged: string[] = [];

    beforeEach(() => {
      lastProgressAt = performance.now();
      hasWork = () => Promise.resolve(true);
      ended = [];
      logged.length = 0;
      const destination = { write: (line: string) => void logged.push(line) };
      const logger = createLogger({ level: 'warn', name: 'spec', destination });
      health.watch({ role: 'worker-email', lastProgressAt: () => lastProgressAt, hasWork: () => hasWork() });
      health.watchProgress(logger, (reason) => void ended.push(reason));
    });

    const LOOK_MS = 5_000;

    it('who has work and takes none is not live any more, and ends a while later', async () => {
      await jest.advanceTimersByTimeAsync(NOT_LIVE_AFTER_MS);
      expect(health.live().ok).toBe(true);
      await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
      expect(health.live()).toMatchObject({
        ok: false,
        body: {
          status: 'error',
          stuck: [expect.stringMatching(/^worker-email has work and has taken none for 6\d s$/)],
        },
      });
      expect(logged).toHaveLength(1);
      expect(ended).toEqual([]);
      await jest.advanceTimersByTimeAsync(STUCK_AFTER_MS - NOT_LIVE_AFTER_MS);
      expect(ended[0]).toMatch(/^worker-email has work and has taken none for 9\d s$/);
    });

    it('who takes something now and then is live', async () => {
      for (let time = 0; time < 2 * STUCK_AFTER_MS; time += NOT_LIVE_AFTER_MS - LOOK_MS) {
        await jest.advanceTimersByTimeAsync(NOT_LIVE_AFTER_MS - LOOK_MS);
        lastProgressAt = performance.now();
      }
      expect(health.live().ok).toBe(true);
      expect([ended, logged]).toEqual([[], []]);
    });

    it('who has nothing to do is live, however long', async () => {
      hasWork = () => Promise.resolve(false);
      await jest.advanceTimersByTimeAsync(10 * STUCK_AFTER_MS);
      expect(health.live().ok).toBe(true);
      expect(ended).toEqual([]);
    });

    it('work that others take in between counts for nothing', async () => {
      let look = 0;
      hasWork = () => Promise.resolve((look += 1) % 3 !== 0);
      await jest.advanceTimersByTimeAsync(3 * STUCK_AFTER_MS);
      expect(health.live().ok).toBe(true);
      expect(ended).toEqual([]);
    });

    it('nobody is blamed while nobody can say whether there is work', async () => {
      hasWork = () => Promise.reject(new Error('no database'));
      await jest.advanceTimersByTimeAsync(3 * STUCK_AFTER_MS);
      expect(health.live().ok).toBe(true);
      expect(ended).toEqual([]);
    });
  });
});
