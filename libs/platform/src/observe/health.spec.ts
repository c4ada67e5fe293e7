import { createLogger } from '../logging/logger';
import { Health, NOT_LIVE_AFTER_MS, STUCK_AFTER_MS } from './health';

describe('Health', () => {
  let health: Health;

  beforeEach(() => {
    jest.useFakeTimers();
    health = new Health();
  });
  afterEach(() => jest.useRealTimers());

  it('is not ready before the start is complete and names what it waits for', async () => {
    health.waitFor('the database: connect ECONNREFUSED');
    expect(await health.ready()).toEqual({
      ok: false,
      body: { status: 'error', missing: ['starting: waits for the database: connect ECONNREFUSED'] },
    });
    health.started();
    expect(await health.ready()).toEqual({ ok: true, body: { status: 'ok' } });
  });

  it('is not ready while a required service fails and names the service', async () => {
    health.started();
    health.require('database', () => Promise.reject(new Error('too many clients')));
    health.require('other', () => Promise.resolve());
    expect(await health.ready()).toEqual({
      ok: false,
      body: { status: 'error', database: 'down', other: 'up', missing: ['database: too many clients'] },
    });
  });

  it('limits the time of a check that never answers', async () => {
    health.started();
    health.require('database', () => new Promise(() => undefined));
    const ready = health.ready();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await ready).toMatchObject({ ok: false, body: { missing: ['database: no answer within 2000 ms'] } });
  });

  it('is permanently not ready once it drains, and stays live', async () => {
    health.started();
    health.drain();
    health.started();
    expect(await health.ready()).toMatchObject({ ok: false, body: { missing: [expect.stringMatching(/^draining/)] } });
    expect(health.isDraining).toBe(true);
    expect(health.live().ok).toBe(true);
  });

  describe('liveness by progress', () => {
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

    it('reports a role with work and no progress as not live and ends the process later', async () => {
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

    it('reports a role that makes progress now and then as live', async () => {
      for (let time = 0; time < 2 * STUCK_AFTER_MS; time += NOT_LIVE_AFTER_MS - LOOK_MS) {
        await jest.advanceTimersByTimeAsync(NOT_LIVE_AFTER_MS - LOOK_MS);
        lastProgressAt = performance.now();
      }
      expect(health.live().ok).toBe(true);
      expect([ended, logged]).toEqual([[], []]);
    });

    it('reports a role without work as live indefinitely', async () => {
      hasWork = () => Promise.resolve(false);
      await jest.advanceTimersByTimeAsync(10 * STUCK_AFTER_MS);
      expect(health.live().ok).toBe(true);
      expect(ended).toEqual([]);
    });

    it('ignores time in which another process took the work', async () => {
      let look = 0;
      hasWork = () => Promise.resolve((look += 1) % 3 !== 0);
      await jest.advanceTimersByTimeAsync(3 * STUCK_AFTER_MS);
      expect(health.live().ok).toBe(true);
      expect(ended).toEqual([]);
    });

    it('reports every role as live while it is unknown whether there is work', async () => {
      hasWork = () => Promise.reject(new Error('no database'));
      await jest.advanceTimersByTimeAsync(3 * STUCK_AFTER_MS);
      expect(health.live().ok).toBe(true);
      expect(ended).toEqual([]);
    });
  });
});
