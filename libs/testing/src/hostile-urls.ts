/**
 * URLs that point inside the network; none of them may open a connection. `${port}` is replaced by a port that listens
 * on loopback. Names are resolved by `hostileResolver`.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Egress, type EgressOptions } from '@clarion/platform/egress';

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.1.1.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.0.0.01',
  '00000177.1',
  '017700000001',
  '0',
  '0.0.0.0',
  '0x0',
  '0.0.0.1',
  '127.0.0.1.',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '127．0．0．1',
  '127｡0｡0｡1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[2001:0:0:0:0:0:80ff:fffe]',
  '[::1%25lo]',
  '[fe80::1%25eth0]',
  '[::ffff:0x7f.1]',
];

const PRIVATE_ADDRESSES = [
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '0xa000001',
  '012.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '169.254.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.1',
  '3232235521',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::ffff:10.0.0.1]',
  '[::ffff:192.168.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[100::1]',
  '[2001:db8::1]',
  '[2001:10::1]',
  '[3fff::1]',
  '[2002:a00:1::]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[ff05::1:3]',
  '[fe80::5efe:127.0.0.1]',
];

export const METADATA_HOSTS = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[::ffff:0:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[2002:a9fe:a9fe::1]',
  '[fd00:ec2::254]',
  '[fd00:ec2:0::254]',
  '[fd20:ce::254]',
  'metadata.hostile.test',
];

/** The answers of the injected name server. */
const HOSTILE_NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.hostile.test': ['127.0.0.1'],
  'localtest.me': ['127.0.0.1'],
  'loopback6.hostile.test': ['::1'],
  'mapped.hostile.test': ['::ffff:127.0.0.1'],
  'zero.hostile.test': ['0.0.0.0'],
  'private.hostile.test': ['10.1.2.3', '192.168.0.7', 'fd00::1'],
  'nat64.hostile.test': ['64:ff9b::7f00:1'],
  'metadata.hostile.test': ['169.254.169.254'],
  'garbage.hostile.test': ['not an address', '127.0.0.1/8'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.localdomain': ['127.0.0.1'],
  'ip6-localhost': ['::1'],
};
/** Resolves to another internal address each time. */
const REBINDING_NAME = 'rebinding.hostile.test';

/** A name server of an attacker: every name resolves to an internal address. */
export function hostileResolver(): (name: string) => Promise<string[]> {
  let asked = 0;
  return (name) => {
    if (name !== REBINDING_NAME) return Promise.resolve([...(HOSTILE_NAMES[name.replace(/\.$/, '')] ?? ['127.0.0.1'])]);
    asked += 1;
    return Promise.resolve(asked === 1 ? ['10.0.0.1', '127.0.0.1'] : ['127.0.0.1']);
  };
}

/** An egress that uses the attacker's name server. */
export function egressWithHostileNames(options: Omit<EgressOptions, 'resolvers'> = {}): Egress {
  const resolve = hostileResolver();
  return new Egress({ ...options, resolvers: { public: resolve, system: resolve } });
}

const OTHER_URLS = [
  'ftp://127.0.0.1:${port}/',
  'file:///etc/hostname',
  'gopher://127.0.0.1:${port}/_GET',
  'ws://127.0.0.1:${port}/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'http:/127.0.0.1:${port}/',
  'http:127.0.0.1:${port}/',
  'http:\\\\127.0.0.1:${port}\\',
  'HTTP://127.0.0.1:${port}/',
  ' http://127.0.0.1:${port}/ ',
  'ht\ntp://127.0.0.1:${port}/',
  'http://127.0.\t0.1:${port}/',
  'http://user@127.0.0.1:${port}/',
  'http://user:password@127.0.0.1:${port}/',
  'http://example.com@127.0.0.1:${port}/',
  'http://127.0.0.1:${port}@example.com/',
  'http://example.com:80@127.0.0.1:${port}/',
  'http://:secret@localhost:${port}/',
  'http://127.0.0.1:${port}#@example.com/',
  'http://127.0.0.1:${port}?@example.com/',
  'http://127.0.0.1:${port}\\@example.com/',
  '//127.0.0.1:${port}/',
  '127.0.0.1:${port}',
  '/etc/passwd',
  'http://',
  'http://[::1',
  'http://:${port}/',
  '',
  // Public addresses on ports that no API uses.
  'http://93.184.215.14:22/',
  'http://93.184.215.14:25/',
  'http://93.184.215.14:6379/',
  'https://93.184.215.14:5432/',
];

const atListeners = (host: string): string[] => [`http://${host}:\${port}/`, `https://${host}:\${port}/x?y=1`];
/** On a usual port, so that only the address can be the reason for the refusal. */
const atUsualPorts = (host: string): string[] => [`http://${host}/`, `https://${host}/`, `https://${host}:8443/`];

export const HOSTILE_URLS: ReadonlySet<string> = new Set([
  ...[...LOOPBACK_SPELLINGS, ...Object.keys(HOSTILE_NAMES), REBINDING_NAME].flatMap(atListeners),
  ...[...LOOPBACK_SPELLINGS, ...PRIVATE_ADDRESSES, ...METADATA_HOSTS, ...Object.keys(HOSTILE_NAMES)].flatMap(
    atUsualPorts,
  ),
  ...OTHER_URLS,
]);

/** The same for places that want a host and no URL. */
export const HOSTILE_HOSTS: ReadonlySet<string> = new Set(
  [
    ...LOOPBACK_SPELLINGS,
    ...PRIVATE_ADDRESSES,
    ...METADATA_HOSTS,
    ...Object.keys(HOSTILE_NAMES),
    REBINDING_NAME,
  ].flatMap((host) => (host.startsWith('[') ? [host, host.slice(1, -1)] : [host])),
);

export type Listener = { readonly host: string; readonly port: number; seen(): number; close(): Promise<void> };

/** A socket that only counts who knocks. */
export async function startListener(host: string, at = 0): Promise<Listener> {
  let seen = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    seen += 1;
    sockets.add(socket);
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, host, resolve);
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    seen: () => seen,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
