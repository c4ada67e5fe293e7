import { isDemoProvider } from '@clarion/contracts/core';
import type { ClaimedEndpoint } from '@clarion/persistence';
import { openChannel, openEndpoint, type SecretBox } from '@clarion/platform';
import { type Endpoint, type ReachFacts, readChannelEndpoint } from '@clarion/rules';
import type { ReadyStep } from './channel';
import type { Account } from '../accounts/integration-directory';

/** Only credentials that one of the accounts can use are decrypted. */
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
    ignoredDemos: step.endpoints.flatMap((endpoint) =>
      endpoint.type === undefined && isDemoProvider(endpoint.providerId) && !usable.has(endpoint.integrationId)
        ? endpoint.providerId
        : [],
    ),
    endpoints: step.endpoints
      .filter(({ integrationId }) => usable.has(integrationId))
      .map((endpoint) => openClaimedEndpoint(secrets, environmentId, endpoint)),
  };
}

/** Decrypts a stored webhook, device tokens or a channel endpoint. */
function openClaimedEndpoint(secrets: SecretBox, environmentId: string, endpoint: ClaimedEndpoint): Endpoint {
  const { id, integrationId, credentials: sealed } = endpoint;
  if (endpoint.type === undefined) {
    return { id, integrationId, credentials: openChannel(secrets, { id, environmentId, credentials: sealed }) };
  }
  const fields = openEndpoint(secrets, { id, environmentId, sealed });
  return { id, integrationId, ...readChannelEndpoint(endpoint, fields) };
}
