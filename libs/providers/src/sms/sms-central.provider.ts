import type { CredentialsDto } from '@clarion/contracts';
import { formFields } from '../call';
import { bySharedKey, eventKinds, fieldsOf, GENUINE, isSame } from '../events';
import { type Answer, isMissingEndpoint, kindOfCode, kindOfStatus } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { reportOf, smsProvider } from './sms-provider';

const DEFAULT_URL = 'https://my.smscentral.com.au/api/v3.2';

const loginOf = ({ user = '', password = '' }: CredentialsDto): Record<string, string> => ({
  USERNAME: user,
  PASSWORD: password,
});

/** The misspelled names are the provider's. */
const REPORT_KINDS = eventKinds({
  delivered: ['DELIVERD', 'DELIVERED'],
  deferred: ['BUFFRED', 'BUFFERED'],
  failed: ['FAILED'],
});

/** The provider's table of codes is not public; this code is documented for a related service. */
const KINDS: Readonly<Record<string, FailureKind>> = { 511: 'credentials' };

const isSuccess = (answer: Answer): boolean => answer.isOk && answer.text.trim() === '0';

/** The response is a text: a code and usually its meaning, on the same line or the next. */
function refusal(answer: Answer): SendResult {
  const [, code, text = code && `Code ${code}`] = /^(\d{3})(?:\s+(\S.*))?$/s.exec(answer.text.trim()) ?? [];
  const kind = kindOfCode(KINDS, code) ?? (answer.isOk ? undefined : kindOfStatus(answer.status));
  return kind || code !== undefined ? answer.failed(kind ?? 'permanent', text) : answer.acceptedAs(undefined);
}

export const smsCentral = smsProvider({
  id: 'sms-central',
  displayName: 'SMS Central',
  required: ['user', 'password', 'from'],
  optional: ['baseUrl'],
  evidence: 'official',
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
  // The response has no id, so Clarion's id is used.
  read: (answer, { id }) => (isSuccess(answer) ? answer.accepted(id) : refusal(answer)),
  check: {
    request: (credentials) => ({
      url: credentials.baseUrl || DEFAULT_URL,
      form: { ...loginOf(credentials), ACTION: 'balance' },
    }),
    read: (answer) =>
      (answer.isOk && /<balance>/i.test(answer.text)) || isSuccess(answer) || isMissingEndpoint(answer)
        ? answer.accepted()
        : refusal(answer),
  },
  // The password of the callback URL is also sent as a parameter.
  events: {
    ...bySharedKey,
    verify: (call, context) => {
      const { PASSWORD = '' } = fieldsOf(call);
      return context.signingKey && isSame(PASSWORD, context.signingKey) ? GENUINE : bySharedKey.verify(call, context);
    },
    parse: (call) => {
      const { ID = '', REFERENCE, RECIPIENT, STATUS = '', STATUSDESCRIPTION, UDH = '' } = fieldsOf(call);
      return reportOf({
        kind: REPORT_KINDS.get(STATUS),
        // One report for each part of a long message.
        mark: `${STATUS}:${ID}:${UDH}`,
        providerMessageId: REFERENCE,
        messageId: REFERENCE,
        recipient: RECIPIENT,
        ...(STATUS === 'FAILED' && { reason: STATUSDESCRIPTION }),
      });
    },
  },
});
