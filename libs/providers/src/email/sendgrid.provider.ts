import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { baseUrlOf, bearer, compact, merge, textFields, words } from '../call';
import {
  dateOf,
  eventKinds,
  eventsOf,
  GENUINE,
  isRecent,
  NO_SIGNING_KEY,
  notGenuine,
  objectsIn,
  STALE,
  WRONG_SIGNATURE,
} from '../events';
import { type Answer, withRateLimitReset } from '../outcome';
import { addressOf, base64Of, checked, emailProvider, headersOrNone, SENDER } from './email-provider';

const hostOf = ({ region, baseUrl }: CredentialsDto): string => {
  const usual = region?.toLowerCase() === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com';
  return baseUrlOf(baseUrl || usual);
};

const EVENT_KINDS = eventKinds({
  sent: ['processed'],
  delivered: ['delivered'],
  deferred: ['deferred'],
  bounced: ['bounce'],
  rejected: ['dropped'],
  opened: ['open'],
  clicked: ['click'],
  complained: ['spamreport'],
  unsubscribed: ['unsubscribe', 'group_unsubscribe'],
});

function publicKeyIn(text: string): KeyObject | undefined {
  try {
    return createPublicKey(
      text.includes('-----BEGIN') ? text : { key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' },
    );
  } catch {
    return undefined;
  }
}

export const sendgrid = emailProvider({
  id: 'sendgrid',
  displayName: 'SendGrid',
  required: ['apiKey', ...SENDER],
  optional: ['region', 'baseUrl', 'ipPoolName'],
  evidence: 'official',
  overrides: {
    names: words(`
      personalizations template_id dynamic_template_data categories sections headers custom_args send_at batch_id
      asm ip_pool_name mail_settings tracking_settings reply_to reply_to_list content attachments
    `),
    casing: 'snake',
  },
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey) }),
  request: (message, credentials, context) => {
    // Template data belongs to the recipients.
    const { dynamic_template_data, ...fields } = context.fields;
    const body = compact({
      personalizations: [
        compact({
          to: message.to.map(addressOf),
          cc: message.cc.map(addressOf),
          bcc: message.bcc.map(addressOf),
          dynamic_template_data,
        }),
      ],
      from: compact({ email: message.from, name: message.senderName || undefined }),
      reply_to: message.replyTo === undefined ? undefined : addressOf(message.replyTo),
      subject: message.subject,
      // The plain text has to come first.
      content: [
        ...(message.text ? [{ type: 'text/plain', value: message.text }] : []),
        { type: 'text/html', value: message.html },
      ],
      attachments: message.attachments.map((attachment) =>
        compact({
          content: base64Of(attachment),
          filename: attachment.name,
          type: attachment.mime,
          disposition: attachment.disposition,
          content_id: attachment.cid,
        }),
      ),
      headers: headersOrNone(message),
      // SendGrid returns it with every event of this message.
      custom_args: { ...textFields(message.customData ?? {}), id: message.id },
      ip_pool_name: message.ipPoolName ?? credentials.ipPoolName,
    });
    return {
      url: `${hostOf(credentials)}/v3/mail/send`,
      json: merge(body, fields),
    };
  },
  read: (answer, message, { now }) => {
    if (answer.isOk)
      return answer.accepted(answer.headers['x-message-id'] ?? message.id, dateOf(answer.headers['date']));
    return withRateLimitReset(failure(answer), answer, now());
  },
  check: {
    get: (credentials) => `${hostOf(credentials)}/v3/scopes`,
    read: (answer) => checked(answer, failure),
  },
  events: {
    proof: 'ECDSA signature of time and body (`X-Twilio-Email-Event-Webhook-Signature`)',
    verify: ({ headers, body }, { signingKey, now }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const timestamp = headers['x-twilio-email-event-webhook-timestamp'] ?? '';
      const signature = headers['x-twilio-email-event-webhook-signature'] ?? '';
      if (!isRecent(timestamp, now())) return STALE;
      const key = publicKeyIn(signingKey);
      if (!key) {
        return notGenuine('configurations.inboundWebhookSigningKey is not the verification key that SendGrid shows');
      }
      const signed = Buffer.concat([Buffer.from(timestamp), body]);
      return verify('sha256', signed, key, Buffer.from(signature, 'base64')) ? GENUINE : WRONG_SIGNATURE;
    },
    parse: (call) =>
      eventsOf(objectsIn(call), (at) => {
        const kind = EVENT_KINDS.get(at('event') ?? '');
        const message = at('sg_message_id') ?? at('id');
        const id =
          at('sg_event_id') ?? (message && [message, at('event'), at('timestamp'), at('email'), at('url')].join(' '));
        // Some mail programs download every picture before the recipient opens the mail.
        if (!kind || !id || at('sg_machine_open') === 'true') return undefined;
        return {
          id,
          kind,
          messageId: at('id'),
          // The id of the response, followed by the server that processed the message.
          providerMessageId: at('sg_message_id')?.split(/\.(?:filter|recvd)/, 1)[0],
          recipient: at('email'),
          at: dateOf(at('timestamp')),
          // A blocked message may get through later.
          isPermanent: kind === 'bounced' ? at('type') !== 'blocked' : undefined,
          reason: at('reason') ?? at('response') ?? at('url'),
        };
      }),
  },
});

const failure = reading({
  message: messageOf,
  // An account without credits gets a 401.
  code: (answer) => (/credits exceeded/i.test(messageOf(answer) ?? '') ? 'credits' : undefined),
  kinds: { credits: 'quota' },
});

function messageOf({ json }: Answer): string | undefined {
  if (!isJsonObject(json) || !Array.isArray(json['errors'])) return undefined;
  return json['errors'].flatMap((error) => (isJsonObject(error) ? [String(error['message'])] : [])).join('; ');
}
