import { TokenBrake } from './token-brake';

describe('TokenBrake', () => {
  let now = 0;
  const brakeAfter = (...results: boolean[]): TokenBrake => {
    const brake = new TokenBrake(() => now);
    for (const isDead of results) brake.note('account', isDead);
    return brake;
  };
  const many = (count: number, isDead: boolean): boolean[] => Array<boolean>(count).fill(isDead);

  it('is off while few tokens are dead', () => {
    expect(brakeAfter(...many(19, true)).isOn('account')).toBe(false);
    expect(brakeAfter(...many(80, false), ...many(20, true)).isOn('account')).toBe(false);
  });

  it('is on for an account with many dead tokens, and off for other accounts', () => {
    const brake = brakeAfter(...many(79, false), ...many(21, true));
    expect(brake.isOn('account')).toBe(true);
    expect(brake.isOn('another')).toBe(false);
  });

  it('counts only the results of the last minute', () => {
    const brake = brakeAfter(...many(50, true));
    now += 60_001;
    brake.note('account', true);
    expect(brake.isOn('account')).toBe(false);
  });
});
