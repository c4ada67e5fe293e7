import type { CredentialsDto } from '@clarion/contracts';
import { reading } from '../adapter';
import { textFields, words } from '../call';
import { bySharedKey, dateOf, type DeliveryEventKind, parametersOf } from '../events';
import { refused } from '../outcome';
import { isGsmText, type ReadySms, smsProvider, stateEvents } from './sms-provider';

/** Delivered, not delivered, buffered, and accepted or rejected by the SMS centre. */
const REPORTS_WANTED = '31';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  1: 'delivered',
  2: 'failed',
  4: 'deferred',
  8: 'sent',
  16: 'rejected',
};

const ACCEPTED = /^\s*(0: Accepted|3: Queued|Sent\.)/i;
const DENIED = /denied receivers/i;

const failure = reading({
  message: ({ text }) => text.trim() || undefined,
  // The status is the same as for a wrong password.
  code: ({ text }) => (/not routable/i.test(text) ? 'not-routable' : undefined),
  kinds: { 'not-routable': 'permanent' },
});

/** A gateway of the tenant. */
export const kannel = smsProvider({
  id: 'kannel',
  displayName: 'Kannel',
  required: ['host', 'port', 'from'],
  optional: ['user', 'password'],
  evidence: 'official',
  overrides: {
    names: words(`
      smsc charset coding udh mclass mwi compress validity deferred dlr-mask dlr-url pid alt-dcs rpi priority
      meta-data
    `),
    casing: 'kebab',
  },
  request: (message, credentials, { fields, callbackUrl }) => {
    const gateway = gatewayOf(credentials);
    if (gateway === undefined) {
      return refused('The host must be a name or an address, with http:// or https:// or without', 'credentials');
    }
    const { user, password } = credentials;
    const query = queryOf({
      username: user || undefined,
      password: password || undefined,
      from: message.from,
      to: message.to,
      text: message.content,
      charset: 'UTF-8',
      coding: isGsmText(message.content) ? undefined : '2',
      ...(callbackUrl && { 'dlr-mask': REPORTS_WANTED, 'dlr-url': reportUrl(callbackUrl, message) }),
      ...textFields(fields),
    });
    return { method: 'GET', url: `${gateway}/cgi-bin/sendsms?${query}` };
  },
  read: (answer, { id }) => {
    if (!answer.isOk) return failure(answer);
    if (DENIED.test(answer.text)) return answer.failed('recipient', answer.text.trim());
    // Kannel returns no message id, so reports identify the message by Clarion's id.
    return answer.acceptedAs(ACCEPTED.test(answer.text) ? id : undefined);
  },
  events: {
    ...bySharedKey,
    parse: (call) => {
      const query = parametersOf(call);
      return stateEvents(EVENT_KINDS, {
        id: query.get('message'),
        messageId: query.get('message'),
        state: query.get('type'),
        at: dateOf(query.get('at') ?? undefined),
        reason: query.get('answer'),
      });
    },
  },
});

const HOST = /^(?:(https?):\/\/)?([a-z0-9._-]+|\[[0-9a-f:.]+\])\/?$/i;

function gatewayOf({ host = '', port = '' }: CredentialsDto): string | undefined {
  const [, scheme = 'http', name] = HOST.exec(host) ?? [];
  return name !== undefined && /^\d{1,5}$/.test(port) ? `${scheme.toLowerCase()}://${name}:${port}` : undefined;
}

/** Kannel replaces the escapes with a percent sign: status, time, and the reply of the SMS centre. */
const reportUrl = (callbackUrl: string, { id }: ReadySms): string =>
  `${callbackUrl}${callbackUrl.includes('?') ? '&' : '?'}message=${encodeURIComponent(id)}&type=%d&at=%T&answer=%A`;

const queryOf = (parameters: Record<string, string | undefined>): string =>
  new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();
