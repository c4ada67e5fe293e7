import { laneAt, placeOf } from '@clarion/contracts/core';
import { Turns } from './turns';

describe('Turns', () => {
  let now: number;
  let turns: Turns;
  const turnOf = (environmentId: string, items: number, organizationId?: string): number =>
    turns.placeOf('trigger', 2, environmentId, items, organizationId) - placeOf(2);

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

  it('stays in its lane, however much was offered', () => {
    expect(laneAt(turns.placeOf('trigger', 1, 'flood', 1e12))).toBe(1);
  });
});
