/**
 * Which addresses may be called. Only public internet addresses are allowed: a tenant's URL must not reach the
 * operator's network. Addresses in CLARION_EGRESS_ALLOW are allowed on any port. Cloud metadata services are allowed
 * only when their exact address is listed, because a wide range rarely means to include them.
 */
import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const HTTP_PORTS: ReadonlySet<number> = new Set([80, 443, 8443]);
const SMTP_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525]);
export type PortUse = 'http' | 'smtp';
const PORTS: Record<PortUse, ReadonlySet<number>> = { http: HTTP_PORTS, smtp: SMTP_PORTS };

const PRIVATE_IPV4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

/** In IPv6 only the global unicast range is public, without tunnels and documentation ranges. */
const PUBLIC_IPV6 = blockList(['2000::/3']);
const PRIVATE_IPV6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix] = range.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function familyOf(address: string): Family {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** An IPv4-mapped IPv6 address becomes the IPv4 address, which is the real destination. */
export function canonicalAddress(address: string): string {
  const plain = address.split('%', 1)[0]!;
  if (isIP(plain) !== 6) return plain;
  const short = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  return embeddedIpv4(short, MAPPED) ?? short;
}

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
/** IPv6 addresses that a gateway translates to the IPv4 address at their end or, for 6to4, at their beginning. */
const TRANSLATED = [
  /^(?:::|::ffff:0:|64:ff9b::|64:ff9b:1::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/,
  /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/,
];

function embeddedIpv4(address: string, form: RegExp): string | undefined {
  const [, high, low] = form.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return [high, low]
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

const isMetadata = (address: string): boolean =>
  METADATA.has(address) || TRANSLATED.some((form) => METADATA.has(embeddedIpv4(address, form) ?? ''));

function isPublic(address: string): boolean {
  return familyOf(address) === 'ipv4'
    ? !PRIVATE_IPV4.check(address, 'ipv4')
    : PUBLIC_IPV6.check(address, 'ipv6') && !PRIVATE_IPV6.check(address, 'ipv6');
}

/** Normalizes a host as URLs do: lower case, punycode, no brackets, no trailing dot. Undefined if it is not a host. */
export function canonicalHost(host: string): string | undefined {
  const bare = isIP(host) === 6 ? `[${host}]` : host;
  if ((bare === host && /[:/\\?#@\s]/.test(host)) || !URL.canParse(`http://${bare}`)) return undefined;
  const { hostname } = new URL(`http://${bare}`);
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

const CIDR = /^(.+)\/(\d{1,3})$/;

/** Why an entry of the allow-list is invalid, as the end of a sentence. */
export function allowEntryFault(entry: string): string | undefined {
  const [, address, prefix] = CIDR.exec(entry) ?? [];
  if (address === undefined) {
    return /^[^\s/:@*]+$|^\[?[0-9a-f:.]+\]?$/i.test(entry) && canonicalHost(entry.replace(/^\[|\]$/g, '')) !== undefined
      ? undefined
      : 'is neither a host name, nor an address, nor a CIDR range';
  }
  const version = isIP(address);
  if (version === 0) return 'has no IP address before the slash';
  return Number(prefix) <= (version === 4 ? 32 : 128) ? undefined : 'has a prefix that is too long';
}

export interface AddressPolicy {
  /** Whether the operator listed exactly this host name. */
  isListed(host: string): boolean;
  /** Whether a connection to this address, resolved from this host, may be opened. */
  allows(host: string, found: string, port: number, use: PortUse): boolean;
}

/** For endpoints that the operator set in CLARION_PROVIDER_URLS. */
export const EVERYTHING_ALLOWED: AddressPolicy = { isListed: () => true, allows: () => true };

/** Allows public addresses on the usual ports and everything that the operator listed. */
export class AddressRules implements AddressPolicy {
  private readonly names = new Set<string>();
  private readonly addresses = new Set<string>();
  private readonly ranges = new BlockList();

  constructor(allow: readonly string[]) {
    for (const entry of allow) {
      const [, base, prefix] = CIDR.exec(entry) ?? [];
      const whole = base !== undefined && Number(prefix) === (isIP(base) === 4 ? 32 : 128);
      if (base !== undefined && !whole) {
        this.ranges.addSubnet(base, Number(prefix), familyOf(base));
        continue;
      }
      const host = canonicalHost((base ?? entry).replace(/^\[|\]$/g, ''));
      if (host === undefined) throw new Error(`${entry} is no host, address or CIDR range`);
      if (isIP(host)) this.addresses.add(canonicalAddress(host));
      else this.names.add(host);
    }
  }

  isListed(host: string): boolean {
    return this.names.has(host);
  }

  /** Whether the operator listed this host, its address, or a range that contains it. */
  isKnown(host: string, found: string): boolean {
    const address = canonicalAddress(found);
    if (isIP(address) === 0) return false;
    if (this.addresses.has(address)) return true;
    if (isMetadata(address)) return false;
    return this.names.has(host) || this.ranges.check(address, familyOf(address));
  }

  allows(host: string, found: string, port: number, use: PortUse): boolean {
    const address = canonicalAddress(found);
    if (isIP(address) === 0) return false;
    if (this.isKnown(host, address)) return true;
    return !isMetadata(address) && PORTS[use].has(port) && isPublic(address);
  }
}

/** Allows only what the operator listed, no public addresses. */
export class ListedOnly implements AddressPolicy {
  constructor(private readonly rules: AddressRules) {}

  isListed(host: string): boolean {
    return this.rules.isListed(host);
  }

  allows(host: string, found: string): boolean {
    return this.rules.isKnown(host, found);
  }
}
