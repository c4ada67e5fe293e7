import { WrongKeys } from './wrong-keys';

describe('WrongKeys', () => {
  let now = 0;
  const waitOf = (keys: WrongKeys, address: string): number => Number(keys.refuse(address).headers['Retry-After'] ?? 0);

  it('doubles Retry-After for each wrong key after the first twenty of an address, up to 60 seconds', () => {
    const keys = new WrongKeys(() => now);
    const waits = Array.from({ length: 30 }, () => waitOf(keys, '192.0.2.1'));
    expect(waits.slice(0, 20)).toEqual(Array(20).fill(0));
    expect(waits.slice(20)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    expect(keys.isGuessing('192.0.2.1')).toBe(true);
    expect(keys.isGuessing('192.0.2.2')).toBe(false);
  });

  it('lowers the count of an address as time passes', () => {
    const keys = new WrongKeys(() => now);
    for (let count = 0; count < 21; count += 1) keys.refuse('192.0.2.1');
    now += 10_000;
    expect(keys.isGuessing('192.0.2.1')).toBe(false);
    expect(waitOf(keys, '192.0.2.1')).toBe(0);
  });

  it('counts all addresses of one IPv6 /64 network together', () => {
    const keys = new WrongKeys(() => now);
    for (let count = 0; count < 20; count += 1) keys.refuse(`2001:db8:1:2::${count.toString(16)}`);
    expect(keys.isGuessing('2001:db8:1:2:aaaa:bbbb:cccc:dddd')).toBe(true);
    expect(keys.isGuessing('2001:db8:1:3::1')).toBe(false);
    expect(keys.isGuessing('::1')).toBe(false);
  });

  it('keeps the counts of the 10,000 most recent addresses only', () => {
    const keys = new WrongKeys(() => now);
    for (let count = 0; count < 20; count += 1) keys.refuse('192.0.2.1');
    for (let address = 0; address < 9_999; address += 1) keys.refuse(`10.0.${address >> 8}.${address & 255}`);
    expect(keys.isGuessing('192.0.2.1')).toBe(true);
    keys.refuse('203.0.113.1');
    expect(keys.isGuessing('192.0.2.1')).toBe(false);
  });
});
