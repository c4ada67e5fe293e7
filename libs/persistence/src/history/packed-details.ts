import type { PackedDetail } from '../entities';
import { storableJson } from '../sql/storable-json';
import type { NewDetail } from '../work/steps/step-rows';

/** The execution details of an outcome as one JSON value; the default values are left out. */
export function packDetails(stepId: string, details: NewDetail[]): string {
  return storableJson(
    details.map(({ detail, status, source, isRetry, providerId, messageId, raw }): PackedDetail => ({
      d: detail,
      ...(status !== 'Success' && { s: status }),
      ...(source !== undefined && source !== 'Internal' && { o: source }),
      ...(isRetry && { t: true }),
      ...(providerId !== undefined && { p: providerId }),
      ...(messageId !== undefined && { m: messageId === stepId ? true : messageId }),
      ...(raw !== undefined && { r: raw }),
    })),
  );
}

/** A packed detail with a status and a text that the statement gets as parameters. */
export const packedDetail = (status: string, detail: string, raw?: string): string =>
  `json_build_array(json_strip_nulls(json_build_object('d', ${detail}, 's', nullif(${status}, 'Success'),
    'r', ${raw ?? 'NULL'}::text)))`;
