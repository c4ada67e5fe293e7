import { DomainError } from '@clarion/contracts';

/** Wrong keys that an address may send before it is asked to wait, and how soon one of them is forgotten. */
const FREE = 20;
const FORGET_ONE_MS = 5_000;
const LONGEST_WAIT_SECONDS = 60;
const ADDRESSES = 10_000;

type Record = { count: number; at: number };

/**
 * Counts wrong keys by the address that sends them. Past the free ones each costs a wait that doubles, told in `Retry-After`.
 * Only wrong keys are ever answered like that: a right key passes from any address, and what differs for an address that
 * guesses is that its keys are looked up together with others (see KeyDirectory), so that guessing costs the database little.
 */
export class WrongKeys {
  /** In the order of the last wrong key, so that the longest quiet address is the first to go. */
  private readonly addresses = new Map<string, Record>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  isGuessing(address: string): boolean {
    return this.countOf(groupOf(address)) >= FREE;
  }

  /** What a wrong key is answered. */
  refuse(address: string): DomainError {
    const group = groupOf(address);
    const count = this.countOf(group) + 1;
    this.addresses.delete(group);
    if (this.addresses.size >= ADDRESSES) this.addresses.delete(this.addresses.keys().next().value!);
    this.addresses.set(group, { count, at: this.now() });
    if (count <= FREE) return new DomainError('unauthorized', 'API Key not found');
    const seconds = Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(count - FREE - 1, 10));
    return new DomainError(
      'too_many_requests',
      'API Key not found, and too many wrong keys came from this address',
      {},
      { 'Retry-After': String(seconds) },
    );
  }

  private countOf(group: string): number {
    const record = this.addresses.get(group);
    if (!record) return 0;
    return Math.max(0, record.count - Math.floor((this.now() - record.at) / FORGET_ONE_MS));
  }
}

/** One subscriber of an internet provider has a whole /64 of IPv6 addresses. */
function groupOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
