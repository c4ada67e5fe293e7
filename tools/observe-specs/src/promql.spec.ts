import { wordsOf } from './promql';

describe('the names in a PromQL expression', () => {
  it('finds the series of an expression, the labels of their selectors and the labels that it groups by', () => {
    expect(
      wordsOf(
        'histogram_quantile(0.99, sum by (le, channel) (rate(a_bucket{stage="x", channel=~"a|b"}[5m]))) > 14.4 * 0.01',
      ),
    ).toEqual({ selectors: [{ metric: 'a_bucket', labels: ['stage', 'channel'] }], grouping: ['le', 'channel'] });
    expect(wordsOf('a:b:max > 15 and on (job) (c{d="by (x)"} unless c offset 10m) or vector(0)')).toEqual({
      selectors: [
        { metric: 'a:b:max', labels: [] },
        { metric: 'c', labels: ['d'] },
        { metric: 'c', labels: [] },
      ],
      grouping: ['job'],
    });
  });
});
