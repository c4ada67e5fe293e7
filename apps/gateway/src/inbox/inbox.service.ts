import { Injectable } from '@nestjs/common';
import {
  type ActionStatus,
  DomainError,
  type EnvironmentId,
  type InboxCountDto,
  type InboxFilterDto,
  type InboxListDto,
  type InboxQuery,
  invalidField,
  type JsonObject,
  LIMITS,
  type MessageMark,
} from '@clarion/contracts';
import {
  type ButtonResult,
  Database,
  databaseTime,
  EMPTY_PROFILE,
  type InboxFilter,
  type InboxMessage,
  InboxRepository,
  type Subscriber,
  SubscriberRepository,
} from '@clarion/persistence';
import { type RealtimeEvent, RealtimeRelay } from '@clarion/queue';
import { withoutNulls } from '../edge/http/page';
import { givenContexts } from '../edge/http/query-list';
import { found } from '../audience/subscribers/subscribers.service';
import { toInboxFilter } from './inbox-filters';
import { toInboxItem } from './inbox-item';

/** The in-app messages of one subscriber. With `contextKeys`, only those that were sent in exactly these contexts. */
export type InboxScope = { environmentId: EnvironmentId; subscriber: Subscriber; contextKeys?: string[] };

export type Inbox = InboxScope & {
  organizationId: string;
  contextKeys: string[];
  /** Whether a backend signed who the session belongs to. */
  isSigned: boolean;
};

/** An unsigned session sees nothing of the profile, in no response. */
export const inboxOf = (signer: string | null | undefined, inbox: Omit<Inbox, 'isSigned'>): Inbox =>
  signer ? { ...inbox, isSigned: true } : { ...inbox, subscriber: withoutProfile(inbox.subscriber), isSigned: false };

type ListedInbox = Omit<InboxQuery, 'tags'> & Pick<InboxFilterDto, 'tags'>;

const DAY = 24 * 3600 * 1000;

/** The operations on an inbox. Each change publishes a realtime event; open pages then read the new state. */
@Injectable()
export class InboxService {
  constructor(
    private readonly database: Database,
    private readonly messages: InboxRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly relay: RealtimeRelay,
  ) {}

  async open(environmentId: EnvironmentId, subscriberId: string, contextKeys?: string[]): Promise<InboxScope> {
    const subscriber = found(await this.subscribers.find(environmentId, subscriberId), subscriberId);
    return { environmentId, subscriber, contextKeys: givenContexts(contextKeys) };
  }

  async list(inbox: InboxScope, { limit, offset, after, ...given }: ListedInbox): Promise<InboxListDto> {
    const filter = inContextOf(inbox, toInboxFilter(given));
    const { rows, hasMore } = await this.messages.list(ownerOf(inbox), filter, { limit, offset, after });
    return { data: rows.map((row) => toInboxItem(row, inbox.subscriber)), hasMore, filter: echo(given) };
  }

  async count(inbox: InboxScope, filters: InboxFilterDto[], cap: number = LIMITS.inboxCount): Promise<InboxCountDto[]> {
    const wanted = filters.map((filter) => inContextOf(inbox, toInboxFilter(filter)));
    const counts = await this.messages.count(ownerOf(inbox), wanted, cap);
    return filters.map((filter, index) => ({ count: counts[index]!, filter: echo(filter) }));
  }

  async mark(inbox: InboxScope, messageId: string, mark: MessageMark): Promise<InboxMessage> {
    const [row] = await this.markSome(inbox, [messageId], mark);
    return row!;
  }

  /** Marks those of the messages that are in the inbox. Throws if there is none. */
  async markSome(inbox: InboxScope, messageIds: string[], mark: MessageMark): Promise<InboxMessage[]> {
    const rows = await this.messages.mark(ownerOf(inbox), inContextOf(inbox, { ids: messageIds }), mark);
    if (rows.length === 0) throw notFound(messageIds.join(', '));
    this.announce(
      inbox,
      'message.updated',
      rows.map(({ id }) => id),
    );
    return rows;
  }

  /** Marks all visible messages that match. Returns how many changed. */
  async markAll(inbox: InboxScope, filter: InboxFilter, mark: MessageMark): Promise<number> {
    const ids = await this.messages.markAll(ownerOf(inbox), inContextOf(inbox, filter), mark);
    this.announce(inbox, 'message.updated', ids);
    return ids.length;
  }

  async delete(inbox: InboxScope, messageId: string): Promise<void> {
    if ((await this.deleteAll(inbox, { ids: [messageId] })) === 0) throw notFound(messageId);
  }

  async deleteAll(inbox: InboxScope, filter: InboxFilter): Promise<number> {
    const ids = await this.messages.deleteAll(ownerOf(inbox), inContextOf(inbox, filter));
    this.announce(inbox, 'message.deleted', ids);
    return ids.length;
  }

  async snooze(inbox: InboxScope, messageId: string, snoozeUntil: string): Promise<InboxMessage> {
    const until = new Date(snoozeUntil);
    const fromNow = until.getTime() - (await databaseTime(this.database));
    // The negated condition also rejects an invalid date, whose time is NaN.
    if (!(fromNow > 0 && fromNow <= LIMITS.snoozeDays * DAY)) {
      const message = `snoozeUntil must be in the future, at most ${LIMITS.snoozeDays} days from now`;
      throw invalidField('snoozeUntil', message, snoozeUntil);
    }
    const row = await this.messages.snooze(ownerOf(inbox), inContextOf(inbox, { ids: [messageId] }), until);
    return this.changed(inbox, messageId, row);
  }

  /** A message that is not snoozed, for example because its snooze has just ended, is returned unchanged. */
  async unsnooze(inbox: InboxScope, messageId: string): Promise<InboxMessage> {
    const row = await this.messages.unsnooze(ownerOf(inbox), inContextOf(inbox, { ids: [messageId] }));
    return row ? this.changed(inbox, messageId, row) : this.find(inbox, messageId);
  }

  /** Records that the subscriber used a button (`done`), or reverts it (`pending`). */
  async act(inbox: InboxScope, messageId: string, status: ActionStatus, result: ButtonResult): Promise<InboxMessage> {
    const row = await this.messages.act(ownerOf(inbox), inContextOf(inbox, { ids: [messageId] }), status, result);
    if (row) return this.changed(inbox, messageId, row);
    await this.find(inbox, messageId);
    throw new DomainError('bad_request', `Notification ${messageId} has no ${result.type} action`);
  }

  private async find(inbox: InboxScope, messageId: string): Promise<InboxMessage> {
    const row = await this.messages.find(ownerOf(inbox), inContextOf(inbox, { ids: [messageId] }));
    if (!row) throw notFound(messageId);
    return row;
  }

  private changed(inbox: InboxScope, messageId: string, row: InboxMessage | undefined): InboxMessage {
    if (!row) throw notFound(messageId);
    this.announce(inbox, 'message.updated', [row.id]);
    return row;
  }

  /** The response does not wait for the event. A page that misses it sees the change at its next read. */
  private announce({ environmentId, subscriber }: InboxScope, kind: RealtimeEvent['kind'], messageIds: string[]): void {
    if (messageIds.length === 0) return;
    const event: RealtimeEvent = { v: 1, kind, environmentId, subscriberId: subscriber.id, messageIds };
    this.database.afterCommit(() => void this.relay.publish([event]));
  }
}

const withoutProfile = (subscriber: Subscriber): Subscriber => ({ ...subscriber, ...EMPTY_PROFILE });

const ownerOf = ({ environmentId, subscriber }: InboxScope) => ({ environmentId, subscriberId: subscriber.id });

const inContextOf = ({ contextKeys }: InboxScope, filter: InboxFilter): InboxFilter => ({
  ...filter,
  contextKeys: contextKeys ?? filter.contextKeys,
});

const echo = (filter: object): JsonObject => withoutNulls(filter) as JsonObject;

const notFound = (messageId: string): DomainError =>
  new DomainError('not_found', `Notification ${messageId} was not found`);
