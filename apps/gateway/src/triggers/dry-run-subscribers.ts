import {
  type ChannelCredentialsDto,
  DomainError,
  executionDetail,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@clarion/contracts';
import { type ClaimedTrigger, EMPTY_PROFILE, type Integration, type KnownSubscriber } from '@clarion/persistence';
import {
  type Audience,
  effectivePreferences,
  type Endpoint,
  type Line,
  mergeCredentials,
  readContexts,
  severityOverride,
  unknownOverrideKeys,
} from '@clarion/rules';
import { withoutNulls } from '../edge/http/page';
import type { TriggerableWorkflow } from '../authoring/workflows/workflow-directory';
import type { Journey } from './journey';

export type DryRunEvent = Pick<
  ClaimedTrigger,
  'recipients' | 'payload' | 'overrides' | 'actor' | 'tenant' | 'context'
> & {
  workflow: TriggerableWorkflow;
  /** In seconds. */
  ttl?: number;
};

/** An event with everything that its steps read from the database, and the budget for its conditions. */
export type ResolvedEvent = Pick<Journey, 'workflow' | 'surroundings' | 'work' | 'ignored'> & {
  event: DryRunEvent;
  /** Whether the rules of each step are part of the answer. */
  traced: boolean;
};

type StoredChannel = KnownSubscriber['channels'][number];

/** One subscriber: the stored row, the fields that the events change, and the channels after these changes. */
type SimulatedSubscriber = { known?: KnownSubscriber; profile: JsonObject; endpoints: Endpoint[]; faults: string[] };

const NEW_SUBSCRIBER: Omit<KnownSubscriber, 'id' | 'subscriberId'> = {
  ...EMPTY_PROFILE,
  preferences: [],
  channels: [],
};

/** The subscribers of a dry run. Each event sees what the events before it would store; nothing is written. */
export class DryRunSubscribers {
  private readonly simulated = new Map<string, SimulatedSubscriber>();
  private readonly known: Map<string, KnownSubscriber>;

  constructor(
    known: KnownSubscriber[],
    private readonly integrations: Integration[],
    private readonly decrypt: (channel: StoredChannel) => Pick<Endpoint, 'credentials' | 'channel'>,
  ) {
    this.known = new Map(known.map((subscriber) => [subscriber.subscriberId, subscriber]));
  }

  exists(subscriberId: string): boolean {
    return this.known.has(subscriberId);
  }

  apply({ individuals, actor }: Audience): void {
    if (actor) Object.assign(this.subscriber(actor.subscriberId).profile, actor.profile);
    for (const { subscriberId, profile, channels } of individuals) {
      const subscriber = this.subscriber(subscriberId);
      Object.assign(subscriber.profile, profile);
      const faults = channels.flatMap((channel) => this.applyChannel(subscriber, channel) ?? []);
      subscriber.faults = [...new Set(faults)];
    }
  }

  /** The profile as the engine passes it to conditions: fields without a value are left out. */
  profileOf(subscriberId: string): JsonObject {
    const { known, profile } = this.subscriber(subscriberId);
    const { firstName, lastName, email, phone, avatar, locale, timezone, data } = known ?? NEW_SUBSCRIBER;
    const stored = { firstName, lastName, email, phone, avatar, locale, timezone, data, ...profile };
    return { ...withoutNulls(stored), ...(known && { id: known.id }), subscriberId } as JsonObject;
  }

  /** The start of a recipient's way through the workflow. `isNamed`: the event names the recipient itself. */
  startJourney(
    recipient: { subscriberId: string; isNamed: boolean },
    { event, workflow, surroundings, work, traced, ignored }: ResolvedEvent,
    actor: JsonObject | undefined,
    now: Date,
  ): Journey {
    const { subscriberId, isNamed } = recipient;
    const { known, profile, endpoints, faults } = this.subscriber(subscriberId);
    const { preferences, channels: _, ...stored } = known ?? { ...NEW_SUBSCRIBER, subscriberId };
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
      endpoints,
      warnings: warningsOf(event, isNamed ? faults : []),
      now,
      ...(event.ttl !== undefined && { ttl: event.ttl, expiresAt: now.getTime() + event.ttl * 1_000 }),
      outputs: {},
      earlier: {},
      explained: [],
      ...(traced && { rules: [] }),
      ...(ignored && { ignored }),
    };
  }

  private subscriber(subscriberId: string): SimulatedSubscriber {
    let subscriber = this.simulated.get(subscriberId);
    if (!subscriber) {
      const known = this.known.get(subscriberId);
      const endpoints = (known?.channels ?? []).map((channel) => ({
        id: channel.id,
        integrationId: channel.integrationId,
        ...this.decrypt(channel),
      }));
      this.simulated.set(subscriberId, (subscriber = { known, profile: {}, endpoints, faults: [] }));
    }
    return subscriber;
  }

  /** Adds channel credentials that an event gives for a recipient; returns why the engine would not store them. */
  private applyChannel(subscriber: SimulatedSubscriber, channel: Json): string | undefined {
    if (!isJsonObject(channel)) return undefined;
    const { providerId, integrationIdentifier, credentials } = channel;
    const integration = this.integrations
      .filter((row) => row.providerId === providerId)
      .findLast(({ identifier }) => integrationIdentifier === undefined || identifier === integrationIdentifier);
    if (!integration) return `there is no active ${String(integrationIdentifier ?? providerId)} integration`;
    const at = subscriber.endpoints.findIndex(
      ({ integrationId, channel: own }) => integrationId === integration.id && !own,
    );
    const stored = subscriber.endpoints[at];
    try {
      const merged = mergeCredentials(stored?.credentials ?? {}, credentials as ChannelCredentialsDto);
      const endpoint: Endpoint = { ...stored, integrationId: integration.id, credentials: merged };
      subscriber.endpoints = stored ? subscriber.endpoints.with(at, endpoint) : [...subscriber.endpoints, endpoint];
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }
}

function warningsOf({ overrides }: DryRunEvent, faults: string[]): Line[] {
  const unknown = unknownOverrideKeys(overrides ?? undefined);
  return [
    ...(unknown.length > 0 ? [{ ...executionDetail('overridesUnknown'), raw: { overrides: unknown } }] : []),
    ...faults.map((fault) => ({ ...executionDetail('channelNotStored'), raw: fault })),
  ];
}
