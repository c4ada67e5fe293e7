import type { PackedDetail } from '../entities';
import { storableJson } from '../sql/storable-json';
import type { NewDetail } from '../work/steps/step-rows';

/** Undefined for now. Subtracted from the clock of the database, so the date of the process does not matter. */
export function agoMs(at: number | undefined, now = performance.now()): number | undefined {
  const milliseconds = at === undefined ? 0 : Math.round(now - at);
  return milliseconds > 0 ? milliseconds : undefined;
}

/** The execution details of an outcome as one JSON value; the default values are left out. */
export function packDetails(stepId: string, details: NewDetail[]): string {
  // One moment for all, so that they stay in order.
  const now = performance.now();
  return storableJson(
    details.map(({ detail, status, source, isRetry, providerId, messageId, raw, at }): PackedDetail => ({
      d: detail,
      a: agoMs(at, now),
      ...(status !== 'Success' && { s: status }),
      ...(source !== undefined && source !== 'Internal' && { o: source }),
      ...(isRetry && { t: true }),
      ...(providerId !== undefined && { p: providerId }),
      ...(messageId !== undefined && { m: messageId === stepId ? true : messageId }),
      ...(raw !== undefined && { r: raw }),
    })),
  );
}

export const packedDetail = (status: string, detail: string, raw?: string): string =>
  `json_build_array(json_strip_nulls(json_build_object('d', ${detail}, 's', nullif(${status}, 'Success'),
    'r', ${raw ?? 'NULL'}::text)))`;
