import { durationOf } from './times';

describe('durationOf', () => {
  it.each([
    [0, '0s'],
    [0.4, '0s'],
    [59.9, '59s'],
    [60, '1m 0s'],
    [7_530, '2h 5m'],
    [90_061, '1d 1h'],
  ])('shows %d seconds as %s', (seconds, text) => expect(durationOf(seconds)).toBe(text));
});
