import {
  BUILT_IN_PROVIDER,
  type Channel,
  isChannelStepType,
  type JsonObject,
  type ProviderId,
} from '@clarion/contracts';
import type {
  ActivityNotification,
  ActivityStep,
  DryRunRepository,
  IntegrationRepository,
  KeyOwner,
} from '@clarion/persistence';
import { integrationOverride, orderCandidates, type Variables } from '@clarion/rules';

type Stores = { integrations: IntegrationRepository; subscribers: Pick<DryRunRepository, 'subscribers'> };

/** A completed step of a sandbox was given to the built-in provider. */
const isMeant = ({ type, providerId, state }: ActivityStep): boolean =>
  isChannelStepType(type) && type !== 'in_app' && providerId === BUILT_IN_PROVIDER && state !== 'completed';

/**
 * Names the provider that is meant for each channel step for which none was called: that of the first integration that
 * may send, by the rule of the workers. Without such an integration the step keeps the built-in provider.
 */
export async function withIntendedProviders(
  { integrations, subscribers }: Stores,
  { environmentId }: KeyOwner,
  rows: ActivityNotification[],
  steps: ActivityStep[],
): Promise<ActivityStep[]> {
  if (!steps.some(isMeant)) return steps;
  const active = await integrations.listActive(environmentId);
  const hasConditions = active.some(({ conditions }) => conditions.length > 0);
  const names = new Set(hasConditions ? rows.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []) : []);
  const known = await subscribers.subscribers(environmentId, [...names], []);
  const profileOf = new Map(known.map(({ preferences: _, channels: __, ...profile }) => [profile.id, profile]));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return steps.map((step) => {
    const row = isMeant(step) ? rowOf.get(step.notificationId) : undefined;
    if (!row) return step;
    const channel = step.type as Channel;
    const subscriber = row.subscriber && profileOf.get(row.subscriber.id);
    const variables: Variables = { payload: row.payload ?? {}, subscriber: { ...subscriber } as unknown as JsonObject };
    const integrationIdentifier = integrationOverride(row.overrides ?? undefined, channel);
    const [first] = orderCandidates(active, { channel, integrationIdentifier, variables }).order;
    return first ? { ...step, providerId: first.providerId as ProviderId } : step;
  });
}
