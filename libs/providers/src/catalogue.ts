/**
 * What Clarion knows of each provider before it talks to one: the name people call it, its channel, and the credentials
 * it needs. One table per channel, keyed by the vocabulary's list for that channel, so an id that is missing or stands
 * under the wrong channel does not compile.
 */
import {
  type Channel,
  type CHAT_PROVIDERS,
  type EMAIL_PROVIDERS,
  type IN_APP_PROVIDERS,
  type ProviderId,
  PROVIDERS_BY_CHANNEL,
  type PUSH_PROVIDERS,
  type SMS_PROVIDERS,
} from '@clarion/contracts';
import { type CredentialField } from './credential-fields';

export interface ProviderDescription {
  /** Default name of a new integration. */
  readonly displayName: string;
  readonly channel: Channel;
  /** An integration cannot become active without these. */
  readonly required: readonly CredentialField[];
  readonly optional: readonly CredentialField[];
}

type Entry = Pick<ProviderDescription, 'displayName'> & Partial<Pick<ProviderDescription, 'required' | 'optional'>>;
type Table<Ids extends readonly ProviderId[]> = Readonly<Record<Ids[number], Entry>>;

/** Every email provider but our own sends in somebody's name. */
const SENDER = ['from', 'senderName'] as const;

const email: Table<typeof EMAIL_PROVIDERS> = {
  emailjs: { displayName: 'EmailJS', required: ['apiKey', 'secretKey', ...SENDER] },
  mailgun: { displayName: 'Mailgun', required: ['apiKey', 'user', 'domain', ...SENDER], optional: ['baseUrl'] },
  mailjet: { displayName: 'Mailjet', required: ['apiKey', 'secretKey', ...SENDER] },
  mandrill: { displayName: 'Mandrill', required: ['apiKey', ...SENDER] },
  // `domain`, `secretKey` and `accountSid` are the DKIM domain, private key and selector.
  nodemailer: {
    displayName: 'Custom SMTP',
    required: ['host', 'port', ...SENDER],
    optional: [
      'user',
      'password',
      'secure',
      'requireTls',
      'ignoreTls',
      'tlsOptions',
      'domain',
      'secretKey',
      'accountSid',
    ],
  },
  postmark: { displayName: 'Postmark', required: ['apiKey', ...SENDER] },
  sendgrid: { displayName: 'SendGrid', required: ['apiKey', ...SENDER], optional: ['region', 'ipPoolName'] },
  sendinblue: { displayName: 'Brevo', required: ['apiKey', ...SENDER] },
  ses: { displayName: 'Amazon SES', required: ['apiKey', 'secretKey', 'region', ...SENDER] },
  netcore: { displayName: 'Netcore', required: ['apiKey', ...SENDER] },
  'infobip-email': { displayName: 'Infobip Email', required: ['apiKey', 'baseUrl', ...SENDER] },
  resend: { displayName: 'Resend', required: ['apiKey', ...SENDER] },
  plunk: { displayName: 'Plunk', required: ['apiKey', ...SENDER] },
  mailersend: { displayName: 'MailerSend', required: ['apiKey', ...SENDER] },
  mailtrap: { displayName: 'Mailtrap', required: ['apiKey', ...SENDER] },
  outlook365: { displayName: 'Outlook 365', required: ['password', ...SENDER] },
  'platform-email': { displayName: 'Clarion Email' },
  sparkpost: { displayName: 'SparkPost', required: ['apiKey', ...SENDER], optional: ['region'] },
  'email-webhook': { displayName: 'Email Webhook', required: ['webhookUrl', 'secretKey', ...SENDER] },
  braze: { displayName: 'Braze', required: ['apiKey', 'apiURL', 'appID', ...SENDER] },
};

const sms: Table<typeof SMS_PROVIDERS> = {
  clickatell: { displayName: 'Clickatell', required: ['apiKey'] },
  nexmo: { displayName: 'Nexmo', required: ['apiKey', 'secretKey', 'from'] },
  plivo: { displayName: 'Plivo', required: ['accountSid', 'token', 'from'] },
  sms77: { displayName: 'sms77', required: ['apiKey', 'from'] },
  'sms-central': { displayName: 'SMS Central', required: ['user', 'password', 'from'], optional: ['baseUrl'] },
  sns: { displayName: 'Amazon SNS', required: ['apiKey', 'secretKey', 'region'] },
  telnyx: { displayName: 'Telnyx', required: ['apiKey', 'messageProfileId', 'from'] },
  twilio: { displayName: 'Twilio', required: ['accountSid', 'token', 'from'] },
  gupshup: { displayName: 'Gupshup', required: ['user', 'password'] },
  firetext: { displayName: 'FireText', required: ['apiKey', 'from'] },
  'infobip-sms': { displayName: 'Infobip SMS', required: ['apiKey', 'baseUrl', 'from'] },
  'burst-sms': { displayName: 'Burst SMS', required: ['apiKey', 'secretKey'] },
  'bulk-sms': { displayName: 'BulkSMS', required: ['apiToken'], optional: ['from'] },
  'isend-sms': { displayName: 'iSend SMS', required: ['apiToken'], optional: ['from', 'contentType'] },
  'forty-six-elks': { displayName: '46elks', required: ['user', 'password', 'from'] },
  kannel: { displayName: 'Kannel', required: ['host', 'port', 'from'], optional: ['user', 'password'] },
  maqsam: { displayName: 'Maqsam', required: ['apiKey', 'secretKey', 'from'] },
  termii: { displayName: 'Termii', required: ['apiKey', 'from'] },
  'africas-talking': { displayName: "Africa's Talking", required: ['apiKey', 'user', 'from'] },
  'platform-sms': { displayName: 'Clarion SMS' },
  sendchamp: { displayName: 'Sendchamp', required: ['apiKey', 'from'] },
  'generic-sms': {
    displayName: 'Generic SMS',
    required: ['baseUrl', 'apiKeyRequestHeader', 'apiKey', 'idPath', 'from'],
    optional: [
      'secretKeyRequestHeader',
      'secretKey',
      'datePath',
      'authenticateByToken',
      'domain',
      'authenticationTokenKey',
    ],
  },
  clicksend: { displayName: 'ClickSend', required: ['user', 'apiKey', 'from'] },
  bandwidth: { displayName: 'Bandwidth', required: ['user', 'password', 'accountSid', 'from'] },
  messagebird: { displayName: 'MessageBird', required: ['accessKey', 'from'] },
  simpletexting: { displayName: 'SimpleTexting', required: ['apiKey', 'from'] },
  'azure-sms': { displayName: 'Azure SMS', required: ['accessKey', 'from'] },
  'ring-central': {
    displayName: 'RingCentral',
    required: ['clientId', 'secretKey', 'token', 'from'],
    optional: ['secure'],
  },
  'brevo-sms': { displayName: 'Brevo SMS', required: ['apiKey', 'from'] },
  'eazy-sms': { displayName: 'Eazy SMS', required: ['apiKey', 'channelId'] },
  mobishastra: { displayName: 'Mobishastra', required: ['baseUrl', 'user', 'password', 'from'] },
  'afro-message': { displayName: 'AfroMessage', required: ['apiKey', 'senderName', 'from'] },
  unifonic: { displayName: 'Unifonic', required: ['appSid', 'senderId', 'from'] },
  smsmode: { displayName: 'smsmode', required: ['apiKey', 'from'] },
  imedia: { displayName: 'iMedia', required: ['token', 'from'] },
  sinch: { displayName: 'Sinch', required: ['servicePlanId', 'apiToken', 'region', 'from'] },
};

const push: Table<typeof PUSH_PROVIDERS> = {
  fcm: { displayName: 'Firebase Cloud Messaging', required: ['serviceAccount'] },
  // In this order: private key, key id, team id, bundle id.
  apns: {
    displayName: 'Apple Push Notification service',
    required: ['secretKey', 'apiKey', 'projectName', 'applicationId'],
    optional: ['secure'],
  },
  expo: { displayName: 'Expo Push', required: ['apiKey'] },
  'one-signal': { displayName: 'OneSignal', required: ['applicationId', 'apiKey'], optional: ['apiVersion'] },
  pushpad: { displayName: 'Pushpad', required: ['apiKey', 'applicationId'] },
  'push-webhook': { displayName: 'Push Webhook', required: ['webhookUrl', 'secretKey'] },
  'pusher-beams': { displayName: 'Pusher Beams', required: ['instanceId', 'secretKey'] },
  appio: { displayName: 'Appio', required: ['AppIOBaseUrl'] },
};

/** Most chat providers need nothing here: the webhook address is the subscriber's. */
const chat: Table<typeof CHAT_PROVIDERS> = {
  slack: {
    displayName: 'Slack',
    required: ['applicationId', 'clientId', 'secretKey'],
    optional: ['signingSecret', 'redirectUrl', 'hmac'],
  },
  discord: { displayName: 'Discord' },
  msteams: { displayName: 'Microsoft Teams', optional: ['clientId', 'secretKey', 'tenantId', 'redirectUrl'] },
  mattermost: { displayName: 'Mattermost' },
  ryver: { displayName: 'Ryver' },
  zulip: { displayName: 'Zulip' },
  'grafana-on-call': {
    displayName: 'Grafana OnCall',
    optional: ['alertUid', 'title', 'imageUrl', 'state', 'externalLink'],
  },
  getstream: { displayName: 'Stream', required: ['apiKey'] },
  'rocket-chat': { displayName: 'Rocket.Chat', required: ['token', 'user'] },
  'whatsapp-business': {
    displayName: 'WhatsApp Business',
    required: ['apiToken', 'phoneNumberIdentification'],
    optional: ['secretKey', 'token'],
  },
  'chat-webhook': { displayName: 'Chat Webhook', optional: ['secretKey'] },
  'platform-slack': { displayName: 'Clarion Slack' },
};

const inApp: Table<typeof IN_APP_PROVIDERS> = {
  platform: { displayName: 'Clarion In-App', optional: ['hmac'] },
};

function withChannel<Id extends ProviderId>(
  channel: Channel,
  table: Readonly<Record<Id, Entry>>,
): Record<Id, ProviderDescription> {
  const described = Object.entries<Entry>(table).map(([id, { displayName, required = [], optional = [] }]) => [
    id,
    { displayName, channel, required, optional },
  ]);
  return Object.fromEntries(described) as Record<Id, ProviderDescription>;
}

const CATALOGUE: Readonly<Record<ProviderId, ProviderDescription>> = {
  ...withChannel('email', email),
  ...withChannel('sms', sms),
  ...withChannel('push', push),
  ...withChannel('chat', chat),
  ...withChannel('in_app', inApp),
};

/** What an id needs. A caller's string may name no provider at all; then there is no description. */
export function describeProvider(id: ProviderId): ProviderDescription;
export function describeProvider(id: string): ProviderDescription | undefined;
export function describeProvider(id: string): ProviderDescription | undefined {
  return Object.hasOwn(CATALOGUE, id) ? CATALOGUE[id as ProviderId] : undefined;
}

/** Whether `id` names a provider, and one of this channel. */
export function isProviderOf(channel: Channel, id: string): id is ProviderId {
  return (PROVIDERS_BY_CHANNEL[channel] as readonly string[]).includes(id);
}
