import { isDeepStrictEqual } from 'node:util';
import {
  type CredentialsDto,
  DomainError,
  type FieldErrors,
  invalidField,
  type Json,
  type ProviderId,
} from '@clarion/contracts';
import type { IntegrationPart as Part, IntegrationValues as Values } from '@clarion/platform';
import { addressFieldsOf, providerFor, SECRET_CREDENTIAL_FIELDS } from '@clarion/providers';
import { isMask, maskText } from '../../edge/http/masked-text';

/**
 * Credentials and configurations at rest and in responses. At rest, every top-level field is the ciphertext of its
 * JSON, bound to its row and name. In responses, secret fields are shown in plain text or masked: dots and the last
 * characters. A mask that a caller sends back stands for the stored value, if its address has not changed.
 */
type Given = { [P in Part]?: Values[P] };

const PARTS: Record<Part, { secret: ReadonlySet<string> }> = {
  credentials: { secret: new Set(SECRET_CREDENTIAL_FIELDS) },
  configurations: { secret: new Set(['inboundWebhookSigningKey']) },
};

export { openIntegration as open, type OpenedIntegration, sealIntegration as seal } from '@clarion/platform';

export function mask<P extends Part>(part: P, values: Values[P]): Values[P] {
  return mapFields(values, (field, value) => (PARTS[part].secret.has(field) ? maskValue(value) : value));
}

function maskValue(value: Json): Json {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskValue);
  return typeof value === 'object' && value !== null ? mapFields(value, (_, member) => maskValue(member)) : value;
}

/** Replaces masks by the stored values. Throws on a mask that does not belong to the stored value. */
export function unmask<P extends Part>(part: P, given: Values[P], stored: Values[P]): Values[P] {
  const known = stored as Record<string, Json | undefined>;
  return mapFields(given, (field, value) =>
    PARTS[part].secret.has(field) ? unmaskValue(value, known[field], `${part}.${field}`) : value,
  );
}

function unmaskValue(given: Json, stored: Json | undefined, path: string): Json {
  if (typeof given === 'string') {
    if (!isMask(given)) return given;
    if (typeof stored === 'string' && given === maskText(stored)) return stored;
    throw invalidField(path, `${path} is masked, but not the mask of the stored value: send the value itself`);
  }
  if (Array.isArray(given)) {
    const known = Array.isArray(stored) ? stored : [];
    return given.map((item, index) => unmaskValue(item, known[index], `${path}.${index}`));
  }
  if (typeof given !== 'object' || given === null) return given;
  const known = typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};
  return mapFields(given, (name, member) => unmaskValue(member, known[name], `${path}.${name}`));
}

/**
 * Computes the values after an update. Credentials replace the stored ones as a whole. Configurations are merged,
 * because the SDK always sends `{}`: those that are left out or masked keep their stored value.
 */
export function valuesAfter(
  providerId: ProviderId,
  given: Given,
  stored: Values,
): Given & Pick<Values, 'configurations'> {
  const credentials = given.credentials && unmask('credentials', given.credentials, stored.credentials);
  const configurations = unmask('configurations', given.configurations ?? {}, stored.configurations);
  if (credentials) checkAddress(providerId, credentials, given, stored);
  return { ...(credentials && { credentials }), configurations };
}

/**
 * A stored secret is sent only to the address for which it was stored. Otherwise a caller that may not read the secret
 * could change the host, or weaken TLS, and receive it. To change the address, the caller must send the secret again.
 */
function checkAddress(providerId: ProviderId, after: CredentialsDto, given: Given, stored: Values): void {
  const changed = addressFieldsOf(providerId).filter((field) => !isSameValue(stored.credentials[field], after[field]));
  const kept = changed.length > 0 ? keptSecrets(providerId, given, stored) : [];
  if (kept.length === 0) return;
  const errors: FieldErrors = {};
  for (const path of kept) {
    errors[path] = {
      messages: [
        `${path} is stored for another address, and ${changed.join(', ')} changed: ` +
          'send the value itself again, not its mask',
      ],
    };
  }
  throw new DomainError('unprocessable', 'Validation Error', { errors });
}

/** Returns the stored secrets that the update would use although the caller did not send their values. */
function keptSecrets(providerId: ProviderId, given: Given, stored: Values): string[] {
  const masked = Object.entries(given.credentials ?? {})
    .filter(([field, value]) => PARTS.credentials.secret.has(field) && holdsMask(value as Json))
    .map(([field]) => `credentials.${field}`);
  // If the provider does not sign webhooks, this key is part of the webhook URL that is sent with each message.
  const { inboundWebhookSigningKey: key } = given.configurations ?? {};
  const isKeySent =
    providerFor(providerId)?.events?.keyInUrl === true && stored.configurations.inboundWebhookSigningKey;
  const isKeyKept = isKeySent && (key === undefined || isMask(key));
  return isKeyKept ? [...masked, 'configurations.inboundWebhookSigningKey'] : masked;
}

function holdsMask(value: Json | undefined): boolean {
  if (typeof value === 'string') return isMask(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsMask);
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

const isSameValue = (one: unknown, other: unknown): boolean =>
  (isBlank(one) && isBlank(other)) || isDeepStrictEqual(one, other);

function mapFields<Result extends object>(values: object, change: (field: string, value: Json) => unknown): Result {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, change(field, value as Json)])) as Result;
}
