import { DomainError, isJsonObject, type JsonObject, LIMITS } from '@clarion/contracts';
import { parseJsonBody } from '../../edge/http/json-body';

/** Reads a JSON object in base64 or base64url, with or without padding. An unencoded `+` arrives as a space. */
export function readPayloadFilter(text: string): JsonObject {
  const value = parse(text);
  if (!isJsonObject(value) || depthOf(value) > LIMITS.feedPayloadDepth) throw refusal();
  return value;
}

function parse(text: string): unknown {
  const plain = text
    .replaceAll(/[ +]/g, '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
  const bytes = Buffer.from(plain, 'base64');
  // Node skips characters that are not base64. Encoding the result again shows whether it skipped any.
  const isExact = bytes.toString('base64url') === plain;
  if (!isExact || bytes.length > LIMITS.feedPayloadBytes) throw refusal();
  try {
    return parseJsonBody(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw refusal();
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const refusal = (): DomainError =>
  new DomainError('bad_request', 'Invalid payload, the JSON object should be encoded to base64 string.', {
    errors: { payload: { messages: ['payload must be the base64 of a JSON object'] } },
  });
