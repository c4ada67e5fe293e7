import { DomainError } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { AddressList } from '@clarion/platform';

/** Compiled once for each time that an owner is read from the database. */
const lists = new WeakMap<KeyOwner, AddressList>();

/**
 * When and from where a key may be used. Checked on every request, because owners are remembered for a while: a key that
 * expires in that time is refused at its time.
 */
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
