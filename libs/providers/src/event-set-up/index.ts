import type { ProviderId } from '@clarion/contracts/core';
import { words } from '../call';
import { setUpMailgun } from './mailgun-events';
import { setUpResend } from './resend-events';
import { setUpSendgrid } from './sendgrid-events';
import { ask, type SetUpEvents } from './set-up-events';

export { type EventsSetUp, type SetUpEvents } from './set-up-events';

/** The URL carries the key, because the provider signs nothing. */
const withKey = (url: string, key: string): string => `${url}?token=${encodeURIComponent(key)}`;

const setUpPostmark: SetUpEvents = async ({ url, key }, credentials, context) => {
  const on = { Enabled: true };
  const json = {
    Url: withKey(url, key),
    MessageStream: 'outbound',
    Triggers: {
      Open: on,
      Click: on,
      Delivery: on,
      Bounce: { ...on, IncludeContent: false },
      SpamComplaint: { ...on, IncludeContent: false },
      SubscriptionChange: on,
    },
  };
  const headers = { 'x-postmark-server-token': credentials.apiKey, accept: 'application/json' };
  const made = await ask({ url: 'https://api.postmarkapp.com/webhooks', headers, json }, credentials, context, [
    'Message',
  ]);
  return 'ok' in made ? made : { ok: true, signingKey: key };
};

const setUpBrevo: SetUpEvents = async ({ url, key }, credentials, context) => {
  const events = words('sent delivered deferred hardBounce softBounce blocked invalid opened click spam unsubscribed');
  const json = { url: withKey(url, key), description: 'Clarion', events, type: 'transactional' };
  const headers = { 'api-key': credentials.apiKey };
  const made = await ask({ url: 'https://api.brevo.com/v3/webhooks', headers, json }, credentials, context);
  return 'ok' in made ? made : { ok: true, signingKey: key };
};

/** Each message tells these providers where to report, so there is nothing to set up at the provider. */
const setUpByMessage: SetUpEvents = ({ key }) => Promise.resolve({ ok: true, signingKey: key });

const SET_UPS: Readonly<Partial<Record<ProviderId, SetUpEvents>>> = {
  sendgrid: setUpSendgrid,
  resend: setUpResend,
  mailgun: setUpMailgun,
  postmark: setUpPostmark,
  sendinblue: setUpBrevo,
  // Signs with the token of the account.
  twilio: () => Promise.resolve({ ok: true }),
  'brevo-sms': setUpByMessage,
  'burst-sms': setUpByMessage,
  firetext: setUpByMessage,
  'forty-six-elks': setUpByMessage,
  'infobip-email': setUpByMessage,
  'infobip-sms': setUpByMessage,
  kannel: setUpByMessage,
  sinch: setUpByMessage,
  'sms-central': setUpByMessage,
  smsmode: setUpByMessage,
};

/** How the delivery events of a provider are set up; undefined where an operator has to do it. */
export const setUpEventsOf = (id: ProviderId): SetUpEvents | undefined => SET_UPS[id];
