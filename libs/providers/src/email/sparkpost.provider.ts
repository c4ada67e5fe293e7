import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { compact, merge } from '../call';
import { bySharedKey, dateOf, eventKinds, GENUINE, isSame, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { type SendResult } from '../provider';
import { base64Of, checked, emailProvider, mailbox, type ReadyEmail, SENDER, withWarnings } from './email-provider';

const hostOf = ({ region }: CredentialsDto): string =>
  // `true` is the value from before there were regions.
  /^(eu|true)$/i.test(region ?? '') ? 'https://api.eu.sparkpost.com' : 'https://api.sparkpost.com';

const EVENT_KINDS = eventKinds({
  delivered: ['delivery'],
  deferred: ['delay'],
  bounced: ['bounce', 'out_of_band'],
  rejected: ['policy_rejection', 'generation_rejection'],
  failed: ['generation_failure'],
  opened: ['open', 'amp_open'],
  clicked: ['click', 'amp_click'],
  complained: ['spam_complaint'],
  unsubscribed: ['list_unsubscribe', 'link_unsubscribe'],
});

/** Bounce classes of addresses that do not exist or refuse mail. */
const HARD_BOUNCES: readonly string[] = ['10', '30', '90'];
/** Classes of automatic replies, which are not bounces. */
const NO_BOUNCES: readonly string[] = ['60', '80', '100'];

export const sparkpost = emailProvider({
  id: 'sparkpost',
  displayName: 'SparkPost',
  required: ['apiKey', ...SENDER],
  optional: ['region'],
  evidence: 'official',
  overrides: {
    names: ['options', 'campaign_id', 'description', 'metadata', 'substitution_data', 'return_path', 'content'],
    casing: 'snake',
  },
  headers: (credentials) => ({ authorization: credentials.apiKey ?? '' }),
  request: (message, credentials, { fields }) => {
    const { content, ...others } = fields;
    const body: JsonObject = {
      recipients: recipientsOf(message),
      content: contentOf(message, content, 'substitution_data' in fields),
      options: compact({ transactional: true, ip_pool: message.ipPoolName }),
      // SparkPost returns it with every event of this message.
      metadata: { ...message.customData, message_id: message.id },
    };
    return {
      url: `${hostOf(credentials)}/api/v1/transmissions`,
      json: merge(body, others),
    };
  },
  read: (answer) => readAnswer(answer),
  check: {
    get: (credentials) => `${hostOf(credentials)}/api/v1/account`,
    // A key with only the permission to send is valid, but gets a 403 here.
    read: (answer) => (answer.status === 403 ? answer.accepted() : checked(answer, read)),
  },
  events: {
    ...bySharedKey,
    proof: `${bySharedKey.proof}, or \`x-messagesystems-webhook-token\``,
    verify: (call, context) =>
      context.signingKey && isSame(call.headers['x-messagesystems-webhook-token'] ?? '', context.signingKey)
        ? GENUINE
        : bySharedKey.verify(call, context),
    parse: (call) =>
      objectsIn(call).flatMap((entry) => {
        // Each event is wrapped in an object named after its family. An empty object is a test of the endpoint.
        const event = isJsonObject(entry['msys']) ? Object.values(entry['msys'])[0] : undefined;
        const at = (...path: string[]): string | undefined => textAt(event, path);
        const kind = EVENT_KINDS.get(at('type') ?? '');
        const bounceClass = at('bounce_class') ?? '';
        const providerMessageId = at('transmission_id');
        if (!kind || providerMessageId === undefined) return [];
        if (kind === 'bounced' && NO_BOUNCES.includes(bounceClass)) return [];
        return [
          {
            id:
              at('event_id') ??
              [providerMessageId, at('message_id'), at('type'), at('timestamp'), at('rcpt_to')].join(' '),
            kind,
            providerMessageId,
            messageId: at('rcpt_meta', 'message_id'),
            recipient: at('raw_rcpt_to') ?? at('rcpt_to'),
            at: dateOf(at('timestamp')),
            ...(kind === 'bounced' && { isPermanent: HARD_BOUNCES.includes(bounceClass) }),
            reason: at('raw_reason') ?? at('reason') ?? at('target_link_url'),
          },
        ];
      }),
  },
});

/** All addresses are recipients. The headers decide which of them appear as To. */
function recipientsOf({ to, cc, bcc }: ReadyEmail): JsonObject[] {
  const all = [...to, ...cc, ...bcc];
  const line = all.length > 1 ? to.join(', ') : undefined;
  return all.map((email) => ({ address: compact({ email, header_to: line }) }));
}

/** A template or a raw message replaces the content. Any other override is merged into it. */
function contentOf(message: ReadyEmail, override: Json | undefined, isTemplate: boolean): JsonObject {
  const given = isJsonObject(override) ? override : {};
  if (['template_id', 'ab_test_id', 'email_rfc822'].some((name) => name in given)) return given;
  const plain = isTemplate ? (text: string): string => text : literally;
  const headers = Object.entries(message.headers).map(([name, value]) => [name, plain(value)]);
  if (message.cc.length > 0) headers.push(['CC', message.cc.join(', ')]);
  const files = message.attachments.map((attachment) => ({
    isInline: attachment.cid !== undefined,
    file: { name: attachment.cid ?? attachment.name, type: attachment.mime, data: base64Of(attachment) },
  }));
  const content = compact({
    from: plain(mailbox(message)),
    subject: plain(message.subject),
    html: plain(message.html),
    text: message.text === undefined ? undefined : plain(message.text),
    reply_to: message.replyTo,
    headers: headers.length > 0 ? (Object.fromEntries(headers) as JsonObject) : undefined,
    attachments: files.filter(({ isInline }) => !isInline).map(({ file }) => file),
    inline_images: files.filter(({ isInline }) => isInline).map(({ file }) => file),
  });
  return merge(content, given);
}

const CURLY: Readonly<Record<string, string>> = {
  '{{': '{{opening_double_curly()}}',
  '}}': '{{closing_double_curly()}}',
  '{{{': '{{opening_triple_curly()}}',
  '}}}': '{{closing_triple_curly()}}',
};

/** SparkPost treats double braces as placeholders. */
const literally = (text: string): string => text.replace(/\{\{\{?|\}\}\}?/g, (braces) => CURLY[braces]!);

function readAnswer(answer: Answer): SendResult {
  const rejected = Number(answer.at('results', 'total_rejected_recipients') ?? 0);
  return withWarnings(
    read(answer),
    rejected > 0
      ? [`SparkPost left out ${rejected} of the recipients: ${errorTextOf(answer) ?? 'no reason given'}`]
      : [],
  );
}

const errorTextOf = (answer: Answer): string | undefined =>
  answer.at('results', 'rcpt_to_errors', 0, 'description') ??
  answer.at('results', 'rcpt_to_errors', 0, 'message') ??
  answer.at('errors', 0, 'description') ??
  answer.at('errors', 0, 'message');

function codeOf(answer: Answer): string | undefined {
  if (answer.isOk) return answer.at('results', 'total_accepted_recipients') === '0' ? 'no recipients' : undefined;
  const code = answer.at('errors', 0, 'code');
  // One code covers all messages that SparkPost does not generate; the usual reason is a suppressed recipient.
  return code === '1902' && /suppress/i.test(errorTextOf(answer) ?? '') ? 'no recipients' : code;
}

const read = reading({
  id: ['results', 'id'],
  date: ({ headers }) => dateOf(headers['date']),
  isAccepted: (answer) => Number(answer.at('results', 'total_accepted_recipients') ?? 0) > 0,
  message: errorTextOf,
  code: codeOf,
  kinds: byKind({
    recipient: ['no recipients', 5002],
    content: [1300, 1301, 1400, 1902],
    // The sending domain does not belong to the account.
    credentials: [7001],
    // The limits of an hour, of a day, and of the sandbox.
    'rate-limited': [2101],
    quota: [2102, 2103],
  }),
  statuses: { 420: 'quota' },
});
