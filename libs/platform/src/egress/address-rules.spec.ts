import { AddressRules, allowEntryFault, canonicalAddress, canonicalHost } from './address-rules';

const allows = (allow: string[], address: string, port = 443, host = 'some.example'): boolean =>
  new AddressRules(allow).allows(host, address, port, 'http');

describe('AddressRules', () => {
  it.each([
    '1.1.1.1',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.0',
    '100.128.0.0',
    '223.255.255.255',
    '2606:4700::1',
  ])('allows the public address %s', (address) => expect(allows([], address)).toBe(true));

  it.each([
    '127.0.0.1',
    '10.1.1.1',
    '168.63.129.16',
    '::ffff:10.0.0.1',
    '::1',
    'fe80::1%eth0',
    '64:ff9b::101:101',
    'no address',
  ])('blocks the address %s, which is not public', (address) => expect(allows([], address)).toBe(false));

  it('allows public addresses only on the ports of their protocol', () => {
    const rules = new AddressRules([]);
    const open = (use: 'http' | 'smtp'): number[] =>
      [22, 25, 80, 443, 465, 587, 2525, 3000, 8080, 8443].filter((port) =>
        rules.allows('a.example', '1.1.1.1', port, use),
      );
    expect(open('http')).toEqual([80, 443, 8443]);
    expect(open('smtp')).toEqual([25, 465, 587, 2525]);
  });

  it('allows listed addresses on every port in every notation', () => {
    expect(allows(['127.0.0.1'], '::ffff:7f00:1', 9000)).toBe(true);
    expect(allows(['::ffff:127.0.0.1'], '127.0.0.1', 9000)).toBe(true);
    expect(allows(['10.0.0.0/8'], '10.9.8.7', 9000)).toBe(true);
    expect(allows(['10.0.0.0/8'], '11.0.0.1', 9000)).toBe(false);
    expect(allows(['fd00::/8'], 'fd12::1', 9000)).toBe(true);
    expect(allows(['[::1]'], '::1', 9000)).toBe(true);
  });

  it('allows the addresses of a listed name under that name only', () => {
    expect(allows(['Mail.Example.'], '10.0.0.1', 25, 'mail.example')).toBe(true);
    expect(allows(['mail.example'], '10.0.0.1', 25, 'other.example')).toBe(false);
    expect(allows(['mail.example'], '10.0.0.1', 25, 'sub.mail.example')).toBe(false);
  });

  it.each(['169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254', '168.63.129.16'])(
    'allows the metadata service %s only when its exact address is listed',
    (address) => {
      expect(allows(['0.0.0.0/0', '::/0', 'some.example'], address)).toBe(false);
      expect(allows([canonicalAddress(address)], address, 80)).toBe(true);
    },
  );

  it('treats a range of one address as that address', () => {
    expect(allows(['169.254.169.254/32'], '169.254.169.254', 80)).toBe(true);
  });
});

describe('canonicalHost', () => {
  it.each([
    ['EXAMPLE.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['0x7f.1', '127.0.0.1'],
    ['::FFFF:127.0.0.1', '::ffff:7f00:1'],
  ])('normalizes %s', (given, canonical) => expect(canonicalHost(given)).toBe(canonical));

  it.each(['', 'a b', 'a/b', 'a:80', 'u@h', 'a?b', 'a\\b', '[::1'])('rejects %p', (given) =>
    expect(canonicalHost(given)).toBeUndefined(),
  );
});

describe('allowEntryFault', () => {
  it.each(['10.0.0.0/8', '::1', '[::1]', 'fd00::/8', 'mattermost', 'chat.example.com', '127.0.0.1'])(
    'accepts the entry %s',
    (entry) => expect(allowEntryFault(entry)).toBeUndefined(),
  );

  it.each(['10.0.0.0/33', 'fd00::/129', 'host/8', 'http://x', 'host:80', '*.example.com', 'a b', '::g', '1.2.3.4.5/8'])(
    'rejects the entry %s',
    (entry) => expect(allowEntryFault(entry)).toEqual(expect.any(String)),
  );
});
