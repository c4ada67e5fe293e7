import {
  isSameJson,
  type Channel,
  CHANNELS,
  isJsonObject,
  type Json,
  type JsonObject,
  type PreferenceLayer,
  ScheduleDto,
  type SubscriberSchedule,
} from '@clarion/contracts';
import type {
  Preference,
  PreferenceChange,
  PreferenceRepository,
  PreferredWorkflow,
  Subscriber,
  SubscriberRepository,
} from '@clarion/persistence';
import { effectivePreferences } from '@clarion/rules';
import { readDto } from '../../edge/http/compiled-dto';
import {
  type Commit,
  contentFault,
  faultText,
  type ImportContext,
  type ImportedKind,
  Tally,
  textIn,
} from './import-kind';
import type { Batch } from './import-progress';
import { isLocal, segmentOf, SourceError } from './source-client';
import { SourceLists } from './source-lists';

/** Subscribers of one batch: each is one call. */
const BATCH = 100;
/** Workflows that the source may list for one subscriber. */
const WORKFLOWS = 10_000;

type Flags = Partial<Record<Channel, boolean>>;

/** What a subscriber of the source decided: about everything, and about single workflows. */
type SourcePreferences = {
  subscriberId: string;
  global: Flags;
  schedule?: SubscriberSchedule;
  workflows: {
    workflowId: string;
    channels: Flags;
    /** The subscriber changed it for this workflow, and not only for all. */
    isOwn: boolean;
  }[];
  fault?: string;
};

type Stores = { subscribers: SubscriberRepository; preferences: PreferenceRepository };

/** What subscribers decided about channels. A value that follows from another one is not copied. */
export class ImportedPreferences implements ImportedKind<SourcePreferences> {
  readonly name = 'preferences';
  private readonly lists = new SourceLists(this.context.client);

  constructor(
    private readonly context: ImportContext,
    private readonly stores: Stores,
  ) {}

  async read(cursor: Json): Promise<Batch<SourcePreferences>> {
    const page = await this.lists.byCursor('/v2/subscribers', cursor, BATCH);
    const ids = page.items.map((item) => textIn(item, 'subscriberId') ?? '');
    const items = await this.context.client.each(ids, async (subscriberId): Promise<SourcePreferences> => {
      try {
        return await this.readOf(subscriberId);
      } catch (error) {
        if (!(error instanceof SourceError) || !isLocal(error)) throw error;
        return { subscriberId, global: {}, workflows: [], fault: error.message };
      }
    });
    return { ...page, items };
  }

  async write(items: SourcePreferences[], commit: Commit): Promise<void> {
    const { database, environment } = this.context;
    await database.transaction(async () => {
      const tally = new Tally(this.name);
      const ids = items.filter(({ fault }) => fault === undefined).map(({ subscriberId }) => subscriberId);
      const named = new Set(items.flatMap(({ workflows }) => workflows.map(({ workflowId }) => workflowId)));
      // The database has no NUL characters, and refuses a query with one.
      const names = [...named].filter((workflowId) => !workflowId.includes('\0'));
      const subscribers = await this.stores.subscribers.findMany(environment.id, ids);
      const found = await this.stores.preferences.findWorkflows(
        environment.id,
        names.map((workflowId) => ({ workflowId })),
      );
      const workflows = new Map(found.flatMap((workflow) => (workflow ? [[workflow.workflowId, workflow]] : [])));
      const stored = await this.stores.preferences.findMany(
        environment.id,
        subscribers.map(({ id }) => id),
        [...workflows.values()].map(({ id }) => id),
      );
      for (const item of items) {
        const subscriber = subscribers.find(({ subscriberId }) => subscriberId === item.subscriberId);
        const own = stored.filter(({ subscriberId }) => subscriberId === subscriber?.id);
        await this.change(item, subscriber, own, workflows, tally);
      }
      const { created, updated, unchanged, skipped } = tally;
      await commit({ ...tally.outcome, read: created + updated + unchanged + skipped });
    });
  }

  private async change(
    item: SourcePreferences,
    subscriber: Subscriber | undefined,
    stored: Preference[],
    workflows: ReadonlyMap<string, PreferredWorkflow>,
    tally: Tally,
  ): Promise<void> {
    const { subscriberId, fault } = item;
    const changes: PreferenceChange[] = [];
    const add = (before: Preference | undefined, change: PreferenceChange | undefined): void => {
      if (!change) tally.unchanged += 1;
      else if (before) tally.updated += 1;
      else tally.created += 1;
      if (change) changes.push(change);
    };
    if (fault !== undefined) return tally.skip(subscriberId, fault);
    const isPlanned = (kind: 'subscribers' | 'workflows') => this.context.isDryRun && this.context.kinds.includes(kind);
    const hasGlobal = item.schedule !== undefined || Object.values(item.global).includes(false);
    const global = stored.find(({ workflowId }) => workflowId === null);
    if (!subscriber && !isPlanned('subscribers')) {
      if (hasGlobal || item.workflows.length > 0) tally.skip(subscriberId, 'the subscriber is not there');
      return;
    }
    const general = globalChange(item, global);
    if (hasGlobal || global) add(global, general);
    const subscriberGlobal = withFlags(global?.preferences, general?.channels);
    for (const { workflowId, channels, isOwn } of item.workflows) {
      const workflow = workflows.get(workflowId);
      if (!workflow) {
        if (!isOwn && !differences(channels, item.global)) continue;
        if (isPlanned('workflows')) tally.created += 1;
        else tally.skip(`${subscriberId} ${workflowId}`, 'the workflow is not there');
        continue;
      }
      const before = stored.find((row) => row.workflowId === workflow.id);
      const { channels: otherwise } = effectivePreferences({ workflow: workflow.preferences, subscriberGlobal });
      const own = flagsOf(before?.preferences);
      const differing = differences(channels, { ...enabledOf(otherwise), ...own });
      if (differing || before) add(before, differing && { workflowId: workflow.id, channels: differing });
    }
    if (subscriber && changes.length > 0) {
      await this.stores.preferences.upsertMany(this.context.environment.id, subscriber.id, [], changes);
    }
  }

  private async readOf(subscriberId: string): Promise<SourcePreferences> {
    const path = `/v2/subscribers/${segmentOf(subscriberId)}/preferences`;
    let body = await this.context.client.object(path);
    const entries = entriesOf(body);
    while (body['hasMore'] === true && entriesOf(body).length > 0) {
      body = await this.context.client.object(path, { offset: entries.length });
      const more = entriesOf(body);
      const isRepeated = more[0] !== undefined && identifierOf(more[0]) === identifierOf(entries[0]!);
      if (isRepeated) throw new SourceError(`The source repeats the workflows of ${path}`, 200);
      entries.push(...more);
      if (entries.length > WORKFLOWS) {
        throw new SourceError(`The source lists more than ${WORKFLOWS} workflows in ${path}`, 200);
      }
    }
    const own = isJsonObject(body['global']) ? body['global'] : {};
    const global = flagsIn(own);
    if (own['enabled'] === false) for (const channel of CHANNELS) global[channel] ??= false;
    const schedule = scheduleOf(own['schedule']);
    const workflows = entries.flatMap((entry) => {
      const workflowId = identifierOf(entry);
      const channels = decided(entry);
      return workflowId === undefined || Object.keys(channels).length === 0
        ? []
        : [{ workflowId, channels, isOwn: typeof entry['updatedAt'] === 'string' }];
    });
    const { fault } = schedule;
    return {
      subscriberId,
      global,
      workflows,
      ...(schedule.value && { schedule: schedule.value }),
      ...(fault && { fault }),
    };
  }
}

const identifierOf = ({ workflow }: JsonObject): string | undefined =>
  isJsonObject(workflow) ? textIn(workflow, 'identifier') : undefined;

const entriesOf = ({ workflows }: JsonObject): JsonObject[] =>
  Array.isArray(workflows) ? workflows.filter(isJsonObject) : [];

function flagsIn({ channels }: JsonObject): Flags {
  const given = isJsonObject(channels) ? channels : {};
  return Object.fromEntries(
    CHANNELS.flatMap((name) => (typeof given[name] === 'boolean' ? [[name, given[name]]] : [])),
  );
}

/** The channels that the subscriber decided about: for this workflow, or for all. */
function decided(entry: JsonObject): Flags {
  const overrides = Array.isArray(entry['overrides']) ? entry['overrides'].filter(isJsonObject) : [];
  const own = new Set(overrides.filter(({ source }) => source === 'subscriber').map(({ channel }) => channel));
  return Object.fromEntries(Object.entries(flagsIn(entry)).filter(([channel]) => own.has(channel)));
}

function scheduleOf(value: Json | undefined): { value?: SubscriberSchedule; fault?: string } {
  if (!isJsonObject(value)) return {};
  const read = readDto(ScheduleDto, value);
  const fault = contentFault(value) ?? ('errors' in read ? faultText(read.errors) : undefined);
  return fault === undefined ? { value: (read as { value: ScheduleDto }).value } : { fault };
}

function globalChange({ global, schedule }: SourcePreferences, before: Preference | undefined) {
  const channels = differences(global, flagsOf(before?.preferences));
  const merged = schedule && { ...before?.schedule, ...schedule };
  const isNew = merged !== undefined && !isSameJson(merged, before?.schedule);
  return channels || isNew ? { ...(channels && { channels }), ...(isNew && { schedule }) } : undefined;
}

/** The flags that differ from the present ones; a channel without one is on. */
function differences(flags: Flags, present: Flags): Flags | undefined {
  const differing = Object.entries(flags).filter(([channel, flag]) => flag !== (present[channel as Channel] ?? true));
  return differing.length === 0 ? undefined : Object.fromEntries(differing);
}

const flagsOf = (layer: PreferenceLayer | undefined): Flags => enabledOf(layer?.channels ?? {});

const enabledOf = (channels: Partial<Record<Channel, { enabled?: boolean }>>): Flags =>
  Object.fromEntries(
    Object.entries(channels).flatMap(([channel, { enabled }]) => (enabled === undefined ? [] : [[channel, enabled]])),
  );

const withFlags = (layer: PreferenceLayer | undefined, flags: Flags = {}): PreferenceLayer => ({
  ...layer,
  channels: {
    ...layer?.channels,
    ...Object.fromEntries(Object.entries(flags).map(([channel, enabled]) => [channel, { enabled }])),
  },
});
