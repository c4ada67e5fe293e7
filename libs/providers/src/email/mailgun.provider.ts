import type { CredentialsDto } from '@clarion/contracts';
import type { JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { baseUrlOf, basic, formFields, textFields, words } from '../call';
import {
  dateOf,
  type DeliveryEvent,
  eventKinds,
  GENUINE,
  hmac,
  type InboundCall,
  isRecent,
  isSame,
  jsonBody,
  NO_SIGNING_KEY,
  STALE,
  WRONG_SIGNATURE,
} from '../events';
import { textAt } from '../json-paths';
import { checked, emailProvider, mailbox, SENDER } from './email-provider';

const baseOf = ({ baseUrl }: CredentialsDto): string => baseUrlOf(baseUrl || 'https://api.mailgun.net');
const domainOf = ({ domain }: CredentialsDto): string => encodeURIComponent(domain ?? '');

const EVENT_KINDS = eventKinds({
  sent: ['accepted'],
  delivered: ['delivered'],
  bounced: ['failed'],
  rejected: ['rejected'],
  opened: ['opened'],
  clicked: ['clicked'],
  complained: ['complained'],
  unsubscribed: ['unsubscribed'],
});
/** Reasons of a failure that are not about the address: Mailgun stopped retrying or does not know the cause. */
const NO_HARD_BOUNCES: readonly string[] = ['old', 'generic', 'espblock', 'greylisted'];
/** The prefix of reasons for a message that was not sent because the address is on a suppression list of Mailgun. */
const SUPPRESSED = 'suppress-';
/** The address bounced before, which counts as another bounce. */
const BOUNCED_BEFORE = 'suppress-bounce';

const signatureIn =
  (call: InboundCall) =>
  (name: string): string =>
    textAt(jsonBody(call), ['signature', name]) ?? '';

/** The signature covers the concatenation, so moving characters between the two parts does not change it. */
const signedBy = (call: InboundCall): string => signatureIn(call)('timestamp') + signatureIn(call)('token');

function failureOf(severity: string | undefined, reason = ''): Pick<DeliveryEvent, 'kind' | 'isPermanent'> {
  if (severity !== 'permanent') return { kind: 'deferred' };
  if (reason.startsWith(SUPPRESSED) && reason !== BOUNCED_BEFORE) return { kind: 'rejected' };
  return { kind: 'bounced', isPermanent: !NO_HARD_BOUNCES.includes(reason) };
}

export const mailgun = emailProvider({
  id: 'mailgun',
  displayName: 'Mailgun',
  required: ['apiKey', 'user', 'domain', ...SENDER],
  optional: ['baseUrl'],
  evidence: 'official',
  overrides: {
    names: words(`
      template t:version t:text t:variables o:tag o:dkim o:deliverytime o:testmode o:tracking o:tracking-clicks
      o:tracking-opens o:require-tls o:skip-verification recipient-variables amp-html
    `),
  },
  headers: ({ user, apiKey = '' }) => ({ authorization: basic(user || 'api', apiKey) }),
  request: (message, credentials, context) => {
    const fields: Record<string, string | readonly string[] | undefined> = {
      from: mailbox(message),
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      subject: message.subject,
      html: message.html,
      text: message.text,
      'h:Reply-To': message.replyTo,
      // Mailgun returns it with every event of this message.
      'v:messageId': message.id,
      'o:sending-ip-pool': message.ipPoolName,
      ...variables(message.customData ?? {}),
      ...Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [`h:${name}`, value])),
      ...formFields(context.fields),
    };
    // The HTML refers to a picture by its file name.
    const files = message.attachments.map(({ cid, name, mime, file }) => ({
      field: cid === undefined ? 'attachment' : 'inline',
      name: cid ?? name,
      mime,
      file,
    }));
    return {
      url: `${baseOf(credentials)}/v3/${domainOf(credentials)}/messages`,
      multipart: { fields, files },
    };
  },
  read: (answer) => read(answer),
  check: {
    get: (credentials) => `${baseOf(credentials)}/v3/domains/${domainOf(credentials)}`,
    read: (answer) => (/domain/i.test(answer.text) && !answer.isOk ? read(answer) : checked(answer, read)),
  },
  // The signature is in the body and covers only a time and a token.
  events: {
    proof: 'HMAC-SHA256 of time and token (in the body); a token is accepted with one body only',
    verify: (call, { signingKey, now }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const at = signatureIn(call);
      if (!isRecent(at('timestamp'), now())) return STALE;
      const expected = hmac('sha256', signingKey, signedBy(call));
      // Events of a subaccount are also signed with the key of the main account.
      const given = [at('signature'), at('parent-signature')];
      return given.some((signature) => isSame(signature, expected)) ? GENUINE : WRONG_SIGNATURE;
    },
    signedOnce: (call) => signedBy(call),
    parse: (call) => {
      const body = jsonBody(call);
      const at = (...path: string[]): string | undefined => textAt(body, ['event-data', ...path]);
      const kind = EVENT_KINDS.get(at('event') ?? '');
      const providerMessageId = at('message', 'headers', 'message-id')?.replace(/^<|>$/g, '');
      const id =
        at('id') ?? (providerMessageId && [providerMessageId, at('event'), at('severity'), at('recipient')].join(' '));
      if (!kind || !id) return [];
      return [
        {
          // Unique within one day.
          id: `${id} ${at('timestamp') ?? textAt(body, ['signature', 'timestamp']) ?? ''}`,
          ...(kind === 'bounced' ? failureOf(at('severity'), at('reason')) : { kind }),
          messageId: at('user-variables', 'messageId'),
          providerMessageId,
          recipient: at('recipient'),
          at: dateOf(at('timestamp')),
          reason: at('delivery-status', 'message') ?? at('delivery-status', 'description') ?? at('reason') ?? at('url'),
        },
      ];
    },
  },
});

const read = reading({
  // Events contain the message id without the angle brackets.
  id: (answer) => answer.at('id')?.replace(/^<|>$/g, ''),
  date: ({ headers }) => dateOf(headers['date']),
  // For a wrong key the body is plain text.
  message: (answer) => answer.at('message') ?? answer.text.slice(0, 200),
  // A domain may not be known on all servers yet.
  statuses: { 404: 'transient' },
});

const variables = (data: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(textFields(data)).map(([name, value]) => [`v:${name}`, value]));
