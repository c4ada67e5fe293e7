import { scaleOf } from './series';

describe('the scale of the bars', () => {
  it('has whole quarters, and bars of at least half its height', () => {
    for (let most = 0; most <= 2_000; most += 1) {
      const end = scaleOf(most);
      expect([most, end % 4]).toEqual([most, 0]);
      expect(end).toBeGreaterThanOrEqual(most);
      expect(end).toBeLessThanOrEqual(Math.max(4, 2 * most));
    }
  });
});
