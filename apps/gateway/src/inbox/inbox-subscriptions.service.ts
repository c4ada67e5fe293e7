import { Injectable } from '@nestjs/common';
import {
  contextOfKey,
  type CreateInboxSubscriptionDto,
  DomainError,
  type InboxSubscriptionDto,
  type InboxSubscriptionPreferenceDto,
  type InboxSubscriptionQuery,
  type JsonObject,
  LIMITS,
  ListSubscriberSubscriptionsQuery,
  type NewSubscriptionPreferenceDto,
  type PatchTopicSubscriptionDto,
  type TopicSubscriptionDto,
} from '@clarion/contracts';
import {
  Database,
  PreferenceRepository,
  type SubscriptionChange,
  type SubscriptionRow,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { defaultIdentifier } from '../audience/topics/default-identifier';
import { SubscriptionPreferencesReader } from '../audience/topics/subscription-preferences';
import { TopicSubscriptionsService } from '../audience/topics/topic-subscriptions.service';
import { nameOf, notFound as workflowNotFound } from '../authoring/workflows/workflows.service';
import type { Inbox } from './inbox.service';

type PreferenceChange = NewSubscriptionPreferenceDto & { subscriptionIdentifier: string; workflowId: string };

@Injectable()
export class InboxSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly topics: TopicSubscriptionsService,
    private readonly subscriptions: TopicSubscriptionRepository,
    private readonly preferences: SubscriptionPreferencesReader,
    private readonly workflows: PreferenceRepository,
  ) {}

  async list(inbox: Inbox, topicKey: string): Promise<InboxSubscriptionDto[]> {
    const { subscriber, contextKeys } = inbox;
    const query = { ...new ListSubscriberSubscriptionsQuery(), key: topicKey, contextKeys, limit: 100 };
    const { data } = await this.topics.listOfSubscriber(inbox, subscriber.subscriberId, query);
    return data.map(toInboxSubscription);
  }

  /** Undefined when the subscriber has no such subscription. */
  async find(
    inbox: Inbox,
    topicKey: string,
    identifier: string,
    { workflowIds = [], tags = [] }: InboxSubscriptionQuery,
  ): Promise<InboxSubscriptionDto | undefined> {
    const row = await this.findRow(inbox, { topicKey, identifier });
    if (!row) return undefined;
    const found = await this.describe(inbox, row);
    if (workflowIds.length + tags.length === 0) return found;
    const isWanted = ({ workflow }: InboxSubscriptionPreferenceDto): boolean =>
      workflowIds.includes(workflow.identifier) ||
      workflowIds.includes(workflow.id) ||
      workflow.tags.some((tag) => tags.includes(tag));
    return { ...found, ...(found.preferences && { preferences: found.preferences.filter(isWanted) }) };
  }

  /** An existing subscription is returned unchanged. */
  async create(inbox: Inbox, topicKey: string, input: CreateInboxSubscriptionDto): Promise<InboxSubscriptionDto> {
    const { environmentId, subscriber, contextKeys } = inbox;
    const limit = LIMITS.inboxSubscriptions;
    if ((await this.subscriptions.countOfSubscriber(environmentId, subscriber.id, limit)) >= limit) {
      const existing = input.identifier ?? defaultIdentifier(topicKey, subscriber.subscriberId, contextKeys);
      const known = await this.find(inbox, topicKey, existing, {});
      if (known) return known;
      throw new DomainError('bad_request', `A subscriber can have ${limit} topic subscriptions`);
    }
    const { subscriberId } = subscriber;
    const { data } = await this.topics.subscribe(inbox, topicKey, {
      subscriptions: [{ subscriberId, ...givenIdentifier(inbox, topicKey, input.identifier), name: input.name }],
      name: input.topic?.name,
      preferences: input.preferences,
      ...(contextKeys.length > 0 && { context: contextOf(contextKeys) }),
    });
    return toInboxSubscription(data[0]!);
  }

  change(
    inbox: Inbox,
    topicKey: string,
    identifier: string,
    { name, preferences }: PatchTopicSubscriptionDto,
  ): Promise<InboxSubscriptionDto> {
    return this.database.transaction(async () => {
      const row = await this.lockRow(inbox, { topicKey, identifier });
      return this.update(inbox, row, { name, preferences: await this.preferences.read(inbox, preferences) });
    });
  }

  async end(inbox: Inbox, topicKey: string, identifier: string): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.lockRow(inbox, { topicKey, identifier });
      await this.subscriptions.deleteMany(inbox.environmentId, row.topicId, [{ identifier: row.identifier }]);
    });
  }

  /** Changes what subscriptions want of workflows, all or none, and returns the changed preferences in order. */
  changePreferences(inbox: Inbox, changes: PreferenceChange[]): Promise<InboxSubscriptionPreferenceDto[]> {
    return this.database.transaction(async () => {
      const changed: InboxSubscriptionPreferenceDto[] = [];
      const names = changes.map(({ workflowId }) => nameOf(workflowId));
      const workflows = await this.workflows.findWorkflows(inbox.environmentId, names);
      for (const [index, { subscriptionIdentifier: identifier, enabled, condition }] of changes.entries()) {
        const workflowId = workflows[index]?.id;
        if (workflowId === undefined) throw workflowNotFound(changes[index]!.workflowId);
        const row = await this.lockRow(inbox, { identifier });
        const preference = await this.preferences.read(inbox, [{ workflowId, enabled, condition }]);
        const updated = await this.update(inbox, row, { preferences: { ...row.preferences, ...preference } });
        changed.push(updated.preferences!.find(({ workflow }) => workflow.id === workflowId)!);
      }
      return changed;
    });
  }

  private async update(inbox: Inbox, row: SubscriptionRow, change: SubscriptionChange): Promise<InboxSubscriptionDto> {
    const { topicId, identifier } = row;
    const updated = await this.subscriptions.update(inbox.environmentId, topicId, identifier, change);
    return this.describe(inbox, updated!);
  }

  private findRow(inbox: Inbox, which: Named, isLocked = false): Promise<SubscriptionRow | undefined> {
    const { environmentId, subscriber } = inbox;
    const { identifier = which.identifier } = givenIdentifier(inbox, which.topicKey ?? '', which.identifier);
    return this.subscriptions.findOwn(environmentId, subscriber.id, { ...which, identifier }, isLocked);
  }

  private async lockRow(inbox: Inbox, which: Named): Promise<SubscriptionRow> {
    const row = await this.findRow(inbox, which, true);
    if (!row) throw new DomainError('not_found', `Subscription ${which.identifier} was not found`);
    return row;
  }

  private async describe(inbox: Inbox, row: SubscriptionRow): Promise<InboxSubscriptionDto> {
    const preferences = (await this.preferences.describe(inbox, [row])).get(row.id);
    return toInboxSubscription({ _id: row.id, identifier: row.identifier, name: row.name ?? undefined, preferences });
  }
}

type Named = { identifier: string; topicKey?: string };

/** Clients append the keys of contexts (`...:ctx_type:id`), which may be too long; it stands for the default. */
function givenIdentifier(
  { subscriber: { subscriberId }, contextKeys }: Inbox,
  topicKey: string,
  identifier: string | undefined,
): { identifier?: string } {
  if (!identifier) return {};
  const written = `tk_${topicKey}:si_${subscriberId}:ctx_${contextKeys.join()}`;
  return { identifier: identifier === written ? defaultIdentifier(topicKey, subscriberId, contextKeys) : identifier };
}

const contextOf = (contextKeys: string[]): JsonObject =>
  Object.fromEntries(contextKeys.map(contextOfKey).map(({ type, id }) => [type, id]));

/** Clients find a changed preference by the identifier of its subscription, which they call its id. */
function toInboxSubscription({
  _id,
  identifier,
  name,
  preferences,
}: Pick<TopicSubscriptionDto, '_id' | 'identifier' | 'name' | 'preferences'>): InboxSubscriptionDto {
  return {
    id: _id,
    identifier,
    ...(name !== undefined && { name }),
    ...(preferences && { preferences: preferences.map((each) => ({ ...each, subscriptionId: identifier })) }),
  };
}
