import type { CredentialsDto } from '@clarion/contracts';
import { formFields } from '../call';
import { bySharedKey, type DeliveryEventKind, type DeliveryEvents, fieldsOf, GENUINE, isSame } from '../events';
import { type Answer, isNotThere, kindOfCode, kindOfStatus } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { reportOf, smsProvider } from './sms-provider';

const DEFAULT_URL = 'https://my.smscentral.com.au/api/v3.2';

const loginOf = ({ user = '', password = '' }: CredentialsDto): Record<string, string> => ({
  USERNAME: user,
  PASSWORD: password,
});

/** The misspelled words are the provider's. */
const REPORT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({
    DELIVERD: 'delivered',
    DELIVERED: 'delivered',
    BUFFRED: 'deferred',
    BUFFERED: 'deferred',
    FAILED: 'failed',
  } as const),
);

/** The password that was set for the address comes as a parameter, too. */
const events: DeliveryEvents = {
  ...bySharedKey,
  verify: (call, context) => {
    const { PASSWORD = '' } = fieldsOf(call);
    return context.signingKey && isSame(PASSWORD, context.signingKey) ? GENUINE : bySharedKey.verify(call, context);
  },
  parse: (call) => {
    const { ID = '', REFERENCE, RECIPIENT, STATUS = '', STATUSDESCRIPTION, UDH = '' } = fieldsOf(call);
    return reportOf({
      kind: REPORT_KINDS.get(STATUS),
      // One for each part of a long message.
      mark: `${STATUS}:${ID}:${UDH}`,
      providerMessageId: REFERENCE,
      messageId: REFERENCE,
      recipient: RECIPIENT,
      ...(STATUS === 'FAILED' && { reason: STATUSDESCRIPTION }),
    });
  },
};

/** Its table of codes was not to be had; this one is that of a sister service. */
const KINDS: Readonly<Record<string, FailureKind>> = { 511: 'credentials' };

const isYes = (answer: Answer): boolean => answer.isOk && answer.text.trim() === '0';

/** The answer is a text: a code, and mostly what it means, on the same line or the next. */
function refusal(answer: Answer): SendResult {
  const [, code, words = code && `Code ${code}`] = /^(\d{3})(?:\s+(.*))?$/s.exec(answer.text.trim()) ?? [];
  const kind = kindOfCode(KINDS, code) ?? (answer.isOk ? undefined : kindOfStatus(answer.status));
  return kind || code !== undefined ? answer.failed(kind ?? 'permanent', words) : answer.acceptedAs(undefined);
}

export const smsCentral = smsProvider({
  id: 'sms-central',
  displayName: 'SMS Central',
  required: ['user', 'password', 'from'],
  optional: ['baseUrl'],
  evidence: 'official',
  events,
  overrides: { names: ['CAMPAIGN', 'SCHEDULE', 'URL', 'REPLYTYPE', 'REPLYPATH'] },
  request: (message, credentials, { fields, callbackUrl }) => ({
    url: credentials.baseUrl || DEFAULT_URL,
    form: {
      ...loginOf(credentials),
      ACTION: 'send',
      ORIGINATOR: message.from,
      RECIPIENT: message.digits,
      MESSAGE_TEXT: message.content,
      REFERENCE: message.id,
      URL: callbackUrl,
      ...formFields(fields),
    },
  }),
  // There is no id but the one we gave.
  read: (answer, { id }) => (isYes(answer) ? answer.accepted(id) : refusal(answer)),
  check: {
    request: (credentials) => ({
      url: credentials.baseUrl || DEFAULT_URL,
      form: { ...loginOf(credentials), ACTION: 'balance' },
    }),
    read: (answer) =>
      (answer.isOk && /<balance>/i.test(answer.text)) || isYes(answer) || isNotThere(answer)
        ? answer.accepted()
        : refusal(answer),
  },
});
