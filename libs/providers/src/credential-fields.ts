/**
 * Names of the credential fields of an integration (spec 2.5), plus the few that single providers cannot do without and
 * the spec does not list. One flat vocabulary for all providers, so a name means different things for different ones:
 * `secretKey` is a private key for apns and a DKIM key for nodemailer. What each provider takes is in `catalogue.ts`.
 */
import type { ProviderId } from '@clarion/contracts/core';

export const CREDENTIAL_STRING_FIELDS = [
  'apiKey',
  'user',
  'secretKey',
  'domain',
  'password',
  'host',
  'port',
  'region',
  'accountSid',
  'messageProfileId',
  'token',
  'from',
  'senderName',
  'projectName',
  'applicationId',
  'clientId',
  'baseUrl',
  'webhookUrl',
  'redirectUrl',
  'serviceAccount',
  'ipPoolName',
  'apiKeyRequestHeader',
  'secretKeyRequestHeader',
  'idPath',
  'datePath',
  'apiToken',
  'authenticationTokenKey',
  'instanceId',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalLink',
  'channelId',
  'phoneNumberIdentification',
  'accessKey',
  'appSid',
  'senderId',
  'AppIOBaseUrl',
  // Not in the spec's list.
  'apiURL',
  'appID',
  'servicePlanId',
  'contentType',
  'signingSecret',
  'tenantId',
  'apiVersion',
] as const;
export type CredentialStringField = (typeof CREDENTIAL_STRING_FIELDS)[number];

export const CREDENTIAL_BOOLEAN_FIELDS = ['secure', 'requireTls', 'ignoreTls', 'hmac', 'authenticateByToken'] as const;
export type CredentialBooleanField = (typeof CREDENTIAL_BOOLEAN_FIELDS)[number];

export const CREDENTIAL_OBJECT_FIELDS = ['tlsOptions'] as const;
export type CredentialObjectField = (typeof CREDENTIAL_OBJECT_FIELDS)[number];

export type CredentialField = CredentialStringField | CredentialBooleanField | CredentialObjectField;

/** Credentials after they passed `checkCredentials`: what a provider is given to send with. */
export type Credentials = Readonly<
  Partial<
    Record<CredentialStringField, string> &
      Record<CredentialBooleanField, boolean> &
      Record<CredentialObjectField, Readonly<Record<string, unknown>>>
  >
>;

/**
 * Fields that open something: never logged, and masked wherever not everything may be shown. The webhook URL and the
 * AppSid are here because they are all it takes to send, and the TLS options because they may hold a private key.
 */
export const SECRET_CREDENTIAL_FIELDS: readonly CredentialField[] = [
  'apiKey',
  'secretKey',
  'password',
  'token',
  'apiToken',
  'accessKey',
  'serviceAccount',
  'signingSecret',
  'webhookUrl',
  'appSid',
  'tlsOptions',
];

/**
 * Fields that choose where a request goes and how well the connection is protected. A stored secret is only kept while
 * these stay as they are, so that a caller who cannot read the secret cannot have it sent to a host of its choice.
 */
const ADDRESS_CREDENTIAL_FIELDS: readonly CredentialField[] = [
  'host',
  'port',
  'baseUrl',
  'apiURL',
  'AppIOBaseUrl',
  'webhookUrl',
  'domain',
  'region',
  'instanceId',
  'tenantId',
  'secure',
  'requireTls',
  'ignoreTls',
  'tlsOptions',
];

/** Fields with another meaning for most providers. */
const FURTHER_ADDRESS_FIELDS: Readonly<Partial<Record<ProviderId, readonly CredentialField[]>>> = {
  // The user `sandbox` is served by a host for tests.
  'africas-talking': ['user'],
  // A connection string: the endpoint and its key in one text.
  'azure-sms': ['accessKey'],
  // Whether the keys go to the endpoint for messages or to the one for tokens.
  'generic-sms': ['authenticateByToken', 'authenticationTokenKey'],
};

export const addressFieldsOf = (id: ProviderId): readonly CredentialField[] => [
  ...ADDRESS_CREDENTIAL_FIELDS,
  ...(FURTHER_ADDRESS_FIELDS[id] ?? []),
];
