/**
 * Checks an integration's credentials without a network call: required fields are present, and fields with a known
 * format have it. Unknown fields and fields of other providers are ignored. A reason never quotes a value, because
 * reasons appear in responses and logs, and values are secrets.
 */
import { isJsonObject, type ProviderId } from '@clarion/contracts/core';
import { describeProvider } from './catalogue';
import { CREDENTIAL_BOOLEAN_FIELDS, CREDENTIAL_OBJECT_FIELDS, type CredentialField } from './credential-fields';
import { HEADER_NAME, RESERVED_HEADERS } from './header-names';
import { parseKeyFile } from './json-paths';

/** Credentials as the caller sent them: any of the fields, of any type. */
export type UncheckedCredentials = Readonly<Partial<Record<CredentialField, unknown>>>;

export interface CredentialCheck {
  missing: string[];
  invalid: { field: string; reason: string }[];
}

/** What is wrong with a value, as the rest of a sentence that starts with the field name. */
type Fault = string | undefined;

const SERVICE_ACCOUNT_KEYS = ['project_id', 'client_email', 'private_key'] as const;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function portFault(text: string): Fault {
  const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
  return isPort ? undefined : 'must be a port number from 1 to 65535';
}

function urlFault(text: string): Fault {
  // The pattern comes first because `URL` adds missing slashes and drops line breaks, and the original text is stored.
  const isUrl = /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text);
  return isUrl ? undefined : 'must be a full http:// or https:// URL';
}

function headerNameFault(text: string): Fault {
  if (!HEADER_NAME.test(text)) {
    return 'must be a header name: letters, digits and hyphens, no spaces';
  }
  return RESERVED_HEADERS.has(text.toLowerCase()) ? 'must not be a header that the connection itself uses' : undefined;
}

function serviceAccountFault(text: string): Fault {
  const account = parseKeyFile(text);
  if (!isJsonObject(account)) return 'must be the JSON text of a service account key file';
  const absent = SERVICE_ACCOUNT_KEYS.filter((key) => typeof account[key] !== 'string' || isBlank(account[key]));
  return absent.length === 0 ? undefined : `must contain ${absent.join(', ')} as text`;
}

/** Some providers give their customers a host without a scheme. */
const BARE_HOSTS: ReadonlySet<ProviderId> = new Set(['braze', 'infobip-email', 'infobip-sms']);
const BARE_HOST_FIELDS: readonly CredentialField[] = ['apiURL', 'baseUrl'];
const BARE_HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?\/?$/i;

/** Text fields with a known format. */
const SHAPES: Partial<Record<CredentialField, (text: string) => Fault>> = {
  port: portFault,
  baseUrl: urlFault,
  webhookUrl: urlFault,
  apiURL: urlFault,
  AppIOBaseUrl: urlFault,
  apiKeyRequestHeader: headerNameFault,
  secretKeyRequestHeader: headerNameFault,
  authenticationTokenKey: headerNameFault,
  serviceAccount: serviceAccountFault,
};

/** What a value of the field must look like; undefined where any text is good. */
export const shapeOf = (field: CredentialField): string | undefined => SHAPES[field]?.('');

const isOneOf = (fields: readonly string[], field: string): boolean => fields.includes(field);

function faultOf(field: CredentialField, value: unknown): Fault {
  if (isOneOf(CREDENTIAL_BOOLEAN_FIELDS, field)) {
    return typeof value === 'boolean' ? undefined : 'must be true or false';
  }
  if (isOneOf(CREDENTIAL_OBJECT_FIELDS, field)) {
    return isObject(value) ? undefined : 'must be an object';
  }
  if (typeof value !== 'string') {
    return 'must be text';
  }
  return SHAPES[field]?.(value);
}

/** Two empty lists mean that the credentials are complete and well formed. Blank text counts as missing. */
export function checkCredentials(providerId: ProviderId, credentials: UncheckedCredentials): CredentialCheck {
  const { required, optional } = describeProvider(providerId);
  const missing = required
    .map((requirement): readonly CredentialField[] => (typeof requirement === 'string' ? [requirement] : requirement))
    .filter((fields) => fields.every((field) => isBlank(credentials[field])))
    .map((fields) => fields.join(' or '));
  const invalid: CredentialCheck['invalid'] = [];
  for (const field of [...(required.flat() as CredentialField[]), ...optional]) {
    const value = credentials[field];
    const isBareHost = BARE_HOSTS.has(providerId) && BARE_HOST_FIELDS.includes(field) && BARE_HOST.test(String(value));
    const reason = isBlank(value) || isBareHost ? undefined : faultOf(field, value);
    if (reason !== undefined) {
      invalid.push({ field, reason });
    }
  }
  return { missing, invalid };
}
