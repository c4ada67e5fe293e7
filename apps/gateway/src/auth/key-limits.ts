import { DomainError } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { AddressList } from '@clarion/platform';

/** Address lists are compiled once per owner object, that is once per read from the database. */
const lists = new WeakMap<KeyOwner, AddressList>();

/** Checks the expiry and the allowed addresses of a key. Runs on every request: a key may expire while it is cached. */
export function checkKeyLimits(owner: KeyOwner, address: string): void {
  const { expiresAt, allowedAddresses } = owner;
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw new DomainError('unauthorized', 'API Key expired');
  }
  if (allowedAddresses === null) return;
  let list = lists.get(owner);
  if (!list) lists.set(owner, (list = new AddressList(allowedAddresses)));
  if (list.has(address)) return;
  throw new DomainError('forbidden', `This API key may not be used from the address ${address}`);
}
