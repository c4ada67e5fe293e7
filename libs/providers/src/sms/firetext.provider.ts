import { reading } from '../adapter';
import { formFields } from '../call';
import { bySharedKey, dateOf, type DeliveryEventKind, type DeliveryEvents, fieldsOf, utcDateOf } from '../events';
import { type Answer, isNotThere } from '../outcome';
import { isGsmText, reportOf, smsProvider } from './sms-provider';

const HOST = 'https://www.firetext.co.uk';

const REPORT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({ 0: 'delivered', 1: 'bounced', 2: 'deferred' } as const),
);

/** Unknown subscriber, and invalid number. */
const DEAD_NUMBER: ReadonlySet<string> = new Set(['101', '201']);

const events: DeliveryEvents = {
  ...bySharedKey,
  parse: (call) => {
    const { status = '', code = '', mobile, reference, time } = fieldsOf(call);
    return reportOf({
      kind: REPORT_KINDS.get(status),
      mark: `${status}:${time}`,
      messageId: reference,
      recipient: mobile,
      at: utcDateOf(time),
      isPermanent: status === '1' && DEAD_NUMBER.has(code),
      ...(status === '1' && { reason: `Code ${code}` }),
    });
  },
};

export const firetext = smsProvider({
  id: 'firetext',
  displayName: 'FireText',
  required: ['apiKey', 'from'],
  evidence: 'official',
  events,
  overrides: { names: ['schedule', 'unicode', 'receipt'] },
  request: (message, { apiKey = '' }, { fields, callbackUrl }) => ({
    url: `${HOST}/api/sendsms`,
    form: {
      apiKey,
      to: message.digits,
      from: message.from,
      message: message.content,
      reference: message.id,
      receipt: callbackUrl,
      unicode: isGsmText(message.content) ? undefined : FIND_OUT,
      ...formFields(fields),
    },
  }),
  read: (answer) => read(answer),
  check: {
    request: ({ apiKey = '' }) => ({ url: `${HOST}/api/credit`, form: { apiKey } }),
    read: (answer) => (isNotThere(answer) ? answer.accepted() : read(answer)),
  },
});

/** As one of several values of `unicode`: the provider looks at the text. */
const FIND_OUT = '2';
/** It is in no document, but it comes. */
const ID_HEADER = 'x-message';

/** The status is 200 for all of them. */
const read = reading({
  trace: ID_HEADER,
  date: ({ headers }) => dateOf(headers['date']),
  isTaken: (answer) => partsOf(answer)[0] === '0',
  code: (answer) => partsOf(answer)[0],
  message: (answer) => partsOf(answer)[1],
  kinds: {
    1: 'credentials',
    2: 'recipient',
    3: 'credentials',
    4: 'recipient',
    5: 'content',
    6: 'content',
    7: 'quota',
    8: 'content',
    9: 'credentials',
    10: 'content',
    11: 'content',
    12: 'content',
  },
});

/** Code and words: a text with a colon between them or, as its other addresses answer, JSON. */
function partsOf(answer: Answer): (string | undefined)[] {
  const [code, words] = [answer.at('code'), answer.at('description')];
  if (code !== undefined && words !== undefined) return [code, words];
  return /^(\d{1,2}):\s*(\S.*)$/s.exec(answer.text.trim())?.slice(1) ?? [];
}
