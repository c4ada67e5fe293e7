/**
 * Names of the credential fields of an integration. All providers share one flat list, so a name has different
 * meanings: `secretKey` is a private key for apns and a DKIM key for nodemailer. Each provider's file lists the fields
 * it uses.
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
  // Beyond the fields that Novu has.
  'apiURL',
  'appID',
  'servicePlanId',
  'contentType',
  'signingSecret',
  'tenantId',
  'apiVersion',
] as const;
type CredentialStringField = (typeof CREDENTIAL_STRING_FIELDS)[number];

export const CREDENTIAL_BOOLEAN_FIELDS = ['secure', 'requireTls', 'ignoreTls', 'hmac', 'authenticateByToken'] as const;
type CredentialBooleanField = (typeof CREDENTIAL_BOOLEAN_FIELDS)[number];

export const CREDENTIAL_OBJECT_FIELDS = ['tlsOptions'] as const;
type CredentialObjectField = (typeof CREDENTIAL_OBJECT_FIELDS)[number];

export type CredentialField = CredentialStringField | CredentialBooleanField | CredentialObjectField;

/**
 * Secret fields. They are never logged, and they are masked unless the caller may see them. The webhook URL and the
 * AppSid are secret because they alone allow sending. The TLS options are secret because they may contain a private
 * key.
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
 * Fields that decide where a request goes and how the connection is protected. A stored secret is kept only while these
 * are unchanged, so that a caller who cannot read the secret cannot have it sent to another host.
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

/** Fields that are part of the address for these providers only. */
const FURTHER_ADDRESS_FIELDS: Readonly<Partial<Record<ProviderId, readonly CredentialField[]>>> = {
  // The user `sandbox` is served by a test host.
  'africas-talking': ['user'],
  // A connection string: endpoint and key in one text.
  'azure-sms': ['accessKey'],
  // These decide whether the keys go to the message endpoint or to the token endpoint.
  'generic-sms': ['authenticateByToken', 'authenticationTokenKey'],
};

export const addressFieldsOf = (id: ProviderId): readonly CredentialField[] => [
  ...ADDRESS_CREDENTIAL_FIELDS,
  ...(FURTHER_ADDRESS_FIELDS[id] ?? []),
];
