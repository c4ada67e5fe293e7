import type { ChannelCredentialsDto } from '@clarion/contracts';
import { DomainError, LIMITS } from '@clarion/contracts/core';

/** Given fields overlay the stored ones; device tokens are added to them, each token once. */
export function mergeCredentials(stored: ChannelCredentialsDto, given: ChannelCredentialsDto): ChannelCredentialsDto {
  const overlay = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
  const deviceTokens = [...new Set([...(stored.deviceTokens ?? []), ...(given.deviceTokens ?? [])])];
  if (deviceTokens.length > LIMITS.deviceTokens) {
    throw new DomainError('bad_request', `A subscriber channel holds at most ${LIMITS.deviceTokens} device tokens`, {
      currentCount: stored.deviceTokens?.length ?? 0,
      limit: LIMITS.deviceTokens,
    });
  }
  const hasTokens = stored.deviceTokens !== undefined || given.deviceTokens !== undefined;
  return { ...stored, ...overlay, ...(hasTokens && { deviceTokens }) };
}
