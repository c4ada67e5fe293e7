import { LIMITS, RETRY_WAITS_MS } from '@clarion/contracts/core';
import { waitAfter } from './retry-plan';

describe('waitAfter', () => {
  it('waits longer after every attempt, and ends after the last', () => {
    const waits = Array.from({ length: LIMITS.deliveryAttempts }, (_, index) => waitAfter(index + 1, () => 0.5));
    const growing = [...new Set(RETRY_WAITS_MS)].sort((one, other) => one - other);
    expect(waits).toEqual([...growing, undefined]);
  });

  it('varies each wait by up to a fifth', () => {
    const [wait] = RETRY_WAITS_MS;
    expect(waitAfter(1, () => 0)).toBeCloseTo(wait! * 0.8);
    expect(waitAfter(1, () => 1)).toBeCloseTo(wait! * 1.2);
  });
});
