import type { Channel, EnvironmentId, SuppressionReason } from '@clarion/contracts/core';
import { type Endpoint, isSuppressible, NO_SUPPRESSIONS, suppressibleAddresses, type Suppressed } from '@clarion/rules';
import type { ChannelStrategy, ReadyStep } from './channel';
import type { Account } from '../accounts/integration-directory';
import type { Suppressions } from '../ports';

/** One query for all steps, and none when the claims show that their environments have no suppressions. */
export async function withSuppressions(
  store: Suppressions,
  { channel, endpointsOf }: Pick<ChannelStrategy, 'channel' | 'endpointsOf'>,
  steps: ReadyStep[],
): Promise<ReadyStep[]> {
  if (!isSuppressible(channel)) return steps;
  const wanted = new Map<string, { environmentId: EnvironmentId; address: string }>();
  for (const step of steps) {
    const { environmentId, hasSuppressions } = step.item.step;
    if (!hasSuppressions) continue;
    for (const address of recipientsOf(channel, step, step.accounts, endpointsOf?.(step))) {
      wanted.set(`${environmentId} ${address}`, { environmentId, address });
    }
  }
  if (wanted.size === 0) return steps;
  const found = new Map<string, Map<string, { reason: SuppressionReason; since: Date }>>();
  for (const { environmentId, address, reason, createdAt } of await store.find(channel, [...wanted.values()])) {
    const ofEnvironment = found.get(environmentId) ?? new Map();
    found.set(environmentId, ofEnvironment.set(address, { reason, since: createdAt }));
  }
  const suppressedFor = ({ item }: ReadyStep): Suppressed => found.get(item.step.environmentId) ?? NO_SUPPRESSIONS;
  return steps.map((step) => ({ ...step, suppressed: suppressedFor(step) }));
}

/** Every address that the step sends to through these accounts, normalized as in suppressions. */
export function recipientsOf(
  channel: Channel,
  { item }: ReadyStep,
  accounts: Account[],
  endpoints: Endpoint[] = [],
): string[] {
  const { stepKey: stepId, notification, subscriber } = item.step;
  return suppressibleAddresses(channel, {
    stepId,
    accounts,
    overrides: notification.overrides,
    subscriber: subscriber!,
    endpoints,
  });
}
