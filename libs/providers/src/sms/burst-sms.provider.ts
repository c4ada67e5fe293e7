import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { basic, formFields, withQuery, words } from '../call';
import { bySharedKey, eventKinds, fieldsOf, utcDateOf } from '../events';
import { type Answer } from '../outcome';
import { reportOf, smsProvider } from './sms-provider';

const HOST = 'https://api.transmitsms.com';

const REPORT_KINDS = eventKinds({
  delivered: ['delivered'],
  deferred: ['pending'],
  bounced: ['soft-bounce', 'hard-bounce'],
});

/** The message has no field for Clarion's message id, so the callback URL carries it. */
const MESSAGE_ID_PARAMETER = 'reference';

export const burstSms = smsProvider({
  id: 'burst-sms',
  displayName: 'Burst SMS',
  required: ['apiKey', 'secretKey'],
  evidence: 'official',
  overrides: {
    names: words(`
      send_at validity countrycode dlr_callback reply_callback replies_to_email tracked_link_url from_shared
    `),
    casing: 'snake',
  },
  headers: ({ apiKey = '', secretKey = '' }) => ({ authorization: basic(apiKey, secretKey) }),
  request: (message, _, { fields, callbackUrl }) => ({
    // The suffix is required.
    url: `${HOST}/send-sms.json`,
    form: {
      to: message.digits,
      from: message.from,
      message: message.content,
      dlr_callback: callbackUrl && withQuery(callbackUrl, { [MESSAGE_ID_PARAMETER]: message.id }),
      ...formFields(fields),
    },
  }),
  read: reading({
    // The id may have more digits than a JSON number can hold.
    id: ({ text }) => /"message_id"\s*:\s*"?(\d+)/.exec(text)?.[1],
    date: (answer) => utcDateOf(answer.at('send_at')),
    isAccepted: (answer) => answer.at('error', 'code') === 'SUCCESS' && !isLeftOut(answer),
    message: (answer) =>
      isLeftOut(answer)
        ? 'The number is invalid or has opted out'
        : (answer.at('error', 'description') ?? answer.at('error', 'code')),
    code: (answer) => (isLeftOut(answer) ? 'RECIPIENTS_ERROR' : answer.at('error', 'code')),
    kinds: byKind({
      credentials: ['AUTH_FAILED', 'AUTH_FAILED_NO_DATA', 'NO_ACCESS', 'BAD_CALLER_ID'],
      quota: ['LEDGER_ERROR'],
      recipient: ['RECIPIENTS_ERROR', 'LIST_EMPTY'],
      content: ['FIELD_EMPTY', 'FIELD_INVALID'],
      'rate-limited': ['OVER_LIMIT'],
    }),
  }),
  check: { get: () => `${HOST}/get-balance.json` },
  events: {
    ...bySharedKey,
    parse: (call) => {
      const {
        message_id: providerMessageId,
        mobile,
        datetime,
        status = '',
        [MESSAGE_ID_PARAMETER]: messageId,
      } = fieldsOf(call);
      return reportOf({
        kind: REPORT_KINDS.get(status),
        mark: `${status}:${datetime}`,
        providerMessageId,
        messageId,
        recipient: mobile,
        at: utcDateOf(datetime),
        isPermanent: status === 'hard-bounce',
      });
    },
  },
});

/** Rejected numbers are listed in a response that is otherwise a success. */
const isLeftOut = (answer: Answer): boolean =>
  [['fails'], ['optouts'], ['error', 'description', 'fails'], ['error', 'description', 'optouts']].some(
    (path) => answer.at(...path, 0) !== undefined,
  );
