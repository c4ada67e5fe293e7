import { isId } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { formFields } from '../call';
import { bySharedKey, type DeliveryEventKind, objectsIn, parametersOf } from '../events';
import { type Answer, textAt } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { smsProvider, stateEvents } from './sms-provider';

/** The last two are states of its own, before the network has a word. */
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
  idempotency: 'the same text to the same number is not sent again at once (409)',
  overrides: {
    // `statusCallback` is no address: it chooses the states that are reported to the address of the account.
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
      // Its times have no zone but that of the account, so they are left out.
      const forms = [Object.fromEntries(parametersOf(call)), ...objectsIn(call)];
      return forms.flatMap((form) => {
        const fact = (name: string): string | undefined => textAt(form, [name]);
        const ours = fact('CorrelationID');
        return stateEvents(EVENT_KINDS, {
          id: fact('MessageID'),
          state: fact('DLR') ?? fact('Status'),
          messageId: isId(ours) ? ours : undefined,
          recipient: fact('Recipient'),
        });
      });
    },
  },
});

const TAKEN = 'ER-00';
/** The same text went to the same number a moment ago, and is not sent again: most likely by an earlier try. */
const REPEATED: ReadonlySet<string> = new Set(['ER-09', 'ER-409', '409']);

/** In the body, or else the status, which is not always one of HTTP's. */
const codeOf = (answer: Answer): string => answer.at('errorCode') ?? String(answer.status);

const KINDS: Readonly<Record<string, FailureKind>> = {
  'ER-01': 'quota',
  'ER-02': 'recipient',
  'ER-03': 'recipient',
  'ER-04': 'recipient',
  'ER-05': 'recipient',
  'ER-06': 'content',
  'ER-07': 'content',
  'ER-08': 'credentials',
  401: 'credentials',
  402: 'credentials',
  403: 'credentials',
  410: 'recipient',
  412: 'content',
  429: 'rate-limited',
  440: 'credentials',
  449: 'content',
  450: 'recipient',
  459: 'credentials',
  460: 'content',
  480: 'credentials',
  482: 'recipient',
  546: 'credentials',
  548: 'credentials',
  599: 'transient',
};

const isRefusal = (answer: Answer): boolean =>
  answer.at('success') === 'false' || (answer.at('errorCode') ?? TAKEN) !== TAKEN;

const understood = reading({
  id: (answer) => answer.at('data', 'MessageID') ?? answer.at('data', 'messageID'),
  isTaken: (answer) => answer.at('success') === 'true' && !isRefusal(answer),
  // A no without a reason is a no.
  message: (answer) =>
    answer.at('message') ??
    (answer.isOk && isRefusal(answer) ? (answer.at('errorCode') ?? 'success is false') : undefined),
  // The same numbers stand in the body with letters before them.
  code: (answer) => codeOf(answer).replace(/^ER-(?=\d{3}$)/, ''),
  kinds: KINDS,
});

const read = (answer: Answer): SendResult =>
  REPEATED.has(codeOf(answer))
    ? {
        ok: true,
        raw: answer.text,
        warnings: ['The same text went to this number a moment ago, and Unifonic did not send it again'],
      }
    : understood(answer);
