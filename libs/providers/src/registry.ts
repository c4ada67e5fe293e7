import { type ProviderId } from '@clarion/contracts';
import { chatWebhook } from './chat/chat-webhook.provider';
import { discord } from './chat/discord.provider';
import { mattermost } from './chat/mattermost.provider';
import { msteams } from './chat/msteams.provider';
import { slack } from './chat/slack.provider';
import { emailWebhook } from './email/email-webhook.provider';
import { mailgun } from './email/mailgun.provider';
import { nodemailer } from './email/nodemailer.provider';
import { resend } from './email/resend.provider';
import { sendgrid } from './email/sendgrid.provider';
import { type Provider } from './provider';
import { expo } from './push/expo.provider';
import { fcm } from './push/fcm.provider';
import { oneSignal } from './push/one-signal.provider';
import { pushWebhook } from './push/push-webhook.provider';
import { genericSms } from './sms/generic-sms.provider';
import { nexmo } from './sms/nexmo.provider';
import { twilio } from './sms/twilio.provider';

const PROVIDERS: readonly Provider[] = [
  sendgrid,
  resend,
  mailgun,
  nodemailer,
  emailWebhook,
  twilio,
  nexmo,
  genericSms,
  slack,
  discord,
  msteams,
  mattermost,
  chatWebhook,
  expo,
  oneSignal,
  pushWebhook,
  fcm,
];

const BY_ID: ReadonlyMap<ProviderId, Provider> = new Map(PROVIDERS.map((provider) => [provider.id, provider]));

/** The adapter of a provider; undefined for ids that nobody has built one for yet. */
export function providerFor(id: ProviderId): Provider | undefined {
  return BY_ID.get(id);
}
