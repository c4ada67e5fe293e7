import { AddressList, isAddressOrRange } from './address-list';

describe('AddressList', () => {
  const list = new AddressList(['10.0.0.0/8', '203.0.113.7', '2001:db8::/32', '::ffff:192.168.0.0/112']);

  it.each(['10.1.2.3', '::ffff:10.1.2.3', '203.0.113.7', '2001:db8:1::1', '192.168.255.255', '::ffff:c0a8:1'])(
    'contains %s',
    (address) => expect(list.has(address)).toBe(true),
  );

  it.each(['11.0.0.1', '203.0.113.8', '2001:db9::1', '192.169.0.1', '::1', 'localhost', ''])(
    'does not contain %s',
    (address) => expect(list.has(address)).toBe(false),
  );

  it('covers an entry only when one range contains all of its addresses', () => {
    expect(['10.2.0.0/16', '10.0.0.0/8', '203.0.113.7/32', '2001:db8:f::/48'].map((one) => list.covers(one))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['0.0.0.0/0', '203.0.113.0/24', '2001::/16', '::/0', 'x'].map((one) => list.covers(one))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each(['10.0.0.1', '10.0.0.0/0', '::1', '2001:db8::/128', '::ffff:10.0.0.0/104'])(
    'accepts %s as an address or range',
    (entry) => expect(isAddressOrRange(entry)).toBe(true),
  );

  it.each(['10.0.0.0/33', '::/129', '10.0.0', 'example.com', '', '10.0.0.1/', '::ffff:10.0.0.1/64', '1.2.3.4/-1'])(
    'rejects %s as an address or range',
    (entry) => expect(isAddressOrRange(entry)).toBe(false),
  );
});
