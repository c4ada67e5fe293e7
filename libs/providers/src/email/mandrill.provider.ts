import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject, readJson } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { compact, merge, textFields, words } from '../call';
import {
  dateOf,
  type DeliveryEvent,
  eventsOf,
  formBody,
  GENUINE,
  hmac,
  type InboundCall,
  isSame,
  NO_SIGNING_KEY,
  notGenuine,
} from '../events';
import { textAt } from '../json-paths';
import { type Answer, kindOfCode } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { base64Of, checked, emailProvider, type ReadyEmail, SENDER, withWarnings } from './email-provider';

const HOST = 'https://mandrillapp.com/api/1.3';

/** Fields next to `message`. All others belong inside it. */
const BESIDE: readonly string[] = ['async', 'ip_pool', 'send_at'];

const KINDS = new Map<string, Pick<DeliveryEvent, 'kind' | 'isPermanent'>>([
  ['send', { kind: 'sent' }],
  ['delivered', { kind: 'delivered' }],
  ['deferral', { kind: 'deferred' }],
  ['hard_bounce', { kind: 'bounced', isPermanent: true }],
  ['soft_bounce', { kind: 'bounced', isPermanent: false }],
  ['open', { kind: 'opened' }],
  ['click', { kind: 'clicked' }],
  ['spam', { kind: 'complained' }],
  ['unsub', { kind: 'unsubscribed' }],
  ['reject', { kind: 'rejected' }],
]);

const reportsIn = (call: InboundCall): JsonObject[] => {
  const list = readJson(formBody(call).get('mandrill_events') ?? '');
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

export const mandrill = emailProvider({
  id: 'mandrill',
  displayName: 'Mandrill',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  overrides: {
    names: [
      ...BESIDE,
      ...words(`
        html text subject headers important track_opens track_clicks auto_text auto_html inline_css url_strip_qs
        preserve_recipients view_content_link tracking_domain signing_domain return_path_domain merge merge_language
        global_merge_vars merge_vars tags google_analytics_domains google_analytics_campaign metadata
        recipient_metadata attachments images
      `),
    ],
    casing: 'snake',
  },
  request: (message, { apiKey = '' }, { fields }) => {
    const beside = Object.fromEntries(Object.entries(fields).filter(([name]) => BESIDE.includes(name)));
    const within = Object.fromEntries(Object.entries(fields).filter(([name]) => !BESIDE.includes(name)));
    return {
      url: `${HOST}/messages/send`,
      json: compact({
        key: apiKey,
        message: merge(bodyOf(message), within),
        ip_pool: message.ipPoolName,
        ...beside,
      }),
    };
  },
  read: (answer) => readAnswer(answer),
  check: {
    request: ({ apiKey = '' }: CredentialsDto) => ({ url: `${HOST}/users/ping`, json: { key: apiKey } }),
    read: (answer) => (answer.at('status') === 'error' ? readRefusal(answer) : checked(answer, readRefusal)),
  },
  events: {
    proof: 'HMAC-SHA1 of the URL and the form (`X-Mandrill-Signature`)',
    verify: (call, { signingKey }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const form = [...formBody(call)].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      const signed = hmac('sha1', signingKey, call.url + form.flat().join(''), 'base64');
      return isSame(signed, call.headers['x-mandrill-signature'] ?? '')
        ? GENUINE
        : notGenuine(
            'X-Mandrill-Signature does not fit: check the key, and that the URL is spelled as it is at Mandrill',
          );
    },
    parse: (call) =>
      eventsOf(reportsIn(call), (at) => {
        const known = KINDS.get(at('event') ?? '');
        const id = at('_id') ?? at('msg', '_id');
        if (!known || id === undefined) return undefined;
        return {
          ...known,
          id: [id, at('event'), at('ts'), at('url')].join(' '),
          messageId: at('msg', 'metadata', 'message_id'),
          providerMessageId: id,
          recipient: at('msg', 'email'),
          at: dateOf(at('ts')),
          reason: at('msg', 'diag') ?? at('msg', 'bounce_description') ?? at('url') ?? at('msg', 'state'),
        };
      }),
    // During the setup of a webhook there is no key yet, so the test call, which is empty, is signed with a public key.
    handshake: (call) =>
      call.method === 'POST' && formBody(call).get('mandrill_events') === '[]' ? { status: 200 } : undefined,
  },
});

function bodyOf(message: ReadyEmail): JsonObject {
  const files = message.attachments.map((attachment) => ({
    isInline: attachment.cid !== undefined,
    // The HTML refers to a picture by its name.
    file: { type: attachment.mime, name: attachment.cid ?? attachment.name, content: base64Of(attachment) },
  }));
  const filesThat = (isInline: boolean): JsonObject[] =>
    files.filter((one) => one.isInline === isInline).map(({ file }) => file);
  const people = (type: string, addresses: readonly string[]): JsonObject[] =>
    addresses.map((email) => ({ email, type }));
  const headers = { ...message.headers, ...(message.replyTo !== undefined && { 'Reply-To': message.replyTo }) };
  return compact({
    from_email: message.from,
    from_name: message.senderName || undefined,
    to: [...people('to', message.to), ...people('cc', message.cc), ...people('bcc', message.bcc)],
    // Without it every recipient gets a separate mail that does not show the copies.
    preserve_recipients: true,
    subject: message.subject,
    html: message.html,
    text: message.text,
    headers: Object.keys(headers).length > 0 ? headers : undefined,
    attachments: filesThat(false),
    images: filesThat(true),
    // Mandrill returns it with every event of this message.
    metadata: { ...textFields(message.customData ?? {}), message_id: message.id },
  });
}

const ACCEPTED: ReadonlySet<string> = new Set(['sent', 'queued', 'scheduled']);
const REJECTED: ReadonlySet<string> = new Set(['rejected', 'invalid']);

/** The body has the result for each recipient, with status 200. */
function readAnswer(answer: Answer): SendResult {
  const { json } = answer;
  if (!answer.isOk || !Array.isArray(json)) return readRefusal(answer);
  const receipts = json.filter(isJsonObject);
  const having = (statuses: ReadonlySet<string>): JsonObject[] =>
    receipts.filter((receipt) => statuses.has(textAt(receipt, ['status']) ?? ''));
  const [accepted, rejected] = [having(ACCEPTED), having(REJECTED)];
  const errors = rejected.map((receipt) => `${textAt(receipt, ['email']) ?? 'A recipient'}: ${reasonOf(receipt)}`);
  if (accepted.length === 0 && rejected.length > 0)
    return answer.failed(kindOfCode(REASONS, reasonOf(rejected[0]!)) ?? 'permanent', errors.join('; '));
  return withWarnings(
    answer.acceptedAs(accepted[0] && textAt(accepted[0], ['_id']), dateOf(answer.headers['date'])),
    errors.map((error) => `Mandrill did not accept ${error}`),
  );
}

const reasonOf = (receipt: JsonObject): string =>
  textAt(receipt, ['reject_reason']) ?? textAt(receipt, ['status']) ?? '';

const REASONS: Readonly<Record<string, FailureKind>> = byKind({
  recipient: ['hard-bounce', 'soft-bounce', 'spam', 'unsub', 'custom', 'invalid'],
  credentials: ['invalid-sender', 'unsigned'],
  quota: ['test-mode-limit'],
  content: ['rule'],
});

/** Almost every error has status 500; the name distinguishes them. */
const readRefusal = reading({
  isAccepted: () => false,
  message: ['message'],
  code: ['name'],
  kinds: byKind({
    credentials: ['Invalid_Key', 'Unknown_Subaccount', 'PoorReputation'],
    quota: ['PaymentRequired'],
    content: ['ValidationError', 'Unknown_Template', 'Unknown_Pool'],
    transient: ['GeneralError', 'ServiceUnavailable'],
  }),
});
