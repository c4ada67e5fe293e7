import { DomainError, type EnvironmentId } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { AuditActor } from '../edge/audit-log/audit-log';
import type { Inbox } from '../inbox/inbox.service';
import { seesSecrets } from '../edge/http/disclosure';

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
  seesSecrets: !isMasked && seesSecrets(owner),
});

/** The subscriber that a request is about. A subscriber speaks only for itself. */
export function subscriberOf({ subscriber }: ChannelCaller, given: string | undefined): string | undefined {
  if (!subscriber) return given;
  if (given !== undefined && given !== subscriber.subscriberId) {
    throw new DomainError('forbidden', 'A subscriber may set up only its own channels');
  }
  return subscriber.subscriberId;
}

/** A caller with the token of an inbox session. It never sees tokens and webhook URLs. */
export const callerOfInbox = ({ organizationId, environmentId, subscriber, contextKeys }: Inbox): ChannelCaller => ({
  organizationId,
  environmentId,
  actor: 'person',
  seesSecrets: false,
  subscriber: { subscriberId: subscriber.subscriberId, contextKeys },
});

/** The contexts that a request of a subscriber is about: those of its session. Throws if it names others. */
export function contextsOf(own: string[], given: string[]): string[] {
  if (given.some((key) => !own.includes(key))) {
    throw new DomainError('forbidden', 'The session of the inbox does not have this context');
  }
  return own;
}
