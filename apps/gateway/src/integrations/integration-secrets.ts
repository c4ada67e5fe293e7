import { type ConfigurationsDto, type CredentialsDto, invalidField, type Json } from '@clarion/contracts';
import { SECRET_CREDENTIAL_FIELDS } from '@clarion/providers';

/**
 * Credentials and configurations at rest and in answers. At rest every top-level field is ciphertext of its JSON, bound to
 * its row and name. In answers the secret fields are shown as they are, or as dots and their last characters; dots that
 * come back mean the stored value.
 */
type Part = 'credentials' | 'configurations';
type Values = { credentials: CredentialsDto; configurations: ConfigurationsDto };

const PARTS: Record<Part, { secret: ReadonlySet<string> }> = {
  credentials: { secret: new Set(SECRET_CREDENTIAL_FIELDS) },
  configurations: { secret: new Set(['inboundWebhookSigningKey']) },
};

export { openIntegration as open, type OpenedIntegration, sealIntegration as seal } from '@clarion/platform';

const DOTS = '••••';
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
    if (!given.startsWith(DOTS)) return given;
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

function mapFields<Result extends object>(values: object, change: (field: string, value: Json) => unknown): Result {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, change(field, value as Json)])) as Result;
}
