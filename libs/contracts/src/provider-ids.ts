import type { Channel } from './vocabulary';

export const EMAIL_PROVIDERS = [
  'emailjs',
  'mailgun',
  'mailjet',
  'mandrill',
  'nodemailer',
  'postmark',
  'sendgrid',
  'sendinblue',
  'ses',
  'netcore',
  'infobip-email',
  'resend',
  'plunk',
  'mailersend',
  'mailtrap',
  'outlook365',
  'platform-email',
  'sparkpost',
  'email-webhook',
  'braze',
] as const;

const SMS_PROVIDERS = [
  'clickatell',
  'nexmo',
  'plivo',
  'sms77',
  'sms-central',
  'sns',
  'telnyx',
  'twilio',
  'gupshup',
  'firetext',
  'infobip-sms',
  'burst-sms',
  'bulk-sms',
  'isend-sms',
  'forty-six-elks',
  'kannel',
  'maqsam',
  'termii',
  'africas-talking',
  'platform-sms',
  'sendchamp',
  'generic-sms',
  'clicksend',
  'bandwidth',
  'messagebird',
  'simpletexting',
  'azure-sms',
  'ring-central',
  'brevo-sms',
  'eazy-sms',
  'mobishastra',
  'afro-message',
  'unifonic',
  'smsmode',
  'imedia',
  'sinch',
] as const;

const PUSH_PROVIDERS = [
  'fcm',
  'apns',
  'expo',
  'one-signal',
  'pushpad',
  'push-webhook',
  'pusher-beams',
  'appio',
] as const;

const CHAT_PROVIDERS = [
  'slack',
  'discord',
  'msteams',
  'mattermost',
  'ryver',
  'zulip',
  'grafana-on-call',
  'getstream',
  'rocket-chat',
  'whatsapp-business',
  'chat-webhook',
  'telegram',
  'platform-slack',
] as const;

const IN_APP_PROVIDERS = ['platform'] as const;

export const PROVIDER_IDS = [
  ...EMAIL_PROVIDERS,
  ...SMS_PROVIDERS,
  ...PUSH_PROVIDERS,
  ...IN_APP_PROVIDERS,
  ...CHAT_PROVIDERS,
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Providers for which a subscriber can have credentials. */
export const CHANNEL_PROVIDER_IDS = [...CHAT_PROVIDERS, ...PUSH_PROVIDERS] as const;
export type ChannelProviderId = (typeof CHANNEL_PROVIDER_IDS)[number];

/** Providers that the interface does not name. The generic provider stands for them where its list is closed. */
export const ADDED_PROVIDERS: Readonly<Record<string, ProviderId>> = { telegram: 'chat-webhook' };

export const PROVIDERS_BY_CHANNEL: Record<Channel, readonly ProviderId[]> = {
  in_app: IN_APP_PROVIDERS,
  email: EMAIL_PROVIDERS,
  sms: SMS_PROVIDERS,
  chat: CHAT_PROVIDERS,
  push: PUSH_PROVIDERS,
};

/** Channels that have a primary integration, which is used by default. */
export const PRIMARY_CHANNELS: readonly Channel[] = ['email', 'sms'];

/** The provider id of steps that no provider sends (digest, delay, ...). */
export const BUILT_IN_PROVIDER = 'platform' satisfies ProviderId;

/** They deliver into the outbox of the environment, and are not used beside another integration. */
export const DEMO_PROVIDERS = ['platform-email', 'platform-sms', 'platform-slack'] as const satisfies ProviderId[];

export const isDemoProvider = (providerId: string): boolean =>
  (DEMO_PROVIDERS as readonly string[]).includes(providerId);
