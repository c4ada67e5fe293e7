import type { ClaimedStep } from '@clarion/persistence';
import type { FailureKind, ProviderError } from '@clarion/providers';
import type { Account } from '../accounts/integration-directory';
import type { Delivery } from './channel';

/** Attempts on one account before a failure that may pass moves the message to the next account. */
const ATTEMPTS_PER_ACCOUNT = 2;

const PASSING: ReadonlySet<FailureKind> = new Set(['transient', 'rate-limited', 'unknown-outcome']);

/** A later attempt may succeed. */
export const isPassing = ({ kind }: ProviderError): boolean => PASSING.has(kind);

/** The provider rejects the account, not the message. */
export const isAccountFailure = ({ kind }: ProviderError): boolean => kind === 'credentials' || kind === 'quota';

/** The account of the integration is rejected, and not an address or a token of the subscriber. */
export const rejectsAccount = (result: ProviderError, { ownAddress }: Pick<Delivery, 'ownAddress'>): boolean =>
  isAccountFailure(result) && !ownAddress && !result.isTokenRefused;

/**
 * Whether the next account may help. Waiting does not repair an account, so account failures fail over at once. A
 * failure that may pass gets a second attempt on the same account first. After an unknown outcome the same account is
 * called again, because only that provider can recognise the message and not send it twice.
 */
export function failsOver(result: ProviderError, step: ClaimedStep, account: Account): boolean {
  if (isAccountFailure(result)) return true;
  const mayPass = result.kind === 'transient' || result.kind === 'rate-limited';
  if (!mayPass || result.retryAfterMs !== undefined) return false;
  return step.attempt >= ATTEMPTS_PER_ACCOUNT && (step.integrationId === account.id || step.integrationId === null);
}
