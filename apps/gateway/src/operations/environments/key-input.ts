import { LIMITS } from '@clarion/contracts';
import { isAddressOrRange } from '@clarion/platform';

/** ISO 8601 writes later years with a sign, which not all clients can read. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Checks the expiry of a new key. Returns the rule it breaks, as the end of a sentence, or undefined. */
export function expiryFault(text: string): string | undefined {
  const time = Date.parse(text);
  // A time without a zone would be read in the time zone of the server.
  if (!/(Z|[+-]\d\d:?\d\d)$/i.test(text) || Number.isNaN(time)) {
    return 'must be a time with a zone, such as 2030-01-31T12:00:00Z';
  }
  if (time > LAST_TIME) return 'must be before the year 10000';
  return time <= Date.now() ? 'must be in the future' : undefined;
}

/** Checks the addresses that a new key may be used from. Returns the rule they break, or undefined. */
export function addressesFault(entries: readonly string[]): string | undefined {
  if (entries.length === 0) return 'must not be empty';
  if (entries.length > LIMITS.keyAddresses) return `must not have more than ${LIMITS.keyAddresses} entries`;
  const wrong = entries.find((entry) => !isAddressOrRange(entry));
  return wrong === undefined ? undefined : `must hold IP addresses and CIDR ranges, which "${wrong}" is not`;
}
