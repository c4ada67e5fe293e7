import { isId } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { formFields } from '../call';
import { bySharedKey, type DeliveryEventKind, objectsIn, parametersOf } from '../events';
import { textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { smsProvider, stateEvents } from './sms-provider';

/** The last two are statuses of Unifonic, set before the network reports one. */
const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  Delivered: 'delivered',
  Undeliverable: 'bounced',
  Rejected: 'rejected',
  Failed: 'failed',
};

export const unifonic = smsProvider({
  id: 'unifonic',
  displayName: 'Unifonic',
  required: ['appSid', 'senderId', 'from'],
  evidence: 'official',
  idempotency: 'the same text to the same number is not sent again immediately (409)',
  overrides: {
    // `statusCallback` is not a URL: it selects the statuses that are reported to the callback URL of the account.
    names: ['async', 'statusCallback', 'baseEncode', 'MessageType', 'TimeScheduled'],
  },
  request: (message, { appSid, senderId }, { fields }) => ({
    url: 'https://el.cloud.unifonic.com/rest/SMS/messages',
    headers: { accept: 'application/json' },
    form: {
      AppSid: appSid,
      SenderID: senderId || message.from,
      Recipient: message.digits.replace(/^00/, ''),
      Body: message.content,
      responseType: 'JSON',
      CorrelationID: message.id,
      ...formFields(fields),
    },
  }),
  read: (answer) => read(answer),
  events: {
    ...bySharedKey,
    parse: (call) => {
      // The times are in the time zone of the account, which is not known, so they are left out.
      const forms = [Object.fromEntries(parametersOf(call)), ...objectsIn(call)];
      return forms.flatMap((form) => {
        const fact = (name: string): string | undefined => textAt(form, [name]);
        const reference = fact('CorrelationID');
        return stateEvents(EVENT_KINDS, {
          id: fact('MessageID'),
          state: fact('DLR') ?? fact('Status'),
          messageId: isId(reference) ? reference : undefined,
          recipient: fact('Recipient'),
        });
      });
    },
  },
});

const ACCEPTED = 'ER-00';
/** The same text went to the same number a moment ago, most likely in an earlier attempt. */
const DUPLICATE: ReadonlySet<string> = new Set(['ER-09', 'ER-409', '409']);

/** The code in the body, or else the status, which is not always an HTTP status. */
const codeOf = (answer: Answer): string => answer.at('errorCode') ?? String(answer.status);

const KINDS: Readonly<Record<string, FailureKind>> = byKind({
  quota: ['ER-01'],
  recipient: ['ER-02', 'ER-03', 'ER-04', 'ER-05', 410, 450, 482],
  content: ['ER-06', 'ER-07', 412, 449, 460],
  credentials: ['ER-08', 401, 402, 403, 440, 459, 480, 546, 548],
  'rate-limited': [429],
  transient: [599],
});

const isRefusal = (answer: Answer): boolean =>
  answer.at('success') === 'false' || (answer.at('errorCode') ?? ACCEPTED) !== ACCEPTED;

const readCode = reading({
  id: (answer) => answer.at('data', 'MessageID') ?? answer.at('data', 'messageID'),
  isAccepted: (answer) => answer.at('success') === 'true' && !isRefusal(answer),
  // A rejection without a reason is still a rejection.
  message: (answer) =>
    answer.at('message') ??
    (answer.isOk && isRefusal(answer) ? (answer.at('errorCode') ?? 'success is false') : undefined),
  // The body has the same numbers with a prefix.
  code: (answer) => codeOf(answer).replace(/^ER-(?=\d{3}$)/, ''),
  kinds: KINDS,
});

const read = (answer: Answer): SendResult =>
  DUPLICATE.has(codeOf(answer))
    ? {
        ok: true,
        raw: answer.text,
        warnings: ['The same text was sent to this number a moment ago, and Unifonic did not send it again'],
      }
    : readCode(answer);
