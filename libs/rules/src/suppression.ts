import {
  type Channel,
  EXECUTION_DETAILS,
  executionDetail,
  SUPPRESSIBLE_CHANNELS,
  type SuppressibleChannel,
  type SuppressionReason,
} from '@clarion/contracts/core';
import type { Line } from './lines';

/** Suppressed addresses as `suppressionAddress` writes them, each with the reason and the time since when. */
export type Suppressed = ReadonlyMap<string, { reason: SuppressionReason; since: Date }>;

export const NO_SUPPRESSIONS: Suppressed = new Map();

/** The error text of a message whose recipients are all suppressed; the execution detail has the same text. */
export const RECIPIENT_SUPPRESSED = EXECUTION_DETAILS.recipientSuppressed.detail;

export const SUPPRESSED_ERROR = 'recipient_suppressed';

export const isSuppressible = (channel: Channel): channel is SuppressibleChannel =>
  (SUPPRESSIBLE_CHANNELS as readonly Channel[]).includes(channel);

/** One form for the spellings of providers, triggers and people. Undefined: not an address. */
export function suppressionAddress(channel: SuppressibleChannel, text: string): string | undefined {
  if (channel !== 'email') {
    const digits = text.replace(/\D/g, '').replace(/^00/, '');
    return digits === '' ? undefined : `+${digits}`;
  }
  const address = (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined;
}

/** Splits addresses into those that may be written to and those that may not. */
export function withoutSuppressed(
  channel: SuppressibleChannel,
  addresses: string[],
  suppressed: Suppressed,
): { left: string[]; dropped: string[] } {
  if (suppressed.size === 0) return { left: addresses, dropped: [] };
  const isDropped = (address: string): boolean => suppressed.has(suppressionAddress(channel, address) ?? '');
  return {
    left: addresses.filter((address) => !isDropped(address)),
    dropped: addresses.filter(isDropped),
  };
}

/** The detail of suppressed recipients: who they are, why, and the request that lifts the suppression. */
export function suppressedLine(
  name: 'recipientSuppressed' | 'someRecipientsSuppressed',
  channel: SuppressibleChannel,
  addresses: string[],
  suppressed: Suppressed,
): Line {
  const spelled = [...new Set(addresses.map((address) => suppressionAddress(channel, address)!))];
  const recipients = spelled.map((address) => {
    const { reason, since } = suppressed.get(address)!;
    const liftWith = `DELETE /v1/suppressions/${channel}/${encodeURIComponent(address)}`;
    return { address, reason, since: since.toISOString(), liftWith };
  });
  return { ...executionDetail(name), raw: { recipients } };
}
