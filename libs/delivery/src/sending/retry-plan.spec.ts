import { LIMITS } from '@clarion/contracts/core';
import { MAX_ATTEMPTS, waitAfter } from './retry-plan';

describe('waitAfter', () => {
  it('waits longer after every attempt, and ends after eight', () => {
    const waits = Array.from({ length: MAX_ATTEMPTS }, (_, index) => waitAfter(index + 1, () => 0.5));
    expect(MAX_ATTEMPTS).toBe(LIMITS.deliveryAttempts);
    expect(waits).toEqual([5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 18_000_000, undefined]);
  });

  it('varies each wait by up to a fifth', () => {
    expect(waitAfter(1, () => 0)).toBe(4_000);
    expect(waitAfter(1, () => 1)).toBe(6_000);
  });
});
