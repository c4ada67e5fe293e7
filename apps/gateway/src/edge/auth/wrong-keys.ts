import { DomainError, retryLater } from '@clarion/contracts';

/** Wrong keys that an address may send before it has to wait. */
const FREE = 20;
/** The count of an address falls by one in this time. */
const FORGET_ONE_MS = 5_000;
const LONGEST_WAIT_SECONDS = 60;
const ADDRESSES = 10_000;

type WrongKeyCount = { count: number; at: number };

/**
 * Counts wrong API keys per address. After 20 of them, each further wrong key gets a 429 with a `Retry-After` that
 * doubles. A valid key is accepted from any address at any time. The only difference for an address that guesses is
 * that its lookups are batched (see KeyDirectory), so guessing costs the database little.
 */
export class WrongKeys {
  /** Ordered by the time of the last wrong key, so that the least recent address is evicted first. */
  private readonly addresses = new Map<string, WrongKeyCount>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  isGuessing(address: string): boolean {
    return this.countOf(addressGroup(address)) >= FREE;
  }

  /** Counts a wrong key, or another wrong secret, and returns the error to answer it with. */
  refuse(address: string, message = 'API Key not found'): DomainError {
    const group = addressGroup(address);
    const count = this.countOf(group) + 1;
    this.addresses.delete(group);
    if (this.addresses.size >= ADDRESSES) this.addresses.delete(this.addresses.keys().next().value!);
    this.addresses.set(group, { count, at: this.now() });
    if (count <= FREE) return new DomainError('unauthorized', message);
    const seconds = Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(count - FREE - 1, 10));
    return retryLater('too_many_requests', `${message}, and too many wrong keys came from this address`, seconds);
  }

  private countOf(group: string): number {
    const record = this.addresses.get(group);
    if (!record) return 0;
    return Math.max(0, record.count - Math.floor((this.now() - record.at) / FORGET_ONE_MS));
  }
}

/** IPv6 addresses are counted per /64 network, because an internet provider gives each customer a whole /64. */
export function addressGroup(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
