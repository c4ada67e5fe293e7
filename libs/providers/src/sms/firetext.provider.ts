import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { formFields } from '../call';
import { bySharedKey, dateOf, type DeliveryEventKind, fieldsOf, utcDateOf } from '../events';
import { type Answer, isMissingEndpoint } from '../outcome';
import { isGsmText, reportOf, smsProvider } from './sms-provider';

const HOST = 'https://www.firetext.co.uk';

const REPORT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({ 0: 'delivered', 1: 'bounced', 2: 'deferred' } as const),
);

/** Unknown subscriber, invalid number. */
const DEAD_NUMBER: ReadonlySet<string> = new Set(['101', '201']);

export const firetext = smsProvider({
  id: 'firetext',
  displayName: 'FireText',
  required: ['apiKey', 'from'],
  evidence: 'official',
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
      unicode: isGsmText(message.content) ? undefined : DETECT,
      ...formFields(fields),
    },
  }),
  read: (answer) => read(answer),
  check: {
    request: ({ apiKey = '' }) => ({ url: `${HOST}/api/credit`, form: { apiKey } }),
    read: (answer) => (isMissingEndpoint(answer) ? answer.accepted() : read(answer)),
  },
  events: {
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
  },
});

/** A value of `unicode`: FireText detects the encoding of the text. */
const DETECT = '2';
/** The header is not documented, but FireText sends it. */
const ID_HEADER = 'x-message';

/** Every response has status 200. */
const read = reading({
  trace: ID_HEADER,
  date: ({ headers }) => dateOf(headers['date']),
  isAccepted: (answer) => partsOf(answer)[0] === '0',
  code: (answer) => partsOf(answer)[0],
  message: (answer) => partsOf(answer)[1],
  kinds: byKind({
    credentials: [1, 3, 9],
    recipient: [2, 4],
    content: [5, 6, 8, 10, 11, 12],
    quota: [7],
  }),
});

/** Code and description: a text with a colon between them or, at other endpoints, JSON. */
function partsOf(answer: Answer): (string | undefined)[] {
  const [code, description] = [answer.at('code'), answer.at('description')];
  if (code !== undefined && description !== undefined) return [code, description];
  return /^(\d{1,2}):\s*(\S.*)$/s.exec(answer.text.trim())?.slice(1) ?? [];
}
