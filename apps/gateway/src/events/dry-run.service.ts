import { Injectable } from '@nestjs/common';
import {
  type Channel,
  type ChannelCredentialsDto,
  CHANNELS,
  DomainError,
  type DryRunDto,
  type DryRunRecipientDto,
  type EnvironmentId,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
} from '@clarion/contracts';
import { TemplateRenderer } from '@clarion/content';
import {
  EMPTY_PROFILE,
  Database,
  DryRunRepository,
  type Integration,
  IntegrationRepository,
  type KnownSubscriber,
  LayoutRepository,
  type MemberSample,
  type RunningWorkflow,
  SuppressionRepository,
  type Surroundings,
  SurroundingsRepository,
  WorkflowCache,
} from '@clarion/persistence';
import { openChannel, SecretBox } from '@clarion/platform';
import {
  type Audience,
  CHANNEL_NOT_KEPT,
  type Doorway,
  effectivePreferences,
  type Line,
  mergeCredentials,
  OVERRIDES_NOT_READ,
  readAudience,
  readContexts,
  severityOverride,
  subscriptionAdmits,
  subscriptionVariables,
  unknownOverrideKeys,
  Work,
} from '@clarion/rules';
import { withoutNulls } from '../http/page';
import type { TriggerableWorkflow } from '../workflows/workflow-directory';
import { explainChannels } from './explain-channels';
import { explainTimers } from './explain-timers';
import { type Journey, tell } from './journey';

/** An event that would be accepted. */
export type DryRunEvent = {
  workflow: TriggerableWorkflow;
  recipients: JsonObject[];
  payload: JsonObject;
  overrides: JsonObject | null;
  actor: Json;
  tenant: string | null;
  context: JsonObject | null;
};

export const ACCEPTED_BEFORE: DryRunDto = { recipientCount: 0, recipients: [], alreadyAccepted: true };

/** Members of a topic that are looked at for each one that is shown: some may have switched the workflow off. */
const LOOKED_AT = 5;
/** Characters of all contents in one answer. */
const CONTENT_CHARACTERS = 4 * 1024 * 1024;

/** What all conditions of a request may cost together, in the steps that `Work` counts. */
const REQUEST_WORK = 300_000;

const NO_MEMBERS: MemberSample = { count: 0, members: [] };

type Place = { event: DryRunEvent; workflow: RunningWorkflow; surroundings: Surroundings; work: Work };

/** Of one event: how many recipients it has, and those that are explained. */
type Plan = { count: number; isCapped: boolean; shown: Shown[] };
type Shown = { subscriberId: string; topics: string[]; exists: boolean; journey: Journey };

/**
 * What triggers would do, and why, with nothing done. Everything is read for all events together; then all recipients go
 * through their steps side by side, so that contents are rendered and windows looked up many at a time.
 */
@Injectable()
export class DryRunService {
  constructor(
    private readonly database: Database,
    private readonly store: DryRunRepository,
    private readonly integrations: IntegrationRepository,
    private readonly layouts: LayoutRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly surroundings: SurroundingsRepository,
    private readonly templates: TemplateRenderer,
    private readonly secrets: SecretBox,
  ) {}

  /** One answer for each event, in order. */
  async explain(environmentId: EnvironmentId, events: DryRunEvent[]): Promise<DryRunDto[]> {
    if (events.length === 0) return [];
    this.templates.checkBudget(environmentId);
    const now = new Date();
    const share = Math.floor(LIMITS.dryRunRecipients / events.length);
    const limit = Math.min(Math.max(share, 1), LIMITS.dryRunEventRecipients);
    const audiences = events.map(readAudience);
    const [workflowOf, surroundingsOf, integrations, samples] = await Promise.all([
      this.loadWorkflows(events, now),
      this.loadSurroundings(environmentId, events),
      this.integrations.listActive(environmentId),
      this.sampleMembers(environmentId, audiences, limit),
    ]);
    const work = new Work(undefined, REQUEST_WORK);
    const crowd = await this.gather(environmentId, events, audiences, samples, integrations, limit);
    const plans = events.map((event, index): Plan => {
      const audience = audiences[index]!;
      crowd.store(audience);
      const place = { event, workflow: workflowOf(event), surroundings: surroundingsOf(event), work };
      return planOf(crowd, audience, samples[index]!, place, limit, now);
    });
    const journeys = plans.flatMap(({ shown }) => shown.map(({ journey }) => journey));
    await this.walk(environmentId, journeys, integrations);
    const room = { characters: CONTENT_CHARACTERS };
    return plans.map(({ count, isCapped, shown }) => ({
      recipientCount: count,
      ...(isCapped && { recipientCountCapped: true }),
      recipients: shown.map(({ subscriberId, topics, exists, journey }): DryRunRecipientDto => ({
        subscriberId,
        exists,
        ...(topics.length > 0 && { topics }),
        steps: fitted(journey.told, room),
      })),
      ...(shown.length < count && { truncated: true }),
    }));
  }

  /** Versions as a trigger of now would run them. */
  private async loadWorkflows(events: DryRunEvent[], now: Date): Promise<(event: DryRunEvent) => RunningWorkflow> {
    const referenceOf = ({ workflow }: DryRunEvent) => ({
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      workflowUpdatedAt: now,
    });
    // Of its own: a cache that outlives this call needs rows that say when a workflow changed.
    const workflowOf = await new WorkflowCache(this.database).load(events.map(referenceOf));
    return (event) => workflowOf(referenceOf(event));
  }

  /** Contexts that do not exist yet come with the data that was given for them. */
  private async loadSurroundings(
    environmentId: EnvironmentId,
    events: DryRunEvent[],
  ): Promise<(event: DryRunEvent) => Surroundings> {
    const named = ({ tenant, context }: DryRunEvent) => {
      const { keys } = readContexts(context);
      return { environmentId, notification: { tenant, contextKeys: keys.length > 0 ? keys : null } };
    };
    const stored = await this.surroundings.load(events.map(named));
    return (event) => {
      const { tenant, contexts } = stored(named(event));
      const known = new Set(contexts.map(({ type, contextId }) => `${type}:${contextId}`));
      const fresh = readContexts(event.context).rows.filter(
        ({ type, contextId }) => !known.has(`${type}:${contextId}`),
      );
      return { tenant, contexts: [...contexts, ...fresh.map((row) => ({ data: null, ...row }))] };
    };
  }

  /** The first members of the topics of each event; of a broadcast, the first of everybody. */
  private async sampleMembers(
    environmentId: EnvironmentId,
    audiences: Audience[],
    limit: number,
  ): Promise<MemberSample[]> {
    const topical = audiences.filter(({ topicKeys }) => topicKeys.length > 0);
    const [samples, everybody] = await Promise.all([
      this.store.members(environmentId, topical, limit * LOOKED_AT),
      audiences.some(({ broadcast }) => broadcast) ? this.store.everybody(environmentId, limit) : NO_MEMBERS,
    ]);
    const sampleOf = new Map(topical.map((audience, index) => [audience, samples[index]!]));
    return audiences.map((audience) => (audience.broadcast ? everybody : (sampleOf.get(audience) ?? NO_MEMBERS)));
  }

  private async gather(
    environmentId: EnvironmentId,
    events: DryRunEvent[],
    audiences: Audience[],
    samples: MemberSample[],
    integrations: Integration[],
    limit: number,
  ): Promise<Crowd> {
    const ids = new Set([
      ...audiences.flatMap(({ individuals }) => individuals.slice(0, limit).map(({ subscriberId }) => subscriberId)),
      ...audiences.flatMap(({ actor }) => actor?.subscriberId ?? []),
      ...samples.flatMap(({ members }) => members.map(({ subscriberId }) => subscriberId)),
    ]);
    const workflowIds = new Set(events.map(({ workflow }) => workflow.id));
    const known = await this.store.subscribers(environmentId, [...ids], [...workflowIds]);
    return new Crowd(known, integrations, (channel) => openChannel(this.secrets, { ...channel, environmentId }));
  }

  /** Step by step, everybody together. */
  private async walk(environmentId: EnvironmentId, journeys: Journey[], integrations: Integration[]): Promise<void> {
    const longest = Math.max(0, ...journeys.map(({ steps }) => steps.length));
    for (let position = 0; position < longest; position += 1) {
      const reached = journeys
        .filter(({ steps }) => position < steps.length)
        .map((journey) => ({ journey, step: journey.steps[position]! }));
      for (const { journey, step } of reached) if (journey.end) tell(journey, step, journey.end);
      const open = reached.filter(({ journey }) => !journey.end);
      const isChannel = ({ step }: (typeof open)[number]): boolean => CHANNELS.includes(step.type as Channel);
      const { templates, layouts, suppressions, store } = this;
      await explainTimers(
        { templates, store },
        environmentId,
        open.filter((one) => !isChannel(one)),
      );
      await explainChannels({ templates, layouts, suppressions }, environmentId, integrations, open.filter(isChannel));
    }
  }
}

/** Those named one by one, then members, as far as their own subscriptions let the event through. */
function planOf(
  crowd: Crowd,
  { individuals, actor }: Audience,
  sample: MemberSample,
  place: Place,
  limit: number,
  now: Date,
): Plan {
  const { event, workflow } = place;
  const actedBy = actor && crowd.profileOf(actor.subscriberId);
  const admitted = sample.members.filter(({ subscriberId, preferences }) => {
    const variables = subscriptionVariables(event, actedBy, crowd.profileOf(subscriberId));
    return subscriptionAdmits(preferences, workflow.id, variables, now, place.work);
  });
  const recipients = [
    ...individuals.map(({ subscriberId }) => ({ subscriberId, topics: [], isNamed: true })),
    ...admitted.map(({ subscriberId, topicKeys }) => ({ subscriberId, topics: topicKeys, isNamed: false })),
  ];
  const members = Math.min(sample.count, LIMITS.countCap) - (sample.members.length - admitted.length);
  return {
    count: individuals.length + members,
    isCapped: sample.count > LIMITS.countCap,
    shown: recipients.slice(0, limit).map(({ subscriberId, topics, isNamed }) => ({
      subscriberId,
      topics,
      exists: crowd.has(subscriberId),
      journey: crowd.send(subscriberId, isNamed, place, actedBy, now),
    })),
  };
}

type StoredChannel = KnownSubscriber['channels'][number];
type Person = { known?: KnownSubscriber; profile: JsonObject; doorways: Doorway[]; faults: string[] };

/** The subscribers as they are, and as the events would leave them: each event sees what the ones before it would store. */
class Crowd {
  private readonly people = new Map<string, Person>();
  private readonly known: Map<string, KnownSubscriber>;

  constructor(
    known: KnownSubscriber[],
    private readonly integrations: Integration[],
    private readonly open: (channel: StoredChannel) => ChannelCredentialsDto,
  ) {
    this.known = new Map(known.map((subscriber) => [subscriber.subscriberId, subscriber]));
  }

  has(subscriberId: string): boolean {
    return this.known.has(subscriberId);
  }

  /** What an event says about those it names. */
  store({ individuals, actor }: Audience): void {
    if (actor) Object.assign(this.person(actor.subscriberId).profile, actor.profile);
    for (const { subscriberId, profile, channels } of individuals) {
      const person = this.person(subscriberId);
      Object.assign(person.profile, profile);
      person.faults = channels.flatMap((channel) => this.keep(person, channel) ?? []);
    }
  }

  /** Without what is not there, as the engine hands it on. */
  profileOf(subscriberId: string): JsonObject {
    const { known, profile } = this.person(subscriberId);
    const { firstName, lastName, email, phone, avatar, locale, timezone, data } = known ?? NOBODY;
    const stored = { firstName, lastName, email, phone, avatar, locale, timezone, data, ...profile };
    return { ...withoutNulls(stored), ...(known && { id: known.id }), subscriberId } as JsonObject;
  }

  /** Puts a recipient at the start of the way. */
  send(
    subscriberId: string,
    isNamed: boolean,
    { event, workflow, surroundings, work }: Place,
    actor: JsonObject | undefined,
    now: Date,
  ): Journey {
    const { known, profile, doorways, faults } = this.person(subscriberId);
    const { preferences, channels: _, ...stored } = known ?? { ...NOBODY, subscriberId };
    const { keys } = readContexts(event.context);
    return {
      workflow,
      steps: workflow.steps.filter(({ active }) => active),
      payload: event.payload,
      overrides: event.overrides,
      actor: actor ?? null,
      notification: {
        severity: severityOverride(event.overrides ?? undefined) ?? workflow.severity,
        critical: effectivePreferences({ workflow: workflow.preferences }).critical,
        tenant: event.tenant,
        contextKeys: keys.length > 0 ? keys : null,
      },
      surroundings,
      subscriber: { ...stored, ...profile },
      preferences,
      work,
      doorways,
      warnings: warningsOf(event, isNamed ? faults : []),
      now,
      outputs: {},
      told: [],
    };
  }

  private person(subscriberId: string): Person {
    let person = this.people.get(subscriberId);
    if (!person) {
      const known = this.known.get(subscriberId);
      const doorways = (known?.channels ?? []).map((channel) => ({
        id: channel.id,
        integrationId: channel.integrationId,
        credentials: this.open(channel),
      }));
      this.people.set(subscriberId, (person = { known, profile: {}, doorways, faults: [] }));
    }
    return person;
  }

  /** As a channel that comes with a recipient is stored; returns why it would not be. */
  private keep(person: Person, channel: Json): string | undefined {
    if (!isJsonObject(channel)) return undefined;
    const { providerId, integrationIdentifier, credentials } = channel;
    const integration = this.integrations
      .filter((row) => row.providerId === providerId)
      .findLast(({ identifier }) => integrationIdentifier === undefined || identifier === integrationIdentifier);
    if (!integration) return `there is no active ${String(integrationIdentifier ?? providerId)} integration`;
    const at = person.doorways.findIndex(({ integrationId }) => integrationId === integration.id);
    const stored = person.doorways[at];
    try {
      const merged = mergeCredentials(stored?.credentials ?? {}, credentials as ChannelCredentialsDto);
      const doorway: Doorway = { ...stored, integrationId: integration.id, credentials: merged };
      person.doorways = stored ? person.doorways.with(at, doorway) : [...person.doorways, doorway];
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }
}

const NOBODY: Omit<KnownSubscriber, 'id' | 'subscriberId'> = { ...EMPTY_PROFILE, preferences: [], channels: [] };

function warningsOf({ overrides }: DryRunEvent, faults: string[]): Line[] {
  const unknown = unknownOverrideKeys(overrides ?? undefined);
  const warning = (detail: string, raw: unknown): Line => ({ status: 'Warning', detail, source: 'Payload', raw });
  return [
    ...(unknown.length > 0 ? [warning(OVERRIDES_NOT_READ, { overrides: unknown })] : []),
    ...faults.map((fault) => warning(CHANNEL_NOT_KEPT, fault)),
  ];
}

/** An answer has an end, also where every content is as large as it may be. */
function fitted(steps: Journey['told'], room: { characters: number }): Journey['told'] {
  return steps.map((step) => {
    if (!step.content) return step;
    const characters = JSON.stringify(step.content).length;
    if (characters <= room.characters) {
      room.characters -= characters;
      return step;
    }
    const { content: _, ...rest } = step;
    return { ...rest, contentOmitted: true };
  });
}
