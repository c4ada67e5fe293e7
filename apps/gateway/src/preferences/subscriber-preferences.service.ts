import { Injectable } from '@nestjs/common';
import {
  type BulkPreferencesDto,
  type ChangedPreferenceDto,
  type ChannelFlagsDto,
  type Channel,
  CHANNELS,
  contextEntries,
  contextKey,
  DomainError,
  invalidField,
  type JsonObject,
  ListPreferencesQuery,
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
  type Subscriber,
  SubscriberRepository,
} from '@clarion/persistence';
import { type EffectivePreferences, effectivePreferences, isCritical, subscriberPreferences } from '@clarion/rules';
import { contextFault } from '../contexts/context-fault';
import { found } from '../subscribers/subscribers.service';
import { workflowSlug } from '../workflows/slugs';
import { nameOf, notFound as workflowNotFound } from '../workflows/workflows.service';

@Injectable()
export class SubscriberPreferencesService {
  constructor(
    private readonly database: Database,
    private readonly subscribers: SubscriberRepository,
    private readonly preferences: PreferenceRepository,
  ) {}

  async list(owner: KeyOwner, subscriberId: string, query: ListPreferencesQuery): Promise<SubscriberPreferencesDto> {
    const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
    const { contextKeys = [], criticality, limit } = query;
    const workflows = await this.preferences.listWorkflows(owner.environmentId, criticality, query);
    return this.describe(subscriber, contextKeys.filter(Boolean), workflows.slice(0, limit), workflows.length > limit);
  }

  update(owner: KeyOwner, subscriberId: string, input: PatchPreferencesDto): Promise<SubscriberPreferencesDto> {
    const { channels, schedule } = input;
    if (input.workflowId !== undefined && schedule !== undefined) {
      throw invalidField('schedule', 'schedule belongs to the global preference: leave out workflowId');
    }
    const contextKeys = contextKeysOf(input.context);
    return this.database.transaction(async () => {
      const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
      const workflows = input.workflowId === undefined ? [] : await this.editable(owner, [input.workflowId]);
      if (channels !== undefined || schedule !== undefined) {
        await this.change(subscriber, contextKeys, [{ workflowId: workflows[0]?.id, channels, schedule }]);
      }
      if (workflows.length > 0) return this.describe(subscriber, contextKeys, workflows, false);
      return this.list(owner, subscriberId, { ...new ListPreferencesQuery(), contextKeys });
    });
  }

  updateBulk(owner: KeyOwner, subscriberId: string, input: BulkPreferencesDto): Promise<ChangedPreferenceDto[]> {
    const contextKeys = contextKeysOf(input.context);
    return this.database.transaction(async () => {
      const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
      const workflows = await this.editable(
        owner,
        input.preferences.map(({ workflowId }) => workflowId),
      );
      // The list may name a workflow twice, also by different identifiers. The later entry wins.
      const channels = new Map<string, ChannelFlagsDto>();
      for (const [index, { id }] of workflows.entries()) {
        channels.set(id, { ...channels.get(id), ...input.preferences[index]!.channels });
      }
      const changes = [...channels].map(([workflowId, flags]) => ({ workflowId, channels: flags }));
      if (changes.length > 0) await this.change(subscriber, contextKeys, changes);
      const stored = await this.stored(subscriber, contextKeys, workflows);
      return workflows.map((workflow) => toChangedPreference(workflow, stored, contextKeys));
    });
  }

  /** Returns the workflows in the order of the identifiers. Throws if one does not exist or is critical. */
  private async editable(owner: KeyOwner, identifiers: string[]): Promise<PreferredWorkflow[]> {
    const workflows = await this.preferences.findWorkflows(owner.environmentId, identifiers.map(nameOf));
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

  private async change(subscriber: Subscriber, contextKeys: string[], changes: PreferenceChange[]): Promise<void> {
    const { environmentId, id, subscriberId } = subscriber;
    const exists = await this.preferences.upsertMany(environmentId, id, contextKeys, changes);
    found(exists || undefined, subscriberId);
  }

  private stored(subscriber: Subscriber, contextKeys: string[], workflows: PreferredWorkflow[]): Promise<Preference[]> {
    const workflowIds = workflows.map(({ id }) => id);
    return this.preferences.findMany(subscriber.environmentId, [subscriber.id], workflowIds, contextKeys);
  }

  private async describe(
    subscriber: Subscriber,
    contextKeys: string[],
    workflows: PreferredWorkflow[],
    hasMore: boolean,
  ): Promise<SubscriberPreferencesDto> {
    const stored = await this.stored(subscriber, contextKeys, workflows);
    return {
      global: toGlobalPreference(stored, contextKeys),
      workflows: workflows.map((workflow) => toWorkflowPreference(workflow, stored, contextKeys)),
      hasMore,
    };
  }
}

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
