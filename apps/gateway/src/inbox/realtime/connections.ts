import type { SubscriberRowId, TenantCounts } from '@clarion/contracts';
import type { Socket } from 'socket.io';
import type { InboxClaims } from '../../edge/auth/inbox-tokens';
import type { Position } from './position';

export type Connection = {
  socket: Socket;
  claims: InboxClaims;
  /** The contexts of the token as one text: messages of other contexts are not sent. */
  contexts: string;
  position: Position;
  /** It has to read what was written before it is sent more. */
  isBehind?: boolean;
};

/** Two lists of contexts are the same if this text is: they are sorted, and no key has a line break. */
export const contextsText = (keys: readonly string[] | null): string => [...(keys ?? [])].sort().join('\n');

export class Connections {
  private readonly bySubscriber = new Map<SubscriberRowId, Set<Connection>>();
  /** Gives the place of each connection back. */
  private readonly places = new Map<Connection, () => void>();

  constructor(readonly counts: TenantCounts) {}

  get size(): number {
    return this.places.size;
  }

  of(subscriberId: SubscriberRowId): Iterable<Connection> {
    return this.bySubscriber.get(subscriberId) ?? [];
  }

  countOf(subscriberId: SubscriberRowId): number {
    return this.bySubscriber.get(subscriberId)?.size ?? 0;
  }

  *all(): Iterable<Connection> {
    for (const connections of this.bySubscriber.values()) yield* connections;
  }

  /** Returns whether it is the first signed one of its subscriber. */
  add(connection: Connection): boolean {
    const { subscriberRowId, environmentId } = connection.claims;
    const own = this.bySubscriber.get(subscriberRowId) ?? new Set();
    this.bySubscriber.set(subscriberRowId, own.add(connection));
    this.places.set(connection, this.counts.take(environmentId));
    return isSigned(connection) && signedOf(own) === 1;
  }

  /** Returns whether it was the last signed one of its subscriber. */
  remove(connection: Connection): boolean {
    const { subscriberRowId } = connection.claims;
    const own = this.bySubscriber.get(subscriberRowId);
    if (!own?.delete(connection)) return false;
    if (own.size === 0) this.bySubscriber.delete(subscriberRowId);
    this.places.get(connection)!();
    this.places.delete(connection);
    return isSigned(connection) && signedOf(own) === 0;
  }
}

const isSigned = ({ claims }: Connection): boolean => Boolean(claims.signer);

const signedOf = (connections: Set<Connection>): number => [...connections].filter(isSigned).length;
