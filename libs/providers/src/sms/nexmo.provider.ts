import { createHash, createHmac } from 'node:crypto';
import { byKind } from '../by-kind';
import { basic, formFields, words } from '../call';
import { bySharedKey, dateOf, eventKinds, fieldsOf, GENUINE, isRecent, isSame, STALE, utcDateOf } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer, kindOfCode, outcomeOf } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { isGsmText, reportOf, smsProvider } from './sms-provider';

const HOST = 'https://rest.nexmo.com';

const REPORT_KINDS = eventKinds({
  sent: ['accepted'],
  deferred: ['buffered'],
  delivered: ['delivered'],
  failed: ['expired', 'failed'],
  rejected: ['rejected'],
});

/** Error codes of a number that is gone or never existed. */
const DEAD_NUMBER: ReadonlySet<string> = new Set(['3', '9']);

function signaturesOf(fields: Readonly<Record<string, string>>, secret: string): string[] {
  const text = Object.keys(fields)
    .sort()
    .map((name) => `&${name}=${fields[name]!.replace(/[&=]/g, '_')}`)
    .join('');
  return [
    createHash('md5')
      .update(text + secret)
      .digest('hex'),
    ...['md5', 'sha1', 'sha256', 'sha512'].map((digest) => createHmac(digest, secret).update(text).digest('hex')),
  ];
}

export const nexmo = smsProvider({
  id: 'nexmo',
  displayName: 'Nexmo',
  required: ['apiKey', 'secretKey', 'from'],
  evidence: 'official',
  overrides: {
    names: words(`
      ttl status-report-req callback message-class type body udh protocol-id client-ref account-ref entity-id
      content-id trusted-number
    `),
    casing: 'kebab',
  },
  headers: ({ apiKey = '', secretKey = '' }) => ({ authorization: basic(apiKey, secretKey) }),
  request: (message, _, { fields, callbackUrl }) => ({
    url: `${HOST}/sms/json`,
    form: {
      to: message.digits,
      from: message.from,
      text: message.content,
      type: isGsmText(message.content) ? undefined : 'unicode',
      'client-ref': message.id,
      callback: callbackUrl,
      ...formFields(fields),
    },
  }),
  read,
  check: { get: () => `${HOST}/account/get-balance` },
  // Reports are signed only if the account enables it. The account chooses the algorithm, which the length of the
  // signature shows. Without signatures the URL carries the key.
  events: {
    ...bySharedKey,
    proof: 'signature of the parameters (`sig`), or key in the URL (`?token=`)',
    verify: (call, context) => {
      const { sig, ...fields } = fieldsOf(call);
      const verdict = bySharedKey.verify(call, context);
      if (!context.signingKey || sig === undefined) return verdict;
      if (!isRecent(fields['timestamp'], context.now())) return STALE;
      return signaturesOf(fields, context.signingKey).some((expected) => isSame(expected, sig.toLowerCase()))
        ? GENUINE
        : verdict;
    },
    parse: (call) => {
      const fields = fieldsOf(call);
      const { messageId, status = '', 'message-timestamp': time, 'err-code': code = '' } = fields;
      return reportOf({
        kind: REPORT_KINDS.get(status),
        mark: `${status}:${time}`,
        providerMessageId: messageId,
        messageId: fields['client-ref'],
        recipient: fields['msisdn'],
        at: utcDateOf(time) ?? dateOf(fields['timestamp']),
        isPermanent: status === 'failed' && DEAD_NUMBER.has(code),
        ...(Number(code) > 0 && { reason: `err-code ${code}` }),
      });
    },
  },
});

const KINDS: Readonly<Record<string, FailureKind>> = byKind({
  'rate-limited': [1, 10],
  credentials: [4, 8, 11, 14, 15, 32],
  transient: [5],
  content: [6, 12, 22, 23],
  recipient: [7, 29, 33],
  quota: [9],
});

/** Every response has status 200. Each part of the message has its own status, as text. */
function read(answer: Answer): SendResult {
  if (!answer.isOk) return outcomeOf(answer, answer.at('title'));
  const bad = listAt(answer.json, 'messages').find((part) => textAt(part, ['status']) !== '0');
  if (bad === undefined) return answer.acceptedAs(answer.at('messages', 0, 'message-id'));
  const status = textAt(bad, ['status']);
  if (status === undefined) return answer.acceptedAs(undefined);
  return answer.failed(kindOfCode(KINDS, status) ?? 'permanent', textAt(bad, ['error-text']));
}
