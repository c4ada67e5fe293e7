import { DomainError } from '@clarion/contracts';
import type { KeyOwner, KeyRights } from '@clarion/persistence';
import { AddressList } from '@clarion/platform';
import { scopeCovers } from '../http/route-policy';

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

/** A key manages only keys with no more rights than its own. `verb` says what it wants, such as `revoke a key`. */
export function checkCovers(owner: KeyOwner, key: KeyRights, verb: string): void {
  const refuse = (own: string, other: string): never => {
    throw new DomainError('forbidden', `This API key ${own} and may not ${verb} ${other}`);
  };
  if (!scopeCovers(owner.scope, [key.scope])) refuse(`has the scope "${owner.scope}"`, `of the scope "${key.scope}"`);
  if (owner.expiresAt !== null && (key.expiresAt === null || key.expiresAt > owner.expiresAt)) {
    refuse(`expires at ${owner.expiresAt.toISOString()}`, 'that outlives it');
  }
  if (owner.allowedAddresses === null) return;
  const own = new AddressList(owner.allowedAddresses);
  if (key.allowedAddresses === null) refuse('has a list of addresses', 'that may be used from any address');
  const beyond = key.allowedAddresses?.find((entry) => !own.covers(entry));
  if (beyond !== undefined) refuse('has a list of addresses', `for the address ${beyond}`);
}
