import { Injectable } from '@nestjs/common';
import {
  type DryRunDto,
  type DryRunRecipientDto,
  type EnvironmentId,
  type JsonObject,
  LIMITS,
  type WithoutIntegration,
  type WorkflowStep,
  isChannelStepType,
  mapInSlices,
  partition,
  TimeSlices,
} from '@clarion/contracts';
import { TemplateRenderer } from '@clarion/content';
import {
  Database,
  DryRunRepository,
  type Hold,
  HoldRepository,
  type Integration,
  IntegrationRepository,
  LayoutRepository,
  type MemberSample,
  type RunningWorkflow,
  SuppressionRepository,
  type Surroundings,
  SurroundingsRepository,
  withSandboxOutbox,
  WorkflowCache,
} from '@clarion/persistence';
import { openChannel, openEndpoint, openIntegration, SecretBox } from '@clarion/platform';
import {
  type Audience,
  callsProvider,
  readAudience,
  readChannelEndpoint,
  readContexts,
  sandboxRuleOf,
  subscriptionAdmits,
  subscriptionVariables,
  Work,
} from '@clarion/rules';
import type { EnvironmentContents } from '@clarion/runtime';
import { readContents } from '../authoring/translations/read-contents';
import { type DryRunEvent, DryRunSubscribers, type ResolvedEvent } from './dry-run-subscribers';
import { explainChannels } from './explain/explain-channels';
import { explainEngineSteps } from './explain/explain-engine-steps';
import { explainHeld, holdOf } from './explain/explain-holds';
import { type DryRunAccount, explainStep, type Journey, type ReachedStep, type IgnoredRules } from './journey';

export const ACCEPTED_BEFORE: DryRunDto = { recipientCount: 0, recipients: [], alreadyAccepted: true };

/** Topic members that are read for each one that is explained: some may have switched the workflow off. */
const MEMBERS_READ_PER_RECIPIENT = 5;
/** Characters of all contents in one response. */
const CONTENT_CHARACTERS = 1024 * 1024;
/** The budget for all conditions of a request, in the steps that `Work` counts. */
const REQUEST_WORK = 300_000;

const NO_MEMBERS: MemberSample = { count: 0, members: [] };

/** The recipients of one event: how many there are, and those that are explained. */
type RecipientPlan = { count: number; isCapped: boolean; explained: PlannedRecipient[] };
/** What decides which integration sends, which steps wait, and in which language. */
type Sending = {
  accounts: DryRunAccount[];
  holds: Hold[];
  withoutIntegration: WithoutIntegration;
  contents: EnvironmentContents;
};
type PlannedRecipient = { subscriberId: string; topics: string[]; exists: boolean; journey: Journey };

/**
 * Explains what triggers would do, and why, without any effect. Rows are read for all events together. All recipients
 * then go through their steps in parallel, so that templates are rendered and windows are read in batches.
 */
@Injectable()
export class DryRunService {
  constructor(
    private readonly database: Database,
    private readonly store: DryRunRepository,
    private readonly integrations: IntegrationRepository,
    private readonly holds: HoldRepository,
    private readonly layouts: LayoutRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly surroundings: SurroundingsRepository,
    private readonly templates: TemplateRenderer,
    private readonly secrets: SecretBox,
  ) {}

  /** One result per event. `traced` adds the evaluated rules of each step; those that are `ignored` stop no step. */
  async explain(
    environmentId: EnvironmentId,
    events: DryRunEvent[],
    { now = new Date(), traced = false, ignored }: { now?: Date; traced?: boolean; ignored?: IgnoredRules } = {},
  ): Promise<DryRunDto[]> {
    if (events.length === 0) return [];
    this.templates.checkBudget(environmentId);
    const share = Math.floor(LIMITS.dryRunRecipients / events.length);
    const limit = Math.min(Math.max(share, 1), LIMITS.dryRunEventRecipients);
    const audiences = events.map(readAudience);
    const contents = await readContents({ database: this.database, renderer: this.templates }, environmentId);
    const [surroundingsOf, integrations, settings, holds, samples] = await Promise.all([
      this.loadSurroundings(environmentId, events, contents.variables(environmentId)),
      this.integrations.listActive(environmentId),
      this.integrations.sendingSettings(environmentId),
      this.holds.listHeld(environmentId),
      this.sampleMembers(environmentId, audiences, limit),
    ]);
    const subscribers = await this.loadSubscribers(environmentId, { events, audiences, samples, integrations, limit });
    const work = new Work(undefined, REQUEST_WORK);
    const holdOfId = new Map(holds.map((hold) => [hold.id, hold]));
    const { withoutIntegration } = settings;
    const sending = withSandboxOutbox(environmentId, settings, integrations);
    const accounts = sending.map(({ holdId, ...row }): DryRunAccount => {
      const sandbox = sandboxRuleOf(settings, row);
      const isCalled = callsProvider(sandbox);
      // Only explanations show the limit: it is encrypted, as all configurations are.
      const rateLimit = traced && isCalled ? openIntegration(this.secrets, row).configurations.rateLimit : undefined;
      return {
        ...row,
        health: isCalled ? row.health : null,
        ...(holdId !== null && { hold: holdOfId.get(holdId)! }),
        ...(rateLimit && { rateLimit }),
        sandbox,
      };
    });
    const dtos: DryRunDto[] = [];
    const left = { characters: CONTENT_CHARACTERS };
    // Events may name many large workflows, so they are explained in parts.
    for (let places = [...events.keys()]; places.length > 0;) {
      const workflowOf = await this.loadWorkflows(
        environmentId,
        places.map((place) => events[place]!),
      );
      const [part, later] = partition(places, (place) => workflowOf(events[place]!) !== undefined);
      const plans = part.map((place): RecipientPlan => {
        const event = events[place]!;
        const audience = audiences[place]!;
        subscribers.apply(audience);
        const workflow = workflowOf(event)!;
        const resolved = { event, workflow, surroundings: surroundingsOf(event), work, traced, ignored };
        return planRecipients(subscribers, { audience, sample: samples[place]!, resolved, limit, now });
      });
      const journeys = plans.flatMap(({ explained }) => explained.map(({ journey }) => journey));
      await this.walk(environmentId, journeys, { accounts, holds, withoutIntegration, contents });
      const described = await toDtos(plans, left);
      for (const [index, place] of part.entries()) dtos[place] = described[index]!;
      places = later;
    }
    return dtos;
  }

  /** The versions that a trigger of this moment would run. */
  private async loadWorkflows(
    environmentId: EnvironmentId,
    events: DryRunEvent[],
  ): Promise<(event: DryRunEvent) => RunningWorkflow | undefined> {
    const now = Date.now();
    const currentVersion = ({ workflow }: DryRunEvent) => ({
      environmentId,
      workflowId: workflow.id,
      workflowVersion: workflow.version,
      workflowUpdatedAt: now,
    });
    // The cache lives for this statement only: a longer-lived one needs to know when each workflow changed.
    const workflowOf = await new WorkflowCache(this.database).load(events.map(currentVersion));
    return (event) => workflowOf(currentVersion(event));
  }

  /** Contexts that do not exist yet have the data that the event gives for them. */
  private async loadSurroundings(
    environmentId: EnvironmentId,
    events: DryRunEvent[],
    variables: Record<string, string> = {},
  ): Promise<(event: DryRunEvent) => Surroundings> {
    const named = ({ tenant, context }: DryRunEvent) => {
      const { keys } = readContexts(context);
      return { environmentId, notification: { tenant, contextKeys: keys.length > 0 ? keys : null } };
    };
    const stored = await this.surroundings.load(events.map(named));
    return (event) => {
      const { tenant, contexts } = stored(named(event));
      const known = new Set(contexts.map(({ type, contextId }) => `${type}:${contextId}`));
      const added = readContexts(event.context).rows.filter(
        ({ type, contextId }) => !known.has(`${type}:${contextId}`),
      );
      return { tenant, contexts: [...contexts, ...added.map((row) => ({ data: null, ...row }))], variables };
    };
  }

  /** The first members of the topics of each event; for a broadcast, the first subscribers of the environment. */
  private async sampleMembers(
    environmentId: EnvironmentId,
    audiences: Audience[],
    limit: number,
  ): Promise<MemberSample[]> {
    const topical = audiences.filter(({ topicKeys }) => topicKeys.length > 0);
    const [samples, allSubscribers] = await Promise.all([
      this.store.members(environmentId, topical, limit * MEMBERS_READ_PER_RECIPIENT),
      audiences.some(({ broadcast }) => broadcast) ? this.store.allSubscribers(environmentId, limit) : NO_MEMBERS,
    ]);
    const sampleOf = new Map(topical.map((audience, index) => [audience, samples[index]!]));
    return audiences.map((audience) => (audience.broadcast ? allSubscribers : (sampleOf.get(audience) ?? NO_MEMBERS)));
  }

  private async loadSubscribers(
    environmentId: EnvironmentId,
    request: {
      events: DryRunEvent[];
      audiences: Audience[];
      samples: MemberSample[];
      integrations: Integration[];
      limit: number;
    },
  ): Promise<DryRunSubscribers> {
    const { events, audiences, samples, integrations, limit } = request;
    const ids = new Set([
      ...audiences.flatMap(({ individuals }) => individuals.slice(0, limit).map(({ subscriberId }) => subscriberId)),
      ...audiences.flatMap(({ actor }) => actor?.subscriberId ?? []),
      ...samples.flatMap(({ members }) => members.map(({ subscriberId }) => subscriberId)),
    ]);
    const workflowIds = new Set(events.map(({ workflow }) => workflow.id));
    const known = await this.store.subscribers(environmentId, [...ids], [...workflowIds]);
    const decrypt = (channel: (typeof known)[number]['channels'][number]) =>
      channel.type === undefined
        ? { credentials: openChannel(this.secrets, { ...channel, environmentId }) }
        : readChannelEndpoint(
            channel,
            openEndpoint(this.secrets, { id: channel.id, environmentId, sealed: channel.credentials }),
          );
    return new DryRunSubscribers(known, integrations, decrypt);
  }

  /** Explains the first step of all recipients, then the second one, and so on. */
  private async walk(environmentId: EnvironmentId, journeys: Journey[], sending: Sending): Promise<void> {
    const { accounts, holds, withoutIntegration, contents } = sending;
    const { templates, layouts, suppressions, store } = this;
    const longest = Math.max(0, ...journeys.map(({ steps }) => steps.length));
    for (let position = 0; position < longest; position += 1) {
      const reached = journeys
        .filter(({ steps }) => position < steps.length)
        .map((journey): ReachedStep => ({ journey, step: journey.steps[position]! }));
      const [ended, running] = partition(reached, ({ journey }) => journey.end !== undefined);
      for (const item of ended) explainStep(item, item.journey.end!);
      const [held, free] = partition(running, (item) => holdOf(holds, item) !== undefined);
      for (const item of held) explainHeld(item, holdOf(holds, item)!);
      const [channelSteps, engineSteps] = partition(free, isChannelStep);
      await explainEngineSteps({ templates, store }, environmentId, engineSteps);
      const parts = { templates, layouts, suppressions, withoutIntegration, contents };
      await explainChannels(parts, environmentId, accounts, channelSteps);
    }
  }
}

const isChannelStep = ({ step }: { step: WorkflowStep }): boolean => isChannelStepType(step.type);

/** The recipients that the event names, then topic members whose subscriptions let the event through. */
function planRecipients(
  subscribers: DryRunSubscribers,
  request: { audience: Audience; sample: MemberSample; resolved: ResolvedEvent; limit: number; now: Date },
): RecipientPlan {
  const { audience, sample, resolved, limit, now } = request;
  const { individuals, actor } = audience;
  const actorProfile = actor && subscribers.profileOf(actor.subscriberId);
  const admitted = sample.members.filter(({ subscriberId, preferences }) => {
    const profile = subscribers.profileOf(subscriberId);
    const variables = subscriptionVariables(resolved.event, actorProfile, profile);
    return subscriptionAdmits(preferences, resolved.workflow.id, variables, now, resolved.work);
  });
  const recipients = [
    ...individuals.map(({ subscriberId }) => ({ subscriberId, topics: [], isNamed: true })),
    ...admitted.map(({ subscriberId, topicKeys }) => ({ subscriberId, topics: topicKeys, isNamed: false })),
  ];
  const members = Math.min(sample.count, LIMITS.countCap) - (sample.members.length - admitted.length);
  return {
    count: individuals.length + members,
    isCapped: sample.count > LIMITS.countCap,
    explained: recipients.slice(0, limit).map((recipient): PlannedRecipient => ({
      subscriberId: recipient.subscriberId,
      topics: recipient.topics,
      exists: subscribers.exists(recipient.subscriberId),
      journey: subscribers.startJourney(recipient, resolved, actorProfile as JsonObject | undefined, now),
    })),
  };
}

async function toDtos(plans: RecipientPlan[], left: { characters: number }): Promise<DryRunDto[]> {
  const slices = new TimeSlices();
  const dtos: DryRunDto[] = [];
  for (const { count, isCapped, explained } of plans) {
    const toRecipient = ({ subscriberId, topics, exists, journey }: PlannedRecipient): DryRunRecipientDto => ({
      subscriberId,
      exists,
      ...(topics.length > 0 && { topics }),
      steps: withoutLargeContents(journey.explained, left),
    });
    dtos.push({
      recipientCount: count,
      ...(isCapped && { recipientCountCapped: true }),
      recipients: await mapInSlices(explained, toRecipient, slices),
      ...(explained.length < count && { truncated: true }),
    });
  }
  return dtos;
}

/** Leaves contents out once the response has no characters left for them. */
function withoutLargeContents(steps: Journey['explained'], left: { characters: number }): Journey['explained'] {
  return steps.map((step) => {
    if (!step.content) return step;
    const characters = JSON.stringify(step.content).length;
    if (characters <= left.characters) {
      left.characters -= characters;
      return step;
    }
    const { content: _, ...rest } = step;
    return { ...rest, contentOmitted: true };
  });
}
