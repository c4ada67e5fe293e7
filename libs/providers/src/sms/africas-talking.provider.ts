import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { formFields } from '../call';
import { bySharedKey, type DeliveryEventKind, formBody } from '../events';
import { type Answer } from '../outcome';
import { smsProvider, stateEvents } from './sms-provider';

const ACCEPTED: ReadonlySet<string | undefined> = new Set(['100', '101', '102']);

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  Sent: 'sent',
  Submitted: 'sent',
  Buffered: 'deferred',
  Success: 'delivered',
  Rejected: 'rejected',
  Failed: 'failed',
};
const DEAD_NUMBERS: ReadonlySet<string | null> = new Set(['NotNetworkSubscriber', 'UserDoesNotExist']);

export const africasTalking = smsProvider({
  id: 'africas-talking',
  displayName: "Africa's Talking",
  required: ['apiKey', 'user', 'from'],
  evidence: 'official',
  overrides: { names: ['bulkSMSMode', 'enqueue', 'keyword', 'linkId', 'retryDurationInHours'], casing: 'camel' },
  headers: ({ apiKey }) => ({ apikey: apiKey, accept: 'application/json' }),
  request: (message, { user = '' }, { fields }) => ({
    url: `${apiOf(user)}/messaging`,
    form: {
      username: user,
      to: message.to,
      message: message.content,
      from: message.from,
      bulkSMSMode: '1',
      ...formFields(fields),
    },
  }),
  read: reading({
    isAccepted: (answer) => ACCEPTED.has(recipientAt(answer, 'statusCode')),
    id: (answer) => recipientAt(answer, 'messageId'),
    // The response to a wrong key is plain text.
    message: (answer) => errorTextOf(answer) ?? (answer.isOk ? undefined : answer.text.trim() || undefined),
    // A response without recipients has the code as its text.
    code: (answer) => recipientAt(answer, 'statusCode') ?? errorTextOf(answer),
    kinds: byKind({
      credentials: [402, 'InvalidSenderId'],
      recipient: [
        403,
        404,
        406,
        409,
        'InvalidPhoneNumber',
        'UnsupportedNumberType',
        'UserInBlacklist',
        'DoNotDisturbRejection',
      ],
      quota: [405, 'InsufficientBalance'],
      transient: [500, 501, 'InternalServerError', 'GatewayError'],
    }),
  }),
  check: { get: ({ user = '' }) => `${apiOf(user)}/user?username=${encodeURIComponent(user)}` },
  events: {
    ...bySharedKey,
    parse: (call) => {
      const form = formBody(call);
      const [state, reason] = [form.get('status'), form.get('failureReason')];
      return stateEvents(EVENT_KINDS, {
        id: form.get('id'),
        state,
        recipient: form.get('phoneNumber'),
        isPermanent: state === 'Failed' || state === 'Rejected' ? DEAD_NUMBERS.has(reason) : undefined,
        reason,
      });
    },
  },
});

const apiOf = (user: string): string =>
  `https://api.${user.toLowerCase() === 'sandbox' ? 'sandbox.' : ''}africastalking.com/version1`;

const recipientAt = (answer: Answer, name: string): string | undefined =>
  answer.at('SMSMessageData', 'Recipients', 0, name);

const errorTextOf = (answer: Answer): string | undefined =>
  recipientAt(answer, 'status') ?? answer.at('SMSMessageData', 'Message');
