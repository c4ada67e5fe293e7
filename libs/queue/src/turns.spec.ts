import { laneAt, placeOf } from '@clarion/contracts/core';
import { Turns } from './turns';

describe('Turns', () => {
  let now: number;
  let turns: Turns;
  const turnOf = (environmentId: string, items: number, organizationId?: string): number =>
    (turns.placeOf('trigger', 2, environmentId, items, organizationId) - placeOf(2)) / 2;

  beforeEach(() => {
    now = 0;
    turns = new Turns(() => now);
  });

  it('moves an environment back by one with each doubling of what it has offered', () => {
    expect(turnOf('noisy', 200)).toBe(0);
    expect(turnOf('noisy', 100)).toBe(1);
    expect(turnOf('noisy', 1_200)).toBe(3);
    expect(turnOf('quiet', 1)).toBe(0);
  });

  it('forgets half of it within a second', () => {
    turnOf('noisy', 1_600);
    now += 2_000;
    expect(turnOf('noisy', 0)).toBe(1);
    now += 10_000;
    expect(turnOf('noisy', 1)).toBe(0);
  });

  it('counts the environments of one organization together, and lanes and queues apart', () => {
    expect(turnOf('a', 200, 'organization')).toBe(0);
    expect(turnOf('b', 200, 'organization')).toBe(0);
    expect(turnOf('c', 200, 'organization')).toBe(1);
    expect(turns.placeOf('trigger', 3, 'c', 200, 'organization')).toBe(placeOf(3));
    expect(turns.placeOf('timer', 2, 'c', 200, 'organization')).toBe(placeOf(2));
  });

  it('lets a quiet environment go first beside a noisy one of its organization', () => {
    // Two gateways with different rates, so that the noisy environment has different turns.
    const other = new Turns(() => now);
    const places: number[] = [];
    for (let call = 0; call < 200; call += 1) {
      now += 20;
      turnOf('noisy', 100, 'organization');
      if (call % 4 === 0) other.placeOf('trigger', 2, 'noisy', 100, 'organization');
      if (call % 5 !== 0) continue;
      places.push(turnOf('quiet', 1, 'organization'));
      places.push((other.placeOf('trigger', 2, 'quiet', 1, 'organization') - placeOf(2)) / 2);
    }
    expect(new Set(places)).toEqual(new Set([0]));
    expect(turnOf('noisy', 100, 'organization')).toBeGreaterThan(3);
  });

  it('gives an organization nothing for more environments, noisy or quiet', () => {
    for (const items of [150, 300]) {
      for (let at = 0; at < 100; at += 1) turnOf(`${items} ${at}`, items, `organization ${items}`);
      expect(turnOf(`${items} last`, items, `organization ${items}`)).toBeGreaterThan(turnOf('alone', items) + 3);
      now += 60_000;
    }
  });

  it('lets normal rows of others go before many critical ones, and these before its own normal ones', () => {
    expect(turns.placeOf('trigger', 1, 'flood', 200)).toBe(placeOf(1));
    const critical = turns.placeOf('trigger', 1, 'flood', 20_000);
    const normal = turns.placeOf('trigger', 2, 'flood', 20_200);
    expect(turns.placeOf('trigger', 2, 'quiet', 1)).toBeLessThan(critical);
    expect(critical).toBeLessThan(normal);
    expect([laneAt(critical), laneAt(normal)]).toEqual([1, 2]);
  });

  it('stays in its lane, however much was offered', () => {
    expect(laneAt(turns.placeOf('trigger', 1, 'flood', 1e12))).toBe(1);
  });
});
