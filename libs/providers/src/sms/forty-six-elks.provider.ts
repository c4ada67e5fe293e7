import { reading } from '../adapter';
import { basic, formFields } from '../call';
import { bySharedKey, type DeliveryEventKind, formBody, utcDateOf } from '../events';
import { smsProvider, stateEvents } from './sms-provider';

const API = 'https://api.46elks.com/a1';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  sent: 'sent',
  delivered: 'delivered',
  failed: 'failed',
};

export const fortySixElks = smsProvider({
  id: 'forty-six-elks',
  displayName: '46elks',
  required: ['user', 'password', 'from'],
  evidence: 'official',
  // `dryrun` is not allowed, because it sends nothing and must not count as sent.
  overrides: { names: ['whendelivered', 'flashsms', 'dontlog'] },
  headers: ({ user = '', password = '' }) => ({ authorization: basic(user, password) }),
  request: (message, _, { fields, callbackUrl }) => ({
    url: `${API}/sms`,
    form: {
      from: message.from,
      to: message.to,
      message: message.content,
      whendelivered: callbackUrl,
      ...formFields(fields),
    },
  }),
  read: reading({
    id: ['id'],
    date: (answer) => utcDateOf(answer.at('created')),
    // The error is plain text.
    message: ({ text }) => text.trim() || undefined,
    code: ({ status, text }) => (status === 403 && /credit/i.test(text) ? 'credits' : undefined),
    kinds: { credits: 'quota' },
  }),
  check: { get: () => `${API}/me` },
  events: {
    ...bySharedKey,
    parse: (call) => {
      const form = formBody(call);
      return stateEvents(EVENT_KINDS, {
        id: form.get('id'),
        state: form.get('status'),
        at: utcDateOf(form.get('delivered') ?? undefined),
      });
    },
  },
});
