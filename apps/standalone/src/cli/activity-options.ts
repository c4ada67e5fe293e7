import type { ActivityFilterDto } from '@clarion/contracts';
import { CHANNELS, OUTCOMES } from '@clarion/contracts/core';
import { UsageError } from './command';
import { MOMENT, readMoment } from './times';

/** The filters of the activity, as `GET /v1/activity` has them. */
export const ACTIVITY_FILTERS = {
  status: { value: OUTCOMES.join('|'), isRepeated: true },
  channel: { value: CHANNELS.join('|'), isRepeated: true },
  workflow: { value: '<workflowId>', isRepeated: true },
  provider: { value: '<providerId>', isRepeated: true },
  reason: { value: '<part of the reason>' },
  'error-group': { value: '<errorGroup of GET /v1/activity/groups>' },
  subscriber: { value: '<subscriberId, email or phone>' },
  transaction: { value: '<transactionId>', isRepeated: true },
  payload: { value: '<path=value>' },
  since: { value: MOMENT },
  until: { value: MOMENT },
} as const;

type Given = {
  [Name in keyof typeof ACTIVITY_FILTERS]?: (typeof ACTIVITY_FILTERS)[Name] extends { isRepeated: true }
    ? string[] | undefined
    : string | undefined;
};

export function readActivityFilter(given: Given): ActivityFilterDto {
  const { since, until } = given;
  return {
    status: eachOf('status', given.status, OUTCOMES),
    channel: eachOf('channel', given.channel, CHANNELS),
    workflowId: given.workflow,
    providerId: given.provider,
    reason: given.reason,
    errorGroup: given['error-group'],
    subscriber: given.subscriber,
    transactionId: given.transaction,
    payload: given.payload,
    after: since === undefined ? undefined : readMoment('since', since).toISOString(),
    before: until === undefined ? undefined : readMoment('until', until).toISOString(),
  };
}

function eachOf<T extends string>(name: string, values: string[] | undefined, allowed: readonly T[]): T[] | undefined {
  const wrong = values?.find((value) => !(allowed as readonly string[]).includes(value));
  if (wrong !== undefined) throw new UsageError(`--${name} must be one of: ${allowed.join(', ')}, not "${wrong}"`);
  return values as T[] | undefined;
}
