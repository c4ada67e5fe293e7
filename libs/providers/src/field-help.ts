import type { ProviderId } from '@clarion/contracts/core';
import type { CredentialField } from './credential-fields';

type Help = Partial<Record<CredentialField, string>>;

/** What a field of credentials is, in the words of the pages of providers. */
const HELP: Help = {
  from: 'the address, number or name that messages come from',
  senderName: 'the name that people see beside the address',
  apiKey: 'a key of your account that may send',
  apiToken: 'a token of your account that may send',
  accessKey: 'a key of your account that may send',
  token: 'the token that proves the account',
  secretKey: 'the secret that belongs to the key or the client',
  user: 'the user name of the account',
  password: 'the password of this user',
  accountSid: 'the id of the account',
  applicationId: 'the id of your app at the provider',
  appID: 'the id of your app at the provider',
  clientId: 'the id of your app at the provider',
  tenantId: 'the directory (tenant) id of Microsoft Entra',
  signingSecret: 'proves that a call comes from the provider',
  region: 'the region of your account',
  domain: 'the domain that you send from',
  baseUrl: 'the address of the API',
  webhookUrl: 'the address of your endpoint, which gets each message',
  redirectUrl: 'where people arrive after they connected a workspace',
  host: 'the host name of the server',
  ipPoolName: 'the pool of addresses that sends',
  messageProfileId: 'the messaging profile that sends',
  servicePlanId: 'the id of the service plan',
  instanceId: 'the id of the instance',
};

const SMTP: Help = {
  user: 'the user name at the SMTP server',
  host: 'the name of the SMTP server',
  secure: 'TLS from the first byte, as on port 465',
  requireTls: 'send only after STARTTLS succeeded',
  ignoreTls: 'do not use STARTTLS, even if the server offers it',
  tlsOptions: 'the options of a TLS socket of Node.js, as JSON',
  domain: 'for DKIM: the domain that signs',
  secretKey: 'for DKIM: the private key',
  accountSid: 'for DKIM: the selector',
};
const AWS: Help = {
  apiKey: 'the access key id of an IAM user that may send',
  secretKey: 'the secret access key of this user',
  region: 'the AWS region, such as eu-central-1',
};
const SIGNED: Help = { secretKey: 'signs the calls to your endpoint' };

/** Where a provider means something else than the others. */
const HELP_OF: Partial<Record<ProviderId, Help>> = {
  nodemailer: SMTP,
  emailjs: SMTP,
  ses: AWS,
  sns: AWS,
  'email-webhook': SIGNED,
  'push-webhook': SIGNED,
  'generic-sms': {
    ...SIGNED,
    baseUrl: 'the address of your endpoint, which gets each message',
    domain: 'the address that answers with a token',
  },
  mailgun: { user: 'the user name of the API, usually api' },
  twilio: { accountSid: 'the Account SID, which begins with AC', token: 'the auth token beside the Account SID' },
};

export const helpOf = (id: ProviderId, field: CredentialField): string | undefined =>
  HELP_OF[id]?.[field] ?? HELP[field];
