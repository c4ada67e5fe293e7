import { platformSlack } from './chat/platform-slack.provider';
import { platformEmail } from './email/platform-email.provider';
import { intoOutbox } from './outbox';
import { provider } from './adapter';
import type { EmailMessage, OutboundChannel, OutboundMessages, Provider, PushMessage, SmsMessage } from './provider';
import { platformSms } from './sms/platform-sms.provider';

const SHOWN_TOKEN_CHARACTERS = 4;
/** A shorter token would be shown nearly whole. */
const LEAST_TOKEN_CHARACTERS = 16;
/** Of the recipients in a subject or a text. */
const SHOWN_RECIPIENT_CHARACTERS = 100;

/** A device token is a secret: the outbox shows its end. */
const shownToken = (token: string): string[] =>
  token.length < LEAST_TOKEN_CHARACTERS ? [] : [`…${token.slice(-SHOWN_TOKEN_CHARACTERS)}`];

/** Stores push messages. It is no provider of integrations: only sandboxes use it. */
const pushOutbox = provider<'push', PushMessage>(
  {
    id: 'platform',
    displayName: 'Sandbox outbox',
    ...intoOutbox<PushMessage>(({ token, title, content, payload }) => ({
      providerId: 'platform',
      channel: 'push',
      to: shownToken(token),
      subject: title,
      text: content,
      more: { payload },
    })),
  },
  { channel: 'push', ready: (message) => message },
);

/** What stores the messages of each channel in the outbox of a sandbox. */
export const OUTBOX_PROVIDERS: { [C in OutboundChannel]: Provider<C> } = {
  email: platformEmail,
  sms: platformSms,
  chat: platformSlack,
  push: pushOutbox,
};

/** A message of a sandbox for another address, and the addresses that it was for. */
export type RedirectedMessage = { message: OutboundMessages[OutboundChannel]; intended: string[] };

/**
 * The message for the one address of the sandbox. All that could name another recipient is left out: copies, the
 * address for replies, headers and custom data. The text begins with the address that it was for.
 */
export function redirectedMessage(
  channel: 'email' | 'sms',
  given: OutboundMessages[OutboundChannel],
  address: string,
): RedirectedMessage {
  if (channel === 'sms') {
    const { id, to, from, content } = given as SmsMessage;
    const message: SmsMessage = { id, to: address, content: `[to ${to}] ${content}` };
    if (from !== undefined) message.from = from;
    return { message, intended: [to] };
  }
  const { cc = [], bcc = [], replyTo: _, headers: __, customData: ___, ...email } = given as EmailMessage;
  const intended = [...email.to, ...cc, ...bcc];
  const message: EmailMessage = {
    ...email,
    to: [address],
    subject: `[to ${intended.join(', ').slice(0, SHOWN_RECIPIENT_CHARACTERS)}] ${email.subject}`,
  };
  return { message, intended };
}
