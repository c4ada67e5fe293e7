import type { IntegrationHealth } from '@clarion/contracts';
import { CircuitBreaker } from './circuit-breaker';

describe('CircuitBreaker', () => {
  let now: number;
  let changes: (IntegrationHealth | null)[];
  let breaker: CircuitBreaker;

  beforeEach(() => {
    now = Date.parse('2026-01-01T00:00:00.000Z');
    changes = [];
    breaker = new CircuitBreaker(
      () => now,
      (health) => void changes.push(health),
    );
  });

  const calls = (count: number, failed: boolean) => {
    for (let call = 0; call < count; call += 1) {
      expect(breaker.enter()).toMatchObject({ allowed: true });
      if (failed) breaker.leave('failed', 'busy');
      else breaker.leave('well');
    }
  };
  const isBlocked = () => !breaker.enter().allowed;

  it('opens when half of at least 20 calls failed, and reports the reason and the end', () => {
    calls(10, false);
    calls(9, true);
    expect(isBlocked()).toBe(false);
    calls(1, true);
    expect(changes).toEqual([
      { state: 'open', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:30.000Z', reason: 'busy' },
    ]);
    expect(breaker.enter()).toEqual({
      allowed: false,
      until: now + 30_000,
      reason: 'circuit breaker open until 2026-01-01T00:00:30.000Z: busy',
    });
  });

  it('stays closed after fewer than 20 calls within its window', () => {
    calls(19, true);
    expect(changes).toEqual([]);
    now += 30_000;
    calls(19, true);
    expect(changes).toEqual([]);
  });

  it('keeps no more of many calls than of few', () => {
    for (let call = 0; call < 10_000; call += 1) {
      breaker.leave('well');
      now += 10;
    }
    expect(JSON.stringify(breaker).length).toBeLessThan(3_000);
  });

  it('opens after three calls for which the account was rejected, unless a call succeeded in between', () => {
    const reject = () => {
      breaker.enter();
      breaker.reject('the key was revoked', 1);
    };
    reject();
    reject();
    calls(1, false);
    reject();
    reject();
    expect(breaker.opensUntil).toBeUndefined();
    reject();
    expect(changes).toEqual([expect.objectContaining({ state: 'open', reason: 'the key was revoked' })]);
    expect(breaker.opensUntil).toBe(now + 30_000);
  });

  it('counts the attempts that other workers made, unless the account was accepted here since the first of them', () => {
    calls(1, false);
    breaker.reject('the key was revoked', 3);
    expect(breaker.opensUntil).toBeUndefined();
    calls(1, false);
    now += 61_000;
    breaker.reject('the key was revoked', 2);
    expect(breaker.opensUntil).toBeUndefined();
    breaker.reject('the key was revoked', 3);
    expect(breaker.opensUntil).toBe(now + 30_000);
  });

  it('allows one probe after its time is over, and closes when the probe succeeds', () => {
    calls(20, true);
    now += 30_000;
    expect(breaker.enter()).toMatchObject({ allowed: true });
    expect(isBlocked()).toBe(true);
    breaker.leave('well');
    expect(changes.at(-1)).toBeNull();
    calls(5, false);
  });

  it('stays open when the probe fails, and keeps the time since when it is open', () => {
    calls(20, true);
    now += 30_000;
    breaker.enter();
    breaker.leave('failed', 'still busy');
    expect(changes.at(-1)).toEqual({
      state: 'open',
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T00:01:00.000Z',
      reason: 'still busy',
    });
    expect(isBlocked()).toBe(true);
  });

  it('allows another probe when the probe was not made', () => {
    calls(20, true);
    now += 30_000;
    breaker.enter();
    breaker.abandon();
    expect(breaker.enter()).toMatchObject({ allowed: true });
  });

  it('stops calls that have waited since before it opened, also while it probes', () => {
    calls(20, true);
    expect(breaker.recheck()).toMatchObject({ allowed: false, until: now + 30_000 });
    now += 30_000;
    expect(breaker.enter()).toEqual({ allowed: true, isProbe: true });
    expect(breaker.recheck()).toMatchObject({ allowed: false, until: now + 1_000 });
    breaker.leave('well');
    expect(breaker.recheck()).toEqual({ allowed: true, isProbe: false });
  });

  it('ignores the result of a call that began before it opened', () => {
    breaker.enter();
    calls(20, true);
    breaker.leave('well');
    expect(isBlocked()).toBe(true);
  });

  it('blocks calls for the pause that the provider asked for, and ends it with a probe', () => {
    breaker.pause(5_000, 'slow down');
    expect(changes).toEqual([
      { state: 'paused', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:05.000Z', reason: 'slow down' },
    ]);
    expect(breaker.enter()).toEqual({
      allowed: false,
      until: now + 5_000,
      reason: 'paused by the provider until 2026-01-01T00:00:05.000Z: slow down',
    });
    now += 5_000;
    expect(breaker.enter()).toMatchObject({ allowed: true });
    expect(isBlocked()).toBe(true);
    breaker.leave('well');
    expect(changes.at(-1)).toBeNull();
    calls(5, false);
  });

  it('stays paused when the probe after a pause fails, and for the next pause that the provider asks for', () => {
    breaker.pause(5_000, 'slow down');
    now += 5_000;
    expect(breaker.enter()).toMatchObject({ allowed: true });
    breaker.leave('failed', 'slow down');
    expect(isBlocked()).toBe(true);
    breaker.pause(5_000, 'slow down');
    now += 4_999;
    expect(isBlocked()).toBe(true);
    now += 1;
    expect(breaker.enter()).toMatchObject({ allowed: true });
    expect(isBlocked()).toBe(true);
  });

  describe('of an account that sends no message', () => {
    const refuse = (count: number) => {
      for (let call = 0; call < count; call += 1) {
        expect(breaker.enter()).toMatchObject({ allowed: true });
        breaker.leave('refused', 'the sender is not verified');
      }
    };

    it('reports it after ten messages and a minute, allows calls, and takes it back with the first one that is sent', () => {
      refuse(9);
      now += 60_000;
      expect(changes).toEqual([]);
      refuse(5);
      expect(changes).toEqual([
        { state: 'failing', since: '2026-01-01T00:00:00.000Z', reason: 'the sender is not verified' },
      ]);
      expect(breaker.enter()).toEqual({ allowed: true, isProbe: false });
      breaker.leave('well');
      expect(changes.at(-1)).toBeNull();
    });

    it('reports nothing within a minute, or when a message was sent in between', () => {
      refuse(100);
      now += 59_999;
      refuse(1);
      calls(1, false);
      now += 60_000;
      refuse(9);
      expect(changes).toEqual([]);
    });

    it('counts failures that may pass, and opens when they are many', () => {
      calls(9, true);
      now += 60_000;
      calls(1, true);
      expect(changes).toEqual([expect.objectContaining({ state: 'failing' })]);
      calls(19, true);
      expect(changes.at(-1)).toMatchObject({ state: 'open', since: '2026-01-01T00:00:00.000Z' });
    });

    it('adopts the state from another worker, and takes it back', () => {
      breaker.adopt({ state: 'failing', since: '2026-01-01T00:00:00.000Z' });
      calls(1, false);
      expect(changes).toEqual([null]);
    });
  });

  it('adopts the open state that another worker stored, and its reset', () => {
    breaker.adopt({ state: 'open', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:10.000Z' });
    expect(isBlocked()).toBe(true);
    breaker.adopt(null);
    expect(isBlocked()).toBe(false);
    expect(changes).toEqual([]);
  });
});
