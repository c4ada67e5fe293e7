import {
  contextEntries,
  CreateTopicDto,
  DomainError,
  isJsonObject,
  isPathSegment,
  isTopicKey,
  type Json,
  type JsonObject,
  NewTopicSubscriptionDto,
  NewSubscriptionPreferenceDto,
  type SubscriptionPreferences,
  isSameJson,
} from '@clarion/contracts';
import type {
  ContextRepository,
  NewSubscription,
  SubscriptionRow,
  TopicInput,
  TopicRepository,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { contextFault } from '../../audience/contexts/context-fault';
import { readDto } from '../../edge/http/compiled-dto';
import { defaultIdentifier } from '../../audience/topics/default-identifier';
import type { SubscriptionPreferencesReader } from '../../audience/topics/subscription-preferences';
import {
  type Commit,
  contentFault,
  faultText,
  given,
  type ImportContext,
  type ImportedKind,
  reasonOf,
  shownText,
  Tally,
  textIn,
} from './import-kind';
import type { Batch } from './import-progress';
import { isLocal, segmentOf, SourceError } from './source-client';
import { SourceLists } from './source-lists';

const BATCH = 500;
const TOPICS = '/v2/topics';

export class ImportedTopics implements ImportedKind<JsonObject> {
  readonly name = 'topics';
  private readonly lists = new SourceLists(this.context.client);

  constructor(
    private readonly context: ImportContext,
    private readonly topics: TopicRepository,
  ) {}

  read(cursor: Json): Promise<Batch<JsonObject>> {
    return this.lists.byCursor(TOPICS, cursor, BATCH);
  }

  async write(items: JsonObject[], commit: Commit): Promise<void> {
    const { database, environment } = this.context;
    await database.transaction(async () => {
      const tally = new Tally(this.name);
      const inputs = new Map<string, TopicInput>();
      for (const item of items) {
        const key = textIn(item, 'key') ?? '';
        const topic = given(item, ['key', 'name']);
        const read = readDto(CreateTopicDto, topic);
        const fault =
          contentFault(topic) ?? ('errors' in read ? faultText(read.errors) : isTopicKey(key) ? undefined : BAD_KEY);
        if (fault !== undefined) tally.skip(key, fault);
        else inputs.set(key, (read as { value: CreateTopicDto }).value);
      }
      const changed = await this.topics.saveMany(environment.id, [...inputs.values()]);
      tally.created = changed.filter(({ created }) => created).length;
      tally.updated = changed.length - tally.created;
      tally.unchanged = items.length - changed.length - tally.skipped;
      await commit(tally.outcome);
    });
  }
}

const BAD_KEY = 'a key has letters, digits, hyphens, underscores and colons, or is an email address';

/** Without an item, the list of the topic could not be read. */
type SourceSubscription = { topicKey: string; item: JsonObject } | { topicKey: string; fault: string };

/** Where the walk is: the page of topics, the topic in it, and the page of its subscriptions. */
type Place = { topics: Json; topicKey: string | null; after: Json; total: number };

type Stores = {
  topics: TopicRepository;
  subscriptions: TopicSubscriptionRepository;
  contexts: ContextRepository;
  preferences: SubscriptionPreferencesReader;
};

export class ImportedSubscriptions implements ImportedKind<SourceSubscription> {
  readonly name = 'subscriptions';
  private page: { after: Json; topics: string[]; next: Json } | undefined;
  private readonly lists = new SourceLists(this.context.client);
  private readonly topicLists = new SourceLists(this.context.client);

  constructor(
    private readonly context: ImportContext,
    private readonly stores: Stores,
  ) {}

  async read(cursor: Json): Promise<Batch<SourceSubscription>> {
    const place = isJsonObject(cursor) ? (cursor as Place) : { topics: null, topicKey: null, after: null, total: 0 };
    const { topics, next } = await this.topicsAt(place.topics);
    // A topic that was deleted meanwhile: its page is read again from the first topic on.
    const at = place.topicKey === null ? 0 : Math.max(0, topics.indexOf(place.topicKey));
    const topicKey = topics[at];
    if (topicKey === undefined) return { items: [], next: nextPlace(next, null, place.total), total: place.total };
    const after = topicKey === place.topicKey ? place.after : null;
    const batch = await this.listed(topicKey, after);
    const total = after === null ? place.total + (batch.total ?? batch.items.length) : place.total;
    const { items } = batch;
    if (batch.next !== null) {
      return { items, next: { topics: place.topics, topicKey, after: batch.next, total }, total };
    }
    const following = topics[at + 1];
    const here =
      following === undefined ? undefined : { topics: place.topics, topicKey: following, after: null, total };
    return { items, next: here ?? nextPlace(next, null, total), total };
  }

  /** A list that cannot be read is one item that is not imported; the other topics are. */
  private async listed(topicKey: string, after: Json): Promise<Batch<SourceSubscription>> {
    try {
      const path = `${TOPICS}/${segmentOf(topicKey)}/subscriptions`;
      const batch = await this.lists.byCursor(path, after, BATCH);
      return { ...batch, items: batch.items.map((item) => ({ topicKey, item })) };
    } catch (error) {
      if (!(error instanceof SourceError) || !isLocal(error)) throw error;
      return { items: [{ topicKey, fault: error.message }], next: null };
    }
  }

  private async topicsAt(after: Json): Promise<{ topics: string[]; next: Json }> {
    if (!this.page || this.page.after !== after) {
      const { items, next } = await this.topicLists.byCursor(TOPICS, after, 100);
      // A key that is left out here is listed among the topics.
      const topics = items.map((item) => textIn(item, 'key') ?? '').filter(isPathSegment);
      this.page = { after, topics, next };
    }
    return this.page;
  }

  async write(items: SourceSubscription[], commit: Commit): Promise<void> {
    const { database } = this.context;
    await database.transaction(async () => {
      const tally = new Tally(this.name);
      for (const one of items) if ('fault' in one) tally.skip(one.topicKey, one.fault);
      const listed = items.flatMap((one) => ('item' in one ? [one.item] : []));
      if (listed.length > 0) await this.subscribe(items[0]!.topicKey, listed, tally);
      await commit(tally.outcome);
    });
  }

  private async subscribe(topicKey: string, items: JsonObject[], tally: Tally): Promise<void> {
    const { environment, isDryRun, kinds } = this.context;
    const topic = await this.stores.topics.find(environment.id, topicKey);
    const wanted = await this.wantedOf(topicKey, items, tally);
    if (!topic) {
      const isPlanned = isDryRun && kinds.includes('topics') && isTopicKey(topicKey);
      if (isPlanned) tally.created += wanted.size;
      else for (const id of wanted.keys()) tally.skip(`${topicKey} ${id}`, 'the topic is not there');
      return;
    }
    const ids = [...wanted.keys()];
    const present = byIdentifier(await this.stores.subscriptions.findMany(environment.id, topic.id, ids));
    const missing = [...wanted.values()].filter(({ identifier }) => !present.has(identifier));
    await this.stores.topics.hold(environment.id, { key: topicKey });
    await this.ensureContexts(missing);
    const now = byIdentifier(await this.stores.subscriptions.insertMany(environment.id, topic.id, missing));
    for (const one of wanted.values()) {
      const before = present.get(one.identifier);
      const row = before ?? now.get(one.identifier);
      const name = `${topicKey} ${one.identifier}`;
      if (!row && isDryRun && kinds.includes('subscribers')) tally.created += 1;
      else if (!row) tally.skip(name, `the subscriber ${one.subscriberId} is not there`);
      else if (row.externalSubscriberId !== one.subscriberId) {
        tally.skip(name, `the identifier belongs to the subscriber ${row.externalSubscriberId}`);
      } else if (!before) tally.created += 1;
      else if (isSame(row, one)) tally.unchanged += 1;
      else if (!isSameJson(row.contextKeys, one.contextKeys)) {
        tally.skip(name, 'a subscription with this identifier has other contexts');
      } else {
        await this.stores.subscriptions.update(environment.id, topic.id, one.identifier, one);
        tally.updated += 1;
      }
    }
  }

  /** By identifier. */
  private async wantedOf(topicKey: string, items: JsonObject[], tally: Tally) {
    const wanted = new Map<string, NewSubscription>();
    for (const item of items) {
      const subscriberId = isJsonObject(item['subscriber']) ? textIn(item['subscriber'], 'subscriberId') : undefined;
      const id = textIn(item, 'identifier') ?? textIn(item, '_id') ?? '';
      try {
        const one = await this.subscriptionOf(topicKey, subscriberId, item);
        if (wanted.has(one.identifier)) tally.skip(`${topicKey} ${id}`, 'the source has the identifier twice');
        else wanted.set(one.identifier, one);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        tally.skip(`${topicKey} ${id}`, reasonOf(error));
      }
    }
    return wanted;
  }

  private async subscriptionOf(
    topicKey: string,
    subscriberId: string | undefined,
    item: JsonObject,
  ): Promise<NewSubscription> {
    const fields = { ...given(item, ['identifier', 'name']), ...(subscriberId !== undefined && { subscriberId }) };
    const fault = contentFault(fields);
    if (fault !== undefined) throw new DomainError('unprocessable', fault);
    const read = readDto(NewTopicSubscriptionDto, fields);
    if ('errors' in read) throw new DomainError('unprocessable', faultText(read.errors));
    const contextKeys = Array.isArray(item['contextKeys']) ? item['contextKeys'].map(shownText).sort() : [];
    const contexts = contextFault(contextOf(contextKeys));
    if (contexts) throw new DomainError('unprocessable', faultText(contexts));
    const preferences = await this.preferencesOf(item['preferences']);
    const { identifier = defaultIdentifier(topicKey, read.value.subscriberId, contextKeys) } = read.value;
    return { ...read.value, identifier, contextKeys, ...(preferences && { preferences }) };
  }

  private async preferencesOf(list: Json | undefined): Promise<SubscriptionPreferences | undefined> {
    if (!Array.isArray(list) || list.length === 0) return undefined;
    const { environment, isDryRun } = this.context;
    const inputs = list.filter(isJsonObject).map((entry) => {
      const workflow = isJsonObject(entry['workflow']) ? entry['workflow'] : {};
      const workflowId = textIn(workflow, 'identifier');
      const fields = { ...given(entry, ['enabled', 'condition']), ...(workflowId !== undefined && { workflowId }) };
      const fault = contentFault(fields);
      if (fault !== undefined) throw new DomainError('unprocessable', `preferences: ${fault}`);
      const read = readDto(NewSubscriptionPreferenceDto, fields);
      if ('errors' in read) throw new DomainError('unprocessable', faultText(read.errors));
      return read.value;
    });
    try {
      return await this.stores.preferences.read({ environmentId: environment.id }, inputs);
    } catch (error) {
      // In a dry run the workflows are not there yet.
      if (isDryRun && error instanceof DomainError) return undefined;
      throw error;
    }
  }

  private async ensureContexts(subscriptions: NewSubscription[]): Promise<void> {
    const keys = new Set(subscriptions.flatMap(({ contextKeys }) => contextKeys));
    const entries = [...keys].flatMap((key) => contextEntries(contextOf([key])!));
    const environmentId = this.context.environment.id;
    await this.stores.contexts.ensureMany(
      entries.map(({ type, id, data }) => ({ environmentId, type, contextId: id, data })),
    );
  }
}

const nextPlace = (topics: Json, topicKey: string | null, total: number): Json =>
  topics === null ? null : { topics, topicKey, after: null, total };

/** `type:id` as callers give contexts. */
const contextOf = (keys: string[]): JsonObject | undefined =>
  keys.length === 0
    ? undefined
    : Object.fromEntries(keys.map((key) => [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]));

const byIdentifier = (rows: SubscriptionRow[]): Map<string, SubscriptionRow> =>
  new Map(rows.map((row) => [row.identifier, row]));

const isSame = (row: SubscriptionRow, { name, contextKeys, preferences }: NewSubscription): boolean =>
  (name === undefined || name === row.name) &&
  isSameJson(row.contextKeys, contextKeys) &&
  (preferences === undefined || isSameJson(preferences, row.preferences));
