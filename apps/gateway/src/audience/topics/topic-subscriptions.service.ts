import { Injectable } from '@nestjs/common';
import {
  contextEntries,
  contextKey,
  type CreateTopicSubscriptionsDto,
  type DeleteTopicSubscriptionsDto,
  DomainError,
  invalidField,
  LIMITS,
  type ListSubscriberSubscriptionsQuery,
  type ListTopicSubscriptionsQuery,
  type NewTopicSubscriptionDto,
  type PatchTopicSubscriptionDto,
  type SubscriptionErrorCode,
  type SubscriptionErrorDto,
  type TopicSubscriberDto,
  type TopicSubscriptionDetailsDto,
  type TopicSubscriptionDto,
  type TopicSubscriptionListDto,
  type TopicSubscriptionsResultDto,
  pick,
} from '@clarion/contracts';
import {
  ContextRepository,
  Database,
  type KeyOwner,
  SubscriberRepository,
  type SubscriptionRow,
  type SubscriptionSelector,
  type Topic,
  TopicRepository,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { contextFault } from '../contexts/context-fault';
import { cursorEnvelope } from '../../edge/http/page';
import { givenContexts } from '../../edge/http/query-list';
import { found } from '../subscribers/subscribers.service';
import { defaultIdentifier } from './default-identifier';
import { SubscriptionPreferencesReader } from './subscription-preferences';
import { checkTopicKey, foundTopic, toTopicDto } from './topics.service';

/** The environment that the work is for; the caller is a backend with a key, or a subscriber in its inbox. */
type OfEnvironment = Pick<KeyOwner, 'environmentId'>;

@Injectable()
export class TopicSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly topics: TopicRepository,
    private readonly subscriptions: TopicSubscriptionRepository,
    private readonly subscribers: SubscriberRepository,
    private readonly contexts: ContextRepository,
    private readonly preferences: SubscriptionPreferencesReader,
  ) {}

  /** An existing subscription is returned unchanged. If no subscriber could be subscribed, the topic is not created. */
  subscribe(
    owner: OfEnvironment,
    key: string,
    input: CreateTopicSubscriptionsDto,
  ): Promise<TopicSubscriptionsResultDto> {
    checkTopicKey('topicKey', key);
    const fault = contextFault(input.context);
    if (fault) throw new DomainError('unprocessable', 'Validation Error', { errors: fault });
    const contexts = contextEntries(input.context ?? {});
    const contextKeys = contexts.map(contextKey);
    const elements = elementsOf(input);
    return this.database.transaction(async () => {
      const preferences = await this.preferences.read(owner, input.preferences);
      const wanted = distinct(
        elements.map(({ subscriberId, identifier, name }) => ({
          subscriberId,
          identifier: identifier ?? defaultIdentifier(key, subscriberId, contextKeys),
          name,
          contextKeys,
          preferences,
        })),
      );
      const topic = await this.topics.hold(owner.environmentId, { key, name: input.name });
      const rows = await this.subscriptions.insertMany(owner.environmentId, topic.id, wanted);
      const byIdentifier = new Map(rows.map((row) => [row.identifier, row]));
      const data: SubscriptionRow[] = [];
      const errors: SubscriptionErrorDto[] = [];
      for (const element of wanted) {
        const row = byIdentifier.get(element.identifier);
        if (row?.externalSubscriberId === element.subscriberId) data.push(row);
        else errors.push(failure(element, row ? 'IDENTIFIER_TAKEN' : 'SUBSCRIBER_NOT_FOUND'));
      }
      const result = await this.resultOf(owner, wanted.length, data, errors);
      if (data.length === 0) throw new DomainError('bad_request', 'None of them could be subscribed', { ...result });
      await this.contexts.ensureMany(
        contexts.map(({ type, id, data: about }) => ({
          environmentId: owner.environmentId,
          type,
          contextId: id,
          data: about,
        })),
      );
      return result;
    });
  }

  unsubscribe(
    owner: OfEnvironment,
    key: string,
    input: DeleteTopicSubscriptionsDto,
  ): Promise<TopicSubscriptionsResultDto> {
    const selectors = distinct<SubscriptionSelector>(elementsOf(input));
    if (selectors.some(({ subscriberId, identifier }) => subscriberId === undefined && identifier === undefined)) {
      throw invalidField('subscriptions', 'each value in subscriptions must have a subscriberId or an identifier');
    }
    return this.database.transaction(async () => {
      const topic = await this.topicOf(owner, key);
      const ended = await this.subscriptions.deleteMany(owner.environmentId, topic.id, selectors);
      const failed = selectors.filter((selector) => !ended.some((row) => isSelected(row, selector)));
      const known = await this.subscribers.findMany(
        owner.environmentId,
        failed.flatMap(({ subscriberId }) => subscriberId ?? []),
      );
      const errors = failed.map((selector) => {
        const exists =
          selector.subscriberId === undefined ||
          known.some(({ subscriberId }) => subscriberId === selector.subscriberId);
        return failure(selector, exists ? 'SUBSCRIPTION_NOT_FOUND' : 'SUBSCRIBER_NOT_FOUND');
      });
      return this.resultOf(owner, selectors.length, ended, errors);
    });
  }

  async retrieve(owner: KeyOwner, key: string, identifier: string): Promise<TopicSubscriptionDetailsDto> {
    const topic = await this.topicOf(owner, key);
    const row = await this.subscriptions.find(owner.environmentId, topic.id, identifier);
    if (!row) throw notFound(key, identifier);
    const [described] = await this.describe(owner, [row]);
    return { id: row.id, ...described! };
  }

  async patch(
    owner: KeyOwner,
    key: string,
    identifier: string,
    input: PatchTopicSubscriptionDto,
  ): Promise<TopicSubscriptionDto> {
    const preferences = await this.preferences.read(owner, input.preferences);
    const topic = await this.topicOf(owner, key);
    const change = { name: input.name, preferences };
    const row = await this.subscriptions.update(owner.environmentId, topic.id, identifier, change);
    if (!row) throw notFound(key, identifier);
    const [described] = await this.describe(owner, [row]);
    return described!;
  }

  async check(owner: KeyOwner, key: string, subscriberId: string): Promise<TopicSubscriberDto> {
    const topic = await this.topicOf(owner, key);
    const row = await this.subscriptions.findAny(owner.environmentId, topic.id, subscriberId);
    if (!row) throw new DomainError('not_found', `Subscriber ${subscriberId} is not subscribed to topic ${key}`);
    return {
      _organizationId: owner.organizationId,
      _environmentId: owner.environmentId,
      _subscriberId: row.subscriberId,
      _topicId: row.topicId,
      topicKey: key,
      externalSubscriberId: subscriberId,
    };
  }

  async listOfTopic(
    owner: KeyOwner,
    key: string,
    query: ListTopicSubscriptionsQuery,
  ): Promise<TopicSubscriptionListDto> {
    const topic = await this.topicOf(owner, key);
    const filter = { subscriberId: query.subscriberId, contextKeys: givenContexts(query.contextKeys) };
    const result = await this.subscriptions.listOfTopic(owner.environmentId, topic.id, filter, query);
    return cursorEnvelope({ ...result, rows: await this.describe(owner, result.rows) }, (item) => item);
  }

  async listOfSubscriber(
    owner: OfEnvironment,
    subscriberId: string,
    query: ListSubscriberSubscriptionsQuery,
  ): Promise<TopicSubscriptionListDto> {
    const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
    const filter = { key: query.key, contextKeys: givenContexts(query.contextKeys) };
    const result = await this.subscriptions.listOfSubscriber(owner.environmentId, subscriber.id, filter, query);
    return cursorEnvelope({ ...result, rows: await this.describe(owner, result.rows) }, (item) => item);
  }

  private async resultOf(
    owner: OfEnvironment,
    totalCount: number,
    rows: SubscriptionRow[],
    errors: SubscriptionErrorDto[],
  ): Promise<TopicSubscriptionsResultDto> {
    return {
      data: await this.describe(owner, rows),
      meta: { totalCount, successful: totalCount - errors.length, failed: errors.length },
      ...(errors.length > 0 && { errors }),
    };
  }

  private async describe(owner: OfEnvironment, rows: SubscriptionRow[]): Promise<TopicSubscriptionDto[]> {
    const preferences = await this.preferences.describe(owner, rows);
    return rows.map((row) => toSubscriptionDto(row, preferences.get(row.id)));
  }

  private async topicOf(owner: OfEnvironment, key: string): Promise<Topic> {
    return foundTopic(await this.topics.find(owner.environmentId, key), key);
  }
}

const notFound = (key: string, identifier: string): DomainError =>
  new DomainError('not_found', `Subscription ${identifier} to topic ${key} was not found`);

/** Callers may list subscriptions, plain subscriber ids, or both. */
function elementsOf<T extends SubscriptionSelector>(input: {
  subscriptions?: T[];
  subscriberIds?: string[];
}): (T | NewTopicSubscriptionDto)[] {
  const elements = [
    ...(input.subscriptions ?? []),
    ...(input.subscriberIds ?? []).map((subscriberId) => ({ subscriberId })),
  ];
  if (elements.length === 0 || elements.length > LIMITS.topicSubscriptions) {
    throw invalidField('subscriptions', `subscriptions must hold between 1 and ${LIMITS.topicSubscriptions} elements`);
  }
  return elements;
}

function distinct<T extends SubscriptionSelector>(elements: T[]): T[] {
  const byNames = elements.map(
    (element) => [JSON.stringify([element.subscriberId, element.identifier]), element] as const,
  );
  return [...new Map(byNames).values()];
}

const isSelected = (row: SubscriptionRow, { subscriberId, identifier }: SubscriptionSelector): boolean =>
  (subscriberId ?? row.externalSubscriberId) === row.externalSubscriberId &&
  (identifier ?? row.identifier) === row.identifier;

const FAILURES: Record<SubscriptionErrorCode, (element: SubscriptionSelector) => string> = {
  SUBSCRIBER_NOT_FOUND: ({ subscriberId }) => `Subscriber ${subscriberId} was not found`,
  SUBSCRIPTION_NOT_FOUND: ({ subscriberId, identifier }) =>
    identifier === undefined
      ? `Subscriber ${subscriberId} is not subscribed to this topic`
      : `Subscription ${identifier} was not found`,
  IDENTIFIER_TAKEN: ({ identifier }) => `Identifier ${identifier} belongs to the subscription of another subscriber`,
};

function failure(element: SubscriptionSelector, code: SubscriptionErrorCode): SubscriptionErrorDto {
  return {
    subscriberId: element.subscriberId ?? element.identifier ?? '',
    code,
    message: FAILURES[code](element),
  };
}

function toSubscriptionDto(
  row: SubscriptionRow,
  preferences: TopicSubscriptionDto['preferences'],
): TopicSubscriptionDto {
  return {
    _id: row.id,
    identifier: row.identifier,
    ...(row.name !== null && { name: row.name }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    topic: toTopicDto({
      id: row.topicId,
      key: row.topicKey,
      name: row.topicName,
      createdAt: row.topicCreatedAt,
      updatedAt: row.topicUpdatedAt,
    }),
    subscriber: {
      _id: row.subscriberId,
      subscriberId: row.externalSubscriberId,
      ...pick(row, 'avatar', 'firstName', 'lastName', 'email'),
    },
    ...(row.contextKeys.length > 0 && { contextKeys: row.contextKeys }),
    ...(preferences && { preferences }),
  };
}
