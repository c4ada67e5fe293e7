/** Delivery events of SES. They arrive through an SNS topic, and SNS signs them with a certificate of Amazon. */
import { createVerify, X509Certificate } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, readJson } from '@clarion/contracts/core';
import { AccessTokens } from '../access-tokens';
import {
  dateOf,
  type DeliveryEvent,
  type DeliveryEventKind,
  type DeliveryEvents,
  GENUINE,
  type InboundCall,
  type InboundContext,
  isRecent,
  isSame,
  jsonBody,
  notGenuine,
  REPLAY_WINDOW_MS,
  STALE,
  type CallCheck,
} from '../events';
import { listAt, textAt } from '../json-paths';
import { refused } from '../outcome';

/** The tag of a mail with Clarion's message id. */
export const MESSAGE_TAG = 'message_id';

/** SNS retries for this long if the endpoint does not answer, always with the timestamp of the first attempt. */
const LONGEST_RETRY_MS = 6 * 3_600_000;

const CERTIFICATES = new AccessTokens(24 * 3_600_000);
const SNS_HOST = /^sns\.[a-z]{2}(-[a-z]+){1,3}-\d{1,2}\.amazonaws\.com(\.cn)?$/;
const CERTIFICATE_PATH = /^\/[\w.-]+\.pem$/;

const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d+:[\w.-]+$/;
const NO_TOPIC = notGenuine(
  'The integration has to name the ARN of the SNS topic of its events as configurations.inboundWebhookSigningKey',
);

const DIGESTS: Readonly<Record<string, string>> = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' };

/**
 * The signed members by type of call. The signed text has the name and value of each present member on separate lines.
 */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

export const sesEvents: DeliveryEvents = {
  proof: 'signature of Amazon SNS, for the topic whose ARN is the signing key',
  verify: async (call, context) => {
    const envelope = envelopeOf(call);
    const text = envelope && signedTextOf(envelope);
    if (!envelope || text === undefined) return notGenuine('This is no message of Amazon SNS');
    const topic = verifyTopic(envelope, context);
    if (!topic.ok) return topic;
    if (!isRecent(envelope['Timestamp'], context.now(), LONGEST_RETRY_MS + REPLAY_WINDOW_MS)) {
      return STALE;
    }
    const certificate = await certificateAt(envelope['SigningCertURL'] ?? '', context);
    if (certificate === undefined) return notGenuine('There is no certificate of Amazon to check the signature with');
    const digest = DIGESTS[envelope['SignatureVersion'] ?? ''];
    if (digest === undefined) return notGenuine('The signature is of a version that is not known');
    const signature = Buffer.from(envelope['Signature'] ?? '', 'base64');
    return createVerify(digest).update(text).verify(certificate.publicKey, signature)
      ? GENUINE
      : notGenuine('The signature does not fit the message');
  },
  parse: (call) => {
    const envelope = envelopeOf(call);
    if (envelope?.['Type'] !== 'Notification') return [];
    const event = readJson(envelope['Message'] ?? '');
    return isJsonObject(event) ? eventsIn(event, envelope['MessageId'] ?? '') : [];
  },
  // A new topic asks once for a confirmation of the subscription.
  answer: async (call, { http }) => {
    const envelope = envelopeOf(call);
    if (envelope?.['Type'] !== 'SubscriptionConfirmation') return undefined;
    const url = envelope['SubscribeURL'] ?? '';
    if (!isOfSns(url)) return { status: 400, body: 'The SubscribeURL is not at Amazon SNS' };
    const answer = await http.request({ method: 'GET', url, origin: 'provider' }).catch(() => undefined);
    const isConfirmed = answer !== undefined && answer.status >= 200 && answer.status < 300;
    return isConfirmed ? { status: 200 } : { status: 502, body: 'The subscription could not be confirmed' };
  },
};

/** The text members of the envelope. All members that matter are texts. */
function envelopeOf(call: InboundCall): Record<string, string> | undefined {
  const json = jsonBody(call);
  if (!isJsonObject(json)) return undefined;
  const texts = Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

function signedTextOf(envelope: Record<string, string>): string | undefined {
  const type = envelope['Type'] ?? '';
  if (!Object.hasOwn(SIGNED, type)) return undefined;
  return SIGNED[type]!.flatMap((name) => (envelope[name] === undefined ? [] : [`${name}\n${envelope[name]}\n`])).join(
    '',
  );
}

/**
 * Every AWS account may have topics, and Amazon signs for all of them. Only the topic of the integration is accepted.
 */
function verifyTopic(envelope: Record<string, string>, { signingKey }: InboundContext): CallCheck {
  if (!signingKey || !TOPIC_ARN.test(signingKey)) return NO_TOPIC;
  if (isSame(envelope['TopicArn'] ?? '', signingKey)) return GENUINE;
  return notGenuine('configurations.inboundWebhookSigningKey is not the ARN of this topic');
}

function isOfSns(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username } = new URL(text);
  return protocol === 'https:' && SNS_HOST.test(hostname) && port === '' && username === '';
}

async function certificateAt(url: string, { http, now }: InboundContext): Promise<X509Certificate | undefined> {
  if (!isOfSns(url) || !CERTIFICATE_PATH.test(new URL(url).pathname)) return undefined;
  const found = await CERTIFICATES.get(url, now(), async () => {
    const answer = await http.request({ method: 'GET', url, origin: 'provider' }).catch(() => undefined);
    const text = answer?.status === 200 ? answer.body.toString('latin1') : '';
    return text.includes('BEGIN CERTIFICATE')
      ? { ok: true, value: text }
      : { ok: false, failure: refused('The response contains no certificate', 'transient') };
  });
  if (!found.ok) return undefined;
  const certificate = parseCertificate(found.value);
  const isValid = certificate && new Date(certificate.validFrom) <= now() && now() <= new Date(certificate.validTo);
  return isValid ? certificate : undefined;
}

function parseCertificate(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

type Reading = {
  kind: DeliveryEventKind;
  /** The member with the details. */
  about: string;
  /** The member with the addresses. When absent, the event is about the whole mail. */
  recipients?: string;
  reason?: readonly string[];
};

/** Amazon documents two spellings. */
const RENDERING_FAILURE: Reading = { kind: 'failed', about: 'failure', reason: ['errorMessage'] };

const READINGS: Readonly<Record<string, Reading>> = {
  Send: { kind: 'sent', about: 'send' },
  Delivery: { kind: 'delivered', about: 'delivery', recipients: 'recipients' },
  DeliveryDelay: { kind: 'deferred', about: 'deliveryDelay', recipients: 'delayedRecipients', reason: ['delayType'] },
  Bounce: { kind: 'bounced', about: 'bounce', recipients: 'bouncedRecipients', reason: ['bounceSubType'] },
  Complaint: {
    kind: 'complained',
    about: 'complaint',
    recipients: 'complainedRecipients',
    reason: ['complaintFeedbackType'],
  },
  Reject: { kind: 'rejected', about: 'reject', reason: ['reason'] },
  'Rendering Failure': RENDERING_FAILURE,
  RenderingFailure: RENDERING_FAILURE,
  Open: { kind: 'opened', about: 'open' },
  Click: { kind: 'clicked', about: 'click' },
  Subscription: { kind: 'unsubscribed', about: 'subscription' },
};

function eventsIn(event: JsonObject, id: string): DeliveryEvent[] {
  const name = textAt(event, ['eventType']) ?? textAt(event, ['notificationType']) ?? '';
  const reading = Object.hasOwn(READINGS, name) ? READINGS[name]! : undefined;
  const mail = event['mail'];
  const providerMessageId = textAt(mail, ['messageId']);
  if (!reading || providerMessageId === undefined || id === '') return [];
  const about = event[reading.about];
  if (isNoComplaint(about) || (name === 'Subscription' && !hasLeft(about))) return [];
  const messageId = textAt(mail, ['tags', MESSAGE_TAG, 0]);
  const at = dateOf(textAt(about, ['timestamp']) ?? textAt(mail, ['timestamp']));
  return recipientsOf(about, mail, reading).map(({ recipient, reason }) => ({
    id: recipient === undefined ? id : `${id}/${recipient}`,
    kind: reading.kind,
    providerMessageId,
    ...(messageId !== undefined && { messageId }),
    ...(recipient !== undefined && { recipient }),
    ...(at && { at }),
    ...(textAt(about, ['bounceType']) === 'Permanent' && { isPermanent: true }),
    ...(reason !== undefined && { reason }),
  }));
}

function recipientsOf(
  about: Json | undefined,
  mail: Json | undefined,
  { recipients, reason: path }: Reading,
): { recipient: string | undefined; reason: string | undefined }[] {
  const usual = path && textAt(about, path);
  const named = recipients === undefined ? [] : listAt(about, recipients);
  if (named.length > 0) {
    return named.map((one) => ({
      recipient: typeof one === 'string' ? one : textAt(one, ['emailAddress']),
      reason: textAt(one, ['diagnosticCode']) ?? usual,
    }));
  }
  // With several recipients the event does not name the one who opened the mail.
  const [only, ...others] = listAt(mail, 'destination');
  return [{ recipient: others.length > 0 ? undefined : textAt(only, []), reason: usual }];
}

/** The recipient moved the mail out of the spam folder. */
const isNoComplaint = (about: Json | undefined): boolean => textAt(about, ['complaintFeedbackType']) === 'not-spam';

const hasLeft = (about: Json | undefined): boolean =>
  textAt(about, ['newTopicPreferences', 'unsubscribeAll']) === 'true';
