import { isDeepStrictEqual } from 'node:util';
import {
  type ConfigurationsDto,
  type CredentialsDto,
  DomainError,
  type FieldErrors,
  invalidField,
  type Json,
  type ProviderId,
} from '@clarion/contracts';
import { addressFieldsOf, providerFor, SECRET_CREDENTIAL_FIELDS } from '@clarion/providers';

/**
 * Credentials and configurations at rest and in answers. At rest every top-level field is ciphertext of its JSON, bound to
 * its row and name. In answers the secret fields are shown as they are, or as dots and their last characters; dots that
 * come back mean the stored value, as long as it goes to the same address as before.
 */
type Part = 'credentials' | 'configurations';
type Values = { credentials: CredentialsDto; configurations: ConfigurationsDto };
type Given = { [P in Part]?: Values[P] };

const PARTS: Record<Part, { secret: ReadonlySet<string> }> = {
  credentials: { secret: new Set(SECRET_CREDENTIAL_FIELDS) },
  configurations: { secret: new Set(['inboundWebhookSigningKey']) },
};

export { openIntegration as open, type OpenedIntegration, sealIntegration as seal } from '@clarion/platform';

const DOTS = '••••';
/** Blanks around a mask come from copying it. */
const isMask = (text: string): boolean => text.trimStart().startsWith(DOTS);
/** A shorter text would be half given away by its last characters. */
const SHORTEST_WITH_END = 16;

export function mask<P extends Part>(part: P, values: Values[P]): Values[P] {
  return mapFields(values, (field, value) => (PARTS[part].secret.has(field) ? maskValue(value) : value));
}

function maskValue(value: Json): Json {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskValue);
  return typeof value === 'object' && value !== null ? mapFields(value, (_, member) => maskValue(member)) : value;
}

function maskText(text: string): string {
  if (text === '') return '';
  return text.length < SHORTEST_WITH_END ? DOTS : DOTS + text.slice(-4);
}

/** What a caller means by these values: a mask stands for the stored value, and any other mask for a mistake. */
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
 * What an update makes of the stored values. Credentials replace the stored ones as a whole; configurations are set one
 * by one, because the SDK always sends `{}`: those that are left out stay, like those that come back as a mask.
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
 * A secret that the caller did not send in clear goes only to the address for which it was stored: with a new host, or
 * with weaker TLS, a caller that may not read the secret would be able to receive it.
 */
function checkAddress(providerId: ProviderId, after: CredentialsDto, given: Given, stored: Values): void {
  const changed = addressFieldsOf(providerId).filter((field) => !isSameValue(stored.credentials[field], after[field]));
  const kept = changed.length > 0 ? keptSecrets(providerId, given, stored) : [];
  if (kept.length === 0) return;
  const errors: FieldErrors = {};
  for (const path of kept) {
    errors[path] = {
      messages: [
        `${path} is stored for another address, and ${changed.join(', ')} changed: send the value itself again, not its mask`,
      ],
    };
  }
  throw new DomainError('unprocessable', 'Validation Error', { errors });
}

/** The secrets that would be used without the caller having sent them in clear. */
function keptSecrets(providerId: ProviderId, given: Given, stored: Values): string[] {
  const masked = Object.entries(given.credentials ?? {})
    .filter(([field, value]) => PARTS.credentials.secret.has(field) && holdsMask(value as Json))
    .map(([field]) => `credentials.${field}`);
  // Where calls are not signed, this key is part of the address for reports, which goes out with each message.
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
