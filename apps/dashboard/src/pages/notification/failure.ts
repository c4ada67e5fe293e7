import type { Job } from './queries';

export type Failure = {
  /** The provider that refused; absent when nothing was sent. */
  provider: string | undefined;
  code: string | undefined;
  reason: string;
  attempts: number;
  at: string | undefined;
  /** Whether the fault passes by itself. */
  lasts: string | undefined;
  advice: string;
};

type Raw = { kind?: string; status?: number | string; message?: string };

/** What to do, by the kind that the gateway gives to the answer of a provider. */
const ADVICE: Record<string, [lasts: string | undefined, advice: string]> = {
  credentials: ['the account was refused', 'correct the credentials of the integration, then replay.'],
  quota: ['the account is at its limit', 'raise the limit at the provider or wait until it ends, then replay.'],
  recipient: ['permanent, so it was not retried', 'correct the address at the subscriber, then replay.'],
  'dead-token': ['permanent, so it was not retried', 'the device is gone; the person has to register it again.'],
  content: ['permanent, so it was not retried', 'correct the template of the step, then replay.'],
  'rate-limited': ['temporary', 'replay at a lower rate, or lower the rate of the integration.'],
  transient: ['temporary', 'replay when the provider works again.'],
  permanent: ['permanent, so it was not retried', 'correct what the provider names, then replay.'],
  'unknown-outcome': [
    'the answer was lost',
    'the message may have arrived. Look at the provider before you replay, or the person may get it twice.',
  ],
};
const NOT_SENT = 'correct what is named, then replay. “Why not?” of the subscriber lists every rule.';

export function failureOf({ executionDetails, providerId, reason }: Job): Failure {
  const failed = executionDetails.findLast(({ status }) => status === 'Failed');
  const raw = read(failed?.raw);
  const [lasts, advice] = ADVICE[raw.kind ?? ''] ?? [undefined, NOT_SENT];
  return {
    provider: raw.kind ? (failed?.providerId ?? providerId) : undefined,
    code: raw.status === undefined ? undefined : String(raw.status),
    reason: reason ?? raw.message ?? failed?.detail ?? 'no reason was recorded',
    attempts: executionDetails.filter((detail) => read(detail.raw).kind !== undefined).length,
    at: failed?.createdAt,
    lasts,
    advice,
  };
}

function read(raw: string | null | undefined): Raw {
  try {
    const value = JSON.parse(raw ?? '{}') as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
