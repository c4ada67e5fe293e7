import { Injectable } from '@nestjs/common';
import {
  AcknowledgedDto,
  BulkSubscribersResultDto,
  CreateSubscriberDto,
  DomainError,
  LIMITS,
  type FailedSubscriberDto,
  type PatchSubscriberDto,
  type SearchSubscribersQuery,
  SubscriberDto,
  type SubscriberListDto,
} from '@clarion/contracts';
import {
  type KeyOwner,
  ORDER_COLUMNS,
  type Subscriber,
  SubscriberChannelRepository,
  SubscriberRepository,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { checkElement, FaultBudget } from '../http/check-element';
import { UnfitElement } from '../http/json-body';
import { cursorEnvelope } from '../http/page';
import { oneCursor } from '../http/one-cursor';
import { inputReport } from '../http/unknown-input';
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

  async createBulk(owner: KeyOwner, elements: unknown[]): Promise<BulkSubscribersResultDto> {
    const inputs: CreateSubscriberDto[] = [];
    const failed: FailedSubscriberDto[] = [];
    const budget = new FaultBudget();
    const report = inputReport();
    for (const [index, element] of elements.entries()) {
      const checked = checkElement(CreateSubscriberDto, element, budget);
      if (checked.unknown) report?.add(checked.unknown, `subscribers.${index}.`);
      if (checked.valid) inputs.push(checked.value);
      else failed.push({ message: checked.message, ...subscriberIdOf(element) });
    }
    report?.settle();
    const rows = await this.subscribers.upsertMany(owner.environmentId, inputs);
    const ids = (created: boolean) =>
      rows.filter((row) => row.created === created).map(({ subscriberId }) => ({ subscriberId }));
    return { created: ids(true), updated: ids(false), failed };
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

  async search(owner: KeyOwner, query: SearchSubscribersQuery): Promise<SubscriberListDto> {
    oneCursor(query);
    const { email, name, phone, subscriberId } = query;
    const page = { ...query, orderBy: ORDER_COLUMNS[query.orderBy] };
    const result = await this.subscribers.search(owner.environmentId, { email, name, phone, subscriberId }, page);
    const described = await this.describeMany(owner, result.rows);
    return cursorEnvelope({ ...result, rows: described }, (item) => item);
  }

  /** The whole subscriber as the interface shows it. */
  async describe(owner: KeyOwner, subscriber: Subscriber): Promise<SubscriberDto> {
    const [described] = await this.describeMany(owner, [subscriber]);
    return described!;
  }

  private async describeMany(owner: KeyOwner, subscribers: Subscriber[]): Promise<SubscriberDto[]> {
    const ids = subscribers.map(({ id }) => id);
    const [rows, topics] = await Promise.all([
      this.channels.listFor(owner.environmentId, ids),
      this.subscriptions.topicKeysOf(owner.environmentId, ids, LIMITS.subscriberTopics),
    ]);
    return subscribers.map((subscriber) =>
      toSubscriberDto(
        owner,
        subscriber,
        rows.filter((row) => row.subscriberId === subscriber.id).map((row) => channelSettings(this.secrets, row)),
        topics.get(subscriber.id),
      ),
    );
  }
}

export function found<T>(subscriber: T | undefined, subscriberId: string): T {
  if (!subscriber) throw notFound(subscriberId);
  return subscriber;
}

const notFound = (subscriberId: string): DomainError =>
  new DomainError('not_found', `Subscriber ${subscriberId} was not found`);

function subscriberIdOf(element: unknown): { subscriberId?: string } {
  if (element instanceof UnfitElement) return element.id === undefined ? {} : { subscriberId: element.id };
  const id =
    typeof element === 'object' && element !== null && 'subscriberId' in element ? element.subscriberId : undefined;
  return typeof id === 'string' ? { subscriberId: id } : {};
}

export function toSubscriberDto(
  owner: KeyOwner,
  row: Subscriber,
  channels: SubscriberDto['channels'] = [],
  topics: string[] = [],
): SubscriberDto {
  return {
    _id: row.id,
    subscriberId: row.subscriberId,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    phone: row.phone,
    avatar: row.avatar,
    locale: row.locale,
    timezone: row.timezone,
    data: row.data,
    channels,
    topics,
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
