import { Injectable } from '@nestjs/common';
import {
  type BulkPreferenceDto,
  type BulkPreferencesDto,
  type ChangedPreferenceDto,
  type ChannelChangesDto,
  type ChannelFlagsDto,
  type Channel,
  CHANNELS,
  contextEntries,
  contextKey,
  DomainError,
  type InboxPreferenceDto,
  invalidField,
  type JsonObject,
  LIMITS,
  ListPreferencesQuery,
  type PartialScheduleDto,
  type PatchPreferencesDto,
  type SubscriberGlobalPreferenceDto,
  type SubscriberPreferencesDto,
  type SubscriberWorkflowPreferenceDto,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  type Preference,
  type PreferenceChange,
  PreferenceRepository,
  type PreferredWorkflow,
  type PreferredWorkflowFilter,
  type Subscriber,
  SubscriberRepository,
} from '@clarion/persistence';
import { type EffectivePreferences, effectivePreferences, isCritical, subscriberPreferences } from '@clarion/rules';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { contextFault } from '../contexts/context-fault';
import { found } from '../subscribers/subscribers.service';
import { workflowSlug } from '../../authoring/workflows/slugs';
import { nameOf, notFound as workflowNotFound } from '../../authoring/workflows/workflows.service';

type PreferenceOwner = { subscriber: Subscriber; contextKeys: string[] };

@Injectable()
export class SubscriberPreferencesService {
  constructor(
    private readonly database: Database,
    private readonly subscribers: SubscriberRepository,
    private readonly preferences: PreferenceRepository,
    private readonly audit: AuditLog,
  ) {}

  async list(owner: KeyOwner, subscriberId: string, query: ListPreferencesQuery): Promise<SubscriberPreferencesDto> {
    const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
    const { contextKeys = [], limit } = query;
    const workflows = await this.preferences.listWorkflows(owner.environmentId, query, query);
    const whose = { subscriber, contextKeys: contextKeys.filter(Boolean) };
    return this.describe(whose, workflows.slice(0, limit), workflows.length > limit);
  }

  update(owner: KeyOwner, subscriberId: string, input: PatchPreferencesDto): Promise<SubscriberPreferencesDto> {
    const { schedule } = input;
    const channels = input.channels && flagsIn(input.channels);
    if (input.workflowId !== undefined && schedule !== undefined) {
      throw invalidField('schedule', 'schedule belongs to the global preference: leave out workflowId');
    }
    const contextKeys = contextKeysOf(input.context);
    return this.database.transaction(async () => {
      const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
      const whose = { subscriber, contextKeys };
      const workflows = input.workflowId === undefined ? [] : await this.editable(subscriber, [input.workflowId]);
      if (channels !== undefined || schedule !== undefined) {
        await this.recorded(owner, whose, workflows, () =>
          this.change(whose, [{ workflowId: workflows[0]?.id, channels, schedule }]),
        );
      }
      if (workflows.length > 0) return this.describe(whose, workflows, false);
      return this.list(owner, subscriberId, { ...new ListPreferencesQuery(), contextKeys });
    });
  }

  updateBulk(owner: KeyOwner, subscriberId: string, input: BulkPreferencesDto): Promise<ChangedPreferenceDto[]> {
    const contextKeys = contextKeysOf(input.context);
    return this.database.transaction(async () => {
      const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
      const whose = { subscriber, contextKeys };
      const identifiers = input.preferences.map(({ workflowId }) => workflowId);
      const workflows = owner.isBrowser ? await this.editable(subscriber, identifiers) : [];
      return this.recorded(owner, whose, workflows, () => this.changeWorkflows(whose, input.preferences));
    });
  }

  /** The global preference, and then one for each workflow that matches; at most 500. */
  async listAll(whose: PreferenceOwner, filter: PreferredWorkflowFilter): Promise<InboxPreferenceDto[]> {
    const page = { limit: LIMITS.preferredWorkflows, offset: 0 };
    const rows = await this.preferences.listWorkflows(whose.subscriber.environmentId, filter, page);
    const workflows = rows.slice(0, page.limit);
    const stored = await this.stored(whose, workflows);
    return [
      { level: 'global', ...toGlobalPreference(stored, whose.contextKeys) },
      ...workflows.map((workflow) => toChangedPreference(workflow, stored, whose.contextKeys)),
    ];
  }

  async global(whose: PreferenceOwner): Promise<InboxPreferenceDto> {
    return { level: 'global', ...toGlobalPreference(await this.stored(whose, []), whose.contextKeys) };
  }

  /** Changes the global preference. What is left out, also of the schedule, stays as it is. */
  changeGlobal(
    whose: PreferenceOwner,
    channels: ChannelFlagsDto,
    schedule?: PartialScheduleDto,
  ): Promise<InboxPreferenceDto> {
    return this.database.transaction(async () => {
      const isEnabled = schedule && (schedule.isEnabled ?? (await this.global(whose)).schedule?.isEnabled ?? false);
      const wanted = isEnabled === undefined ? undefined : { ...schedule, isEnabled };
      await this.change(whose, [{ channels, schedule: wanted }]);
      return this.global(whose);
    });
  }

  /** Changes the preferences for these workflows, all or none, and returns them in the same order. */
  changeWorkflows(whose: PreferenceOwner, preferences: BulkPreferenceDto[]): Promise<ChangedPreferenceDto[]> {
    return this.database.transaction(async () => {
      const workflows = await this.editable(
        whose.subscriber,
        preferences.map(({ workflowId }) => workflowId),
      );
      // The list may name a workflow twice, also by different identifiers. The later entry wins.
      const channels = new Map<string, ChannelFlagsDto>();
      for (const [index, { id }] of workflows.entries()) {
        channels.set(id, { ...channels.get(id), ...flagsIn(preferences[index]!.channels) });
      }
      const changes = [...channels].map(([workflowId, flags]) => ({ workflowId, channels: flags }));
      if (changes.length > 0) await this.change(whose, changes);
      const stored = await this.stored(whose, workflows);
      return workflows.map((workflow) => toChangedPreference(workflow, stored, whose.contextKeys));
    });
  }

  /** Returns the workflows in the order of the identifiers. Throws if one does not exist or is critical. */
  private async editable({ environmentId }: Subscriber, identifiers: string[]): Promise<PreferredWorkflow[]> {
    const workflows = await this.preferences.findWorkflows(environmentId, identifiers.map(nameOf));
    return workflows.map((workflow, index) => {
      if (!workflow) throw workflowNotFound(identifiers[index]!);
      if (isCritical(workflow.preferences)) {
        throw new DomainError(
          'bad_request',
          `Workflow ${identifiers[index]} is critical: subscribers cannot change its preferences`,
        );
      }
      return workflow;
    });
  }

  /** The audit log has what a person changed in the dashboard; a backend passes on what subscribers chose. */
  private async recorded<Result>(
    owner: KeyOwner,
    whose: PreferenceOwner,
    workflows: PreferredWorkflow[],
    change: () => Promise<Result>,
  ): Promise<Result> {
    if (!owner.isBrowser) return change();
    const before = await this.describe(whose, workflows, false);
    const result = await change();
    await this.audit.record(owner, {
      resource: 'subscriber',
      id: whose.subscriber.subscriberId,
      isPersonal: true,
      before: choicesIn(before),
      after: choicesIn(await this.describe(whose, workflows, false)),
    });
    return result;
  }

  private async change({ subscriber, contextKeys }: PreferenceOwner, changes: PreferenceChange[]): Promise<void> {
    const { environmentId, id, subscriberId } = subscriber;
    const exists = await this.preferences.upsertMany(environmentId, id, contextKeys, changes);
    found(exists || undefined, subscriberId);
  }

  private stored({ subscriber, contextKeys }: PreferenceOwner, workflows: PreferredWorkflow[]): Promise<Preference[]> {
    const workflowIds = workflows.map(({ id }) => id);
    return this.preferences.findMany(subscriber.environmentId, [subscriber.id], workflowIds, contextKeys);
  }

  private async describe(
    whose: PreferenceOwner,
    workflows: PreferredWorkflow[],
    hasMore: boolean,
  ): Promise<SubscriberPreferencesDto> {
    const stored = await this.stored(whose, workflows);
    return {
      global: toGlobalPreference(stored, whose.contextKeys),
      workflows: workflows.map((workflow) => toWorkflowPreference(workflow, stored, whose.contextKeys)),
      hasMore,
    };
  }
}

/** What the audit log shows of the preferences: those of the workflows, or the global one. */
const choicesIn = ({ global, workflows }: SubscriberPreferencesDto): object => ({
  preferences:
    workflows.length > 0
      ? workflows.map(({ workflow, channels }) => ({ workflowId: workflow.identifier, channels }))
      : global,
});

const flagsIn = ({ tool: _, ...flags }: ChannelChangesDto): ChannelFlagsDto => flags;

function contextKeysOf(context: JsonObject | undefined): string[] {
  const fault = contextFault(context);
  if (fault) throw new DomainError('unprocessable', 'Validation Error', { errors: fault });
  return contextEntries(context ?? {}).map(contextKey);
}

function toGlobalPreference(stored: Preference[], contextKeys: string[]): SubscriberGlobalPreferenceDto {
  const { subscriberGlobal, schedule } = subscriberPreferences(stored, undefined, contextKeys);
  const effective = effectivePreferences({ workflow: {}, subscriberGlobal });
  return { enabled: effective.all, channels: flagsOf(effective, CHANNELS), ...(schedule && { schedule }) };
}

function toWorkflowPreference(
  workflow: PreferredWorkflow,
  stored: Preference[],
  contextKeys: string[],
): SubscriberWorkflowPreferenceDto {
  const effective = effectiveFor(workflow, stored, contextKeys);
  const changes = stored.filter(({ workflowId }) => workflowId === workflow.id).map(({ updatedAt }) => +updatedAt);
  return {
    enabled: effective.all,
    channels: flagsOf(effective, workflow.channels),
    overrides: CHANNELS.filter((channel) => workflow.channels.includes(channel)).flatMap((channel) => {
      const { decidedBy } = effective.channels[channel];
      if (decidedBy === 'default') return [];
      return { channel, source: decidedBy.startsWith('subscriber') ? 'subscriber' : 'template' };
    }),
    workflow: {
      slug: workflowSlug(workflow.name, workflow.id),
      identifier: workflow.workflowId,
      name: workflow.name,
      critical: effective.critical,
      updatedAt: workflow.updatedAt.toISOString(),
    },
    ...(changes.length > 0 && { updatedAt: new Date(Math.max(...changes)).toISOString() }),
  };
}

function toChangedPreference(
  workflow: PreferredWorkflow,
  stored: Preference[],
  contextKeys: string[],
): ChangedPreferenceDto {
  const effective = effectiveFor(workflow, stored, contextKeys);
  return {
    level: 'template',
    workflow: {
      id: workflow.id,
      identifier: workflow.workflowId,
      name: workflow.name,
      critical: effective.critical,
      tags: workflow.tags,
      severity: workflow.severity,
    },
    enabled: effective.all,
    channels: flagsOf(effective, workflow.channels),
  };
}

const effectiveFor = (workflow: PreferredWorkflow, stored: Preference[], contextKeys: string[]): EffectivePreferences =>
  effectivePreferences({
    workflow: workflow.preferences,
    ...subscriberPreferences(stored, workflow.id, contextKeys),
  });

const flagsOf = (effective: EffectivePreferences, channels: readonly Channel[]): ChannelFlagsDto =>
  Object.fromEntries(
    CHANNELS.filter((channel) => channels.includes(channel)).map((channel) => [
      channel,
      effective.channels[channel].enabled,
    ]),
  );
