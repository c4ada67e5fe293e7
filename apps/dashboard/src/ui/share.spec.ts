import { formatShare } from './share';

describe('a share', () => {
  it('has at most one decimal', () => {
    expect([formatShare(3_026, 26_574), formatShare(148, 165), formatShare(1, 4)]).toEqual([
      '11.4\u00a0%',
      '89.7\u00a0%',
      '25\u00a0%',
    ]);
  });

  it('is never written as nothing or all where it is not', () => {
    expect([formatShare(0, 9), formatShare(1, 26_574)]).toEqual(['0\u00a0%', '< 0.1\u00a0%']);
    expect([formatShare(9, 9), formatShare(26_573, 26_574)]).toEqual(['100\u00a0%', '> 99.9\u00a0%']);
    expect(formatShare(0, 0)).toBe('–');
  });
});
