import {
  type Channel,
  SUPPRESSIBLE_CHANNELS,
  type SuppressibleChannel,
  type SuppressionReason,
} from '@clarion/contracts/core';
import type { Line } from './admit-step';

/** Addresses that nothing is sent to, as `suppressionAddress` spells them, each with why and since when. */
export type Suppressed = ReadonlyMap<string, { reason: SuppressionReason; since: Date }>;

export const NOBODY_SUPPRESSED: Suppressed = new Map();

export const RECIPIENT_SUPPRESSED = 'Recipient is suppressed';

/** The `errorId` of a message that has nobody left to go to. */
export const SUPPRESSED_ERROR = 'recipient_suppressed';

export const isSuppressible = (channel: Channel): channel is SuppressibleChannel =>
  (SUPPRESSIBLE_CHANNELS as readonly Channel[]).includes(channel);

/**
 * One spelling for all that mean the same: providers, triggers and people each write addresses in their own way. Undefined
 * for what is no address at all.
 */
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

/** Says who is left out, why, and how to lift it. */
export function suppressedLine(
  status: 'Failed' | 'Warning',
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
  return { status, detail: RECIPIENT_SUPPRESSED, raw: { recipients } };
}
