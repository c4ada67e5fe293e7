import { reading } from '../adapter';
import { compact, merge, words } from '../call';
import { telegramUrl } from '../connect/telegram-bot';
import { refused } from '../outcome';
import { type FailureKind } from '../provider';
import { chatProvider, withRetryAfter } from './chat-provider';

/** A bot. A person has to write to it before it may write to them: the link of an endpoint does that. */
export const telegram = chatProvider({
  id: 'telegram',
  displayName: 'Telegram',
  required: ['apiToken'],
  evidence: 'official',
  unsupported: ['blocks', 'channel'],
  overrides: {
    names: words(`
      text parse_mode entities link_preview_options disable_notification protect_content message_thread_id
      reply_parameters reply_markup
    `),
    casing: 'snake',
  },
  request: ({ address, content }, credentials, { fields }) =>
    address?.type === 'telegram_chat'
      ? {
          url: telegramUrl(credentials, 'sendMessage'),
          json: merge(compact({ chat_id: address.chatId, text: content }), fields),
        }
      : refused('The subscriber has no Telegram chat', 'recipient'),
  read: (answer) => withRetryAfter(answer.at('parameters', 'retry_after'), read(answer)),
  check: { request: (credentials) => ({ url: telegramUrl(credentials, 'getMe') }), read: (answer) => check(answer) },
});

const check = reading({
  isAccepted: (answer) => answer.at('ok') === 'true',
  message: ['description'],
  statuses: { 404: 'credentials' },
});

/** The error code is the status; only the text says more. */
const TEXT_KINDS: Readonly<Record<string, FailureKind>> = {
  'chat not found': 'recipient',
  'bot was blocked by the user': 'recipient',
  'user is deactivated': 'recipient',
  'bot was kicked': 'recipient',
  'not enough rights': 'recipient',
  'message text is empty': 'content',
  'message is too long': 'content',
  "can't parse entities": 'content',
};

const read = reading({
  isAccepted: (answer) => answer.at('ok') === 'true',
  id: ['result', 'message_id'],
  date: ['result', 'date'],
  message: ['description'],
  code: (answer) => Object.keys(TEXT_KINDS).find((part) => answer.at('description')?.includes(part)),
  kinds: TEXT_KINDS,
  // 401 and 404: there is no bot with this token.
  statuses: { 403: 'recipient', 404: 'credentials' },
});
