import { createHash } from 'node:crypto';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { words } from '../call';
import {
  bySharedKey,
  eventKinds,
  GENUINE,
  hmac,
  isRecent,
  isSame,
  NO_SIGNING_KEY,
  objectsIn,
  STALE,
  utcDateOf,
  WRONG_SIGNATURE,
} from '../events';
import { textAt } from '../json-paths';
import { type Answer, isMissingEndpoint } from '../outcome';
import { type SendResult } from '../provider';
import { reportOf, smsProvider } from './sms-provider';

const HOST = 'https://gateway.seven.io';

const REPORT_KINDS = eventKinds({
  sent: ['ACCEPTED', 'TRANSMITTED'],
  deferred: ['BUFFERED'],
  delivered: ['DELIVERED'],
  bounced: ['NOTDELIVERED'],
  failed: ['EXPIRED', 'FAILED'],
  rejected: ['REJECTED'],
});

const ACCEPTED = '100';
/** The same text went to the same number a moment ago, most likely in an earlier attempt. */
const DUPLICATE = '402';

export const sms77 = smsProvider({
  id: 'sms77',
  displayName: 'sms77',
  required: ['apiKey', 'from'],
  evidence: 'official',
  idempotency: 'the same text to the same number is not sent again within minutes (code 402)',
  overrides: {
    names: words(`
      delay ttl flash udh label performance_tracking no_reload unicode utf8 is_binary files
    `),
    casing: 'snake',
  },
  // One of the two kinds of keys includes the scheme.
  headers: ({ apiKey = '' }) => ({
    ...(apiKey.startsWith('Bearer ') ? { authorization: apiKey } : { 'x-api-key': apiKey }),
    accept: 'application/json',
  }),
  request: (message) => ({
    url: `${HOST}/api/sms`,
    body: {
      to: message.to,
      from: message.from,
      text: message.content,
      foreign_id: message.id,
      json: true,
    },
  }),
  read: (answer): SendResult =>
    codeOf(answer) === DUPLICATE && answer.isOk
      ? {
          ok: true,
          raw: answer.text,
          warnings: ['The same text was sent to this number a moment ago, and sms77 did not send it again'],
        }
      : read(answer),
  check: {
    get: () => `${HOST}/api/balance`,
    read: (answer) =>
      (answer.isOk && answer.at('amount') !== undefined) || isMissingEndpoint(answer)
        ? answer.accepted()
        : read(answer),
  },
  // Reports are signed if the account has a signing secret. Otherwise the URL carries the key.
  events: {
    ...bySharedKey,
    proof: 'HMAC-SHA256 of time, nonce, URL and body (`X-Signature`), or key in the URL (`?token=`)',
    verify: (call, context) => {
      const { signingKey, now } = context;
      const { 'x-signature': given, 'x-timestamp': timestamp = '', 'x-nonce': nonce = '' } = call.headers;
      if (given === undefined) return bySharedKey.verify(call, context);
      if (!signingKey) return NO_SIGNING_KEY;
      if (!isRecent(timestamp, now())) return STALE;
      const digest = createHash('md5').update(call.body).digest('hex');
      const expected = hmac('sha256', signingKey, [timestamp, nonce, call.method, call.url, digest].join('\n'));
      return isSame(given.toLowerCase(), expected) ? GENUINE : WRONG_SIGNATURE;
    },
    parse: (call) =>
      objectsIn(call).flatMap((event) => {
        if (textAt(event, ['webhook_event']) !== 'dlr') return [];
        const at = (name: string): string | undefined => textAt(event, ['data', name]);
        const status = at('status') ?? '';
        return reportOf({
          kind: REPORT_KINDS.get(status),
          mark: `${status}:${at('timestamp')}`,
          providerMessageId: at('msg_id'),
          messageId: at('foreign_id'),
          at: utcDateOf(at('timestamp')),
        });
      }),
  },
});

/** Every response has status 200. The code is in the message, in the response, or it is the whole body. */
function codeOf(answer: Answer): string | undefined {
  const codes = [answer.at('messages', 0, 'error'), answer.at('success'), answer.at()];
  return codes.find((code) => code !== undefined && code !== ACCEPTED);
}

const read = reading({
  id: ['messages', 0, 'id'],
  isAccepted: (answer) => answer.at('success') === ACCEPTED && answer.at('messages', 0, 'success') === 'true',
  message: (answer) => {
    const code = codeOf(answer);
    return answer.at('messages', 0, 'error_text') ?? (code && /^\d{3}$/.test(code) ? `Code ${code}` : undefined);
  },
  code: codeOf,
  kinds: byKind({
    recipient: [201, 202],
    credentials: [300, 306, 900, 902, 903],
    content: [305, 400, 401],
    quota: [500],
    transient: [600, 700],
  }),
});
