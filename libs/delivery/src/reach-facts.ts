import { openChannel, type SecretBox } from '@clarion/platform';
import type { ReachFacts } from '@clarion/rules';
import type { ReadyStep } from './channel';
import type { Account } from './integration-directory';

/**
 * The facts about the endpoints of a step's subscriber. Only credentials that one of the accounts can use are
 * decrypted.
 */
export function reachFacts(
  { item: { step }, accounts, suppressed }: ReadyStep,
  secrets: SecretBox,
): ReachFacts<Account> {
  const { environmentId, stepKey, notification, subscriber } = step;
  const usable = new Set(accounts.map(({ id }) => id));
  return {
    stepId: stepKey,
    accounts,
    overrides: notification.overrides,
    payload: notification.payload,
    subscriber: subscriber!,
    contextKeys: notification.contextKeys,
    suppressed,
    endpoints: step.endpoints
      .filter(({ integrationId }) => usable.has(integrationId))
      .map((endpoint) => ({
        id: endpoint.id,
        integrationId: endpoint.integrationId,
        credentials: openChannel(secrets, { ...endpoint, environmentId }),
      })),
  };
}
