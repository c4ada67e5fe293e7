import { provider } from '../adapter';
import { intoOutbox } from '../outbox';
import { readyEmail, type ReadyEmail } from './email-provider';

/** The sender of messages that have none. This integration has no sender and sends nothing. */
const SENDER = { from: 'demo@clarion.invalid', senderName: 'Clarion' };

/** Stores email in the local outbox instead of sending it. */
export const platformEmail = provider<'email', ReadyEmail>(
  {
    id: 'platform-email',
    displayName: 'Clarion Email',
    ...intoOutbox<ReadyEmail>(({ to, subject, html, text, from, senderName, replyTo, cc, bcc, headers, ...rest }) => ({
      providerId: 'platform-email',
      channel: 'email',
      to,
      subject,
      html,
      ...(text !== undefined && { text }),
      more: {
        from,
        senderName,
        replyTo,
        cc: [...cc],
        bcc: [...bcc],
        headers: { ...headers },
        attachments: rest.attachments.map(({ name, mime, file }) => ({ name, mime, bytes: file.length })),
        ipPoolName: rest.ipPoolName,
        customData: rest.customData,
      },
    })),
  },
  { channel: 'email', ready: (message) => readyEmail(message, SENDER) },
);
