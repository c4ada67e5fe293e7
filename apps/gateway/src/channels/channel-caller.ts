import { DomainError, type EnvironmentId } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { AuditActor } from '../audit-log/audit-log';
import { scopeCovers } from '../http/route-policy';

/** Who asks for connections and endpoints: a program with an API key, or a subscriber in its inbox. */
export type ChannelCaller = {
  organizationId: string;
  environmentId: EnvironmentId;
  actor: AuditActor;
  /** Whether responses show tokens and webhook URLs in plain text. */
  seesSecrets: boolean;
  /** Set for a subscriber: it sees its connections and endpoints and the shared connections of its contexts. */
  subscriber?: { subscriberId: string; contextKeys: string[] };
};

/** `isMasked`: the operator shows no credentials in responses. */
export const callerWithKey = (owner: KeyOwner, isMasked: boolean): ChannelCaller => ({
  organizationId: owner.organizationId,
  environmentId: owner.environmentId,
  actor: owner,
  seesSecrets: !isMasked && scopeCovers(owner.scope, ['full']),
});

/** The subscriber that a request is about. A subscriber speaks only for itself. */
export function subscriberOf({ subscriber }: ChannelCaller, given: string | undefined): string | undefined {
  if (!subscriber) return given;
  if (given !== undefined && given !== subscriber.subscriberId) {
    throw new DomainError('forbidden', 'A subscriber may set up only its own channels');
  }
  return subscriber.subscriberId;
}

/** The contexts that a request is about. A subscriber has those of its session. */
export function contextsOf({ subscriber }: ChannelCaller, given: string[]): string[] {
  if (!subscriber) return given;
  const own = subscriber.contextKeys;
  if (given.some((key) => !own.includes(key))) {
    throw new DomainError('forbidden', 'The session of the inbox does not have this context');
  }
  return own;
}
