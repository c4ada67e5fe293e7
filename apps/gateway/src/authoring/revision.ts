import { createHash } from 'node:crypto';
import { canonicalJson, DomainError, type Json } from '@clarion/contracts';

/** A digest of what authors write. Times and what follows from the content are no part of it. */
export const revisionOf = (content: Json): string =>
  createHash('sha256').update(canonicalJson(content)).digest('base64url');

/** Two editors would overwrite each other: a replacement names the revision that it was made from. */
export function refuseOtherRevision(given: string | undefined, now: string, name: string): void {
  if (given === undefined || given === now) return;
  throw new DomainError('conflict', `${name} was changed meanwhile; nothing was written. Try again`);
}
