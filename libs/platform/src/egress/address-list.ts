import { BlockList, isIP } from 'node:net';
import { canonicalAddress } from './address-rules';

type Range = { address: string; family: 'ipv4' | 'ipv6'; prefix: number };

const BITS = { ipv4: 32, ipv6: 128 } as const;
/** The fixed leading bits of an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96;

/** An IP address or CIDR range; undefined if neither. An IPv4-mapped range becomes one of IPv4. */
function parseRange(entry: string): Range | undefined {
  const [, text = '', digits] = /^([0-9a-f.:]{1,64})(?:\/(\d{1,3}))?$/i.exec(entry.trim()) ?? [];
  const version = isIP(text);
  if (version === 0) return undefined;
  const given = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = digits === undefined ? BITS[given] : Number(digits);
  if (prefix > BITS[given]) return undefined;
  const address = canonicalAddress(text);
  const isMapped = given === 'ipv6' && isIP(address) === 4;
  if (!isMapped) return { address, family: given, prefix };
  return prefix < MAPPED_BITS ? undefined : { address, family: 'ipv4', prefix: prefix - MAPPED_BITS };
}

export const isAddressOrRange = (entry: string): boolean => parseRange(entry) !== undefined;

/** A list of IP addresses and CIDR ranges of both families. The entries must satisfy `isAddressOrRange`. */
export class AddressList {
  private readonly ranges: Range[];
  private readonly list = new BlockList();

  constructor(entries: readonly string[]) {
    this.ranges = entries.map((entry) => {
      const range = parseRange(entry);
      if (!range) throw new Error(`${entry} is neither an IP address nor a CIDR range`);
      return range;
    });
    for (const { address, prefix, family } of this.ranges) this.list.addSubnet(address, prefix, family);
  }

  has(given: string): boolean {
    const address = canonicalAddress(given);
    const version = isIP(address);
    return version !== 0 && this.list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  /** Whether every address of the entry is in one of the ranges. */
  covers(entry: string): boolean {
    const wanted = parseRange(entry);
    return (
      wanted !== undefined &&
      this.ranges.some(
        (range) => range.prefix <= wanted.prefix && new AddressList([rangeText(range)]).has(wanted.address),
      )
    );
  }
}

const rangeText = ({ address, prefix }: Range): string => `${address}/${prefix}`;
