import { Injectable } from '@nestjs/common';
import {
  AcknowledgedDto,
  type CreateSubscriberDto,
  DomainError,
  groupBy,
  LIMITS,
  type PatchSubscriberDto,
  type SearchSubscribersQuery,
  SubscriberDto,
  type SubscriberListDto,
  type SubscriberUsageDto,
  pick,
} from '@clarion/contracts';
import {
  type KeyOwner,
  type Subscriber,
  SubscriberChannelRepository,
  SubscriberRepository,
  TopicSubscriptionRepository,
  type LeftOut,
} from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { cursorEnvelope } from '../../edge/http/page';
import { channelSettings } from './channel-settings';

@Injectable()
export class SubscribersService {
  constructor(
    private readonly subscribers: SubscriberRepository,
    private readonly channels: SubscriberChannelRepository,
    private readonly subscriptions: TopicSubscriptionRepository,
    private readonly secrets: SecretBox,
  ) {}

  async create(owner: KeyOwner, input: CreateSubscriberDto, failIfExists: boolean): Promise<SubscriberDto> {
    if (!failIfExists) return this.describe(owner, await this.subscribers.upsert(owner.environmentId, input));
    const inserted = await this.subscribers.insert(owner.environmentId, input);
    if (inserted) return this.describe(owner, inserted);
    const existing = await this.retrieve(owner, input.subscriberId);
    throw new DomainError('conflict', `Subscriber with id "${input.subscriberId}" already exists`, { ...existing });
  }

  async retrieve(owner: KeyOwner, subscriberId: string): Promise<SubscriberDto> {
    return this.describe(owner, found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId));
  }

  async patch(owner: KeyOwner, subscriberId: string, input: PatchSubscriberDto): Promise<SubscriberDto> {
    return this.describe(
      owner,
      found(await this.subscribers.update(owner.environmentId, subscriberId, input), subscriberId),
    );
  }

  async setOnline(owner: KeyOwner, subscriberId: string, isOnline: boolean): Promise<SubscriberDto> {
    return this.describe(
      owner,
      found(await this.subscribers.setOnline(owner.environmentId, subscriberId, isOnline), subscriberId),
    );
  }

  async delete(owner: KeyOwner, subscriberId: string): Promise<AcknowledgedDto> {
    const deleted = await this.subscribers.delete(owner.environmentId, subscriberId);
    if (!deleted) throw notFound(subscriberId);
    return { acknowledged: true, status: 'deleted' };
  }

  async usage(owner: KeyOwner, subscriberId: string): Promise<SubscriberUsageDto> {
    return found(await this.subscribers.usage(owner.environmentId, subscriberId), subscriberId);
  }

  async search(owner: KeyOwner, query: SearchSubscribersQuery & { offset?: number }): Promise<SubscriberListDto> {
    const { email, name, phone, subscriberId, search } = query;
    const filter = { email, name, phone, subscriberId, search };
    const result = await this.subscribers.search(owner.environmentId, filter, query);
    const described = await this.describeMany(owner, result.rows);
    return cursorEnvelope({ ...result, rows: described }, (item) => item);
  }

  async describe(owner: KeyOwner, subscriber: Subscriber): Promise<SubscriberDto> {
    const [described] = await this.describeMany(owner, [subscriber]);
    return described!;
  }

  /** Converts subscribers of which a page may have many. Those above the limit are without channels and topics. */
  async describeListed(owner: KeyOwner, subscribers: (Subscriber & Partial<LeftOut>)[]): Promise<SubscriberDto[]> {
    const described = await this.describeMany(owner, subscribers.slice(0, LIMITS.describedSubscribers));
    const others = subscribers.slice(LIMITS.describedSubscribers).map((row) => toSubscriberDto(owner, row));
    return [...described, ...others.map(withoutLargeSubscriberFields)];
  }

  private async describeMany(
    owner: KeyOwner,
    subscribers: (Subscriber & Partial<LeftOut>)[],
  ): Promise<SubscriberDto[]> {
    const ids = subscribers.map(({ id }) => id);
    const [rows, topics] = await Promise.all([
      this.channels.listFor(owner.environmentId, ids),
      this.subscriptions.topicKeysOf(owner.environmentId, ids, LIMITS.subscriberTopics + 1),
    ]);
    const channelsOf = groupBy(rows, (row) => row.subscriberId);
    return subscribers.map((subscriber) =>
      toSubscriberDto(
        owner,
        subscriber,
        channelsOf.get(subscriber.id)?.map((row) => channelSettings(owner, this.secrets, row)),
        topics.get(subscriber.id),
      ),
    );
  }
}

const LARGE_FIELDS = ['channels', 'topics', 'data', 'avatar'] as const;

export const largeSubscriberFields = (subscriber: SubscriberDto): unknown =>
  LARGE_FIELDS.map((field) => subscriber[field]);

/** The subscriber without what may be large, with a sign. */
export function withoutLargeSubscriberFields(subscriber: SubscriberDto): SubscriberDto {
  const { channels: _, topics: __, topicsCapped: ___, ...rest } = subscriber;
  return { ...rest, data: null, avatar: null, leftOut: [...LARGE_FIELDS] };
}

export function found<T>(subscriber: T | undefined, subscriberId: string): T {
  if (!subscriber) throw notFound(subscriberId);
  return subscriber;
}

const notFound = (subscriberId: string): DomainError =>
  new DomainError('not_found', `Subscriber ${subscriberId} was not found`);

function toSubscriberDto(
  owner: KeyOwner,
  row: Subscriber & Partial<LeftOut>,
  channels: SubscriberDto['channels'] = [],
  topics: string[] = [],
): SubscriberDto {
  return {
    _id: row.id,
    ...pick(row, 'subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data'),
    ...(row.leftOut && { leftOut: row.leftOut }),
    channels,
    topics: topics.slice(0, LIMITS.subscriberTopics),
    ...(topics.length > LIMITS.subscriberTopics && { topicsCapped: true }),
    isOnline: row.isOnline,
    lastOnlineAt: row.lastOnlineAt?.toISOString() ?? null,
    _organizationId: owner.organizationId,
    _environmentId: owner.environmentId,
    deleted: false,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    __v: row.version,
  };
}
