import type { IntegrationHealth } from '@clarion/contracts';
import { CircuitBreaker } from './circuit-breaker';

describe('CircuitBreaker', () => {
  let now: number;
  let told: (IntegrationHealth | null)[];
  let breaker: CircuitBreaker;

  beforeEach(() => {
    now = Date.parse('2026-01-01T00:00:00.000Z');
    told = [];
    breaker = new CircuitBreaker(
      () => now,
      (health) => void told.push(health),
    );
  });

  const calls = (count: number, failed: boolean) => {
    for (let call = 0; call < count; call += 1) {
      expect(breaker.enter()).toBe('open');
      breaker.leave(failed, failed ? 'busy' : undefined);
    }
  };
  const isShut = () => breaker.enter() !== 'open';

  it('opens when half of enough calls failed, and says why and until when', () => {
    calls(10, false);
    calls(9, true);
    expect(isShut()).toBe(false);
    calls(1, true);
    expect(told).toEqual([
      { state: 'open', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:30.000Z', reason: 'busy' },
    ]);
    expect(breaker.enter()).toEqual({
      closedUntil: now + 30_000,
      reason: 'circuit breaker open until 2026-01-01T00:00:30.000Z: busy',
    });
  });

  it('does not open for few calls, nor for old ones', () => {
    calls(19, true);
    expect(told).toEqual([]);
    now += 30_000;
    calls(19, true);
    expect(told).toEqual([]);
  });

  it('lets one call through afterwards, and closes when it went well', () => {
    calls(20, true);
    now += 30_000;
    expect(breaker.enter()).toBe('open');
    expect(isShut()).toBe(true);
    breaker.leave(false);
    expect(told.at(-1)).toBeNull();
    calls(5, false);
  });

  it('stays open when that call failed, and remembers since when', () => {
    calls(20, true);
    now += 30_000;
    breaker.enter();
    breaker.leave(true, 'still busy');
    expect(told.at(-1)).toEqual({
      state: 'open',
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T00:01:00.000Z',
      reason: 'still busy',
    });
    expect(isShut()).toBe(true);
  });

  it('lets another one try when that call is not made after all', () => {
    calls(20, true);
    now += 30_000;
    breaker.enter();
    breaker.abandon();
    expect(breaker.enter()).toBe('open');
  });

  it('does not listen to calls that began before it opened', () => {
    breaker.enter();
    calls(20, true);
    breaker.leave(false);
    expect(isShut()).toBe(true);
  });

  it('waits as long as the provider asks, and needs no probe then', () => {
    breaker.pause(5_000, 'slow down');
    expect(told).toEqual([
      { state: 'paused', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:05.000Z', reason: 'slow down' },
    ]);
    expect(breaker.enter()).toEqual({
      closedUntil: now + 5_000,
      reason: 'paused by the provider until 2026-01-01T00:00:05.000Z: slow down',
    });
    now += 5_000;
    expect(breaker.enter()).toBe('open');
    expect(breaker.enter()).toBe('open');
    expect(told.at(-1)).toBeNull();
  });

  it('adopts what another worker found out, and its end', () => {
    breaker.adopt({ state: 'open', since: '2026-01-01T00:00:00.000Z', until: '2026-01-01T00:00:10.000Z' });
    expect(isShut()).toBe(true);
    breaker.adopt(null);
    expect(isShut()).toBe(false);
    expect(told).toEqual([]);
  });
});
