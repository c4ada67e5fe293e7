import { intoOutbox } from '../outbox';
import { type ReadySms, smsProvider } from './sms-provider';

/** Stores text messages in the local outbox instead of sending them. */
export const platformSms = smsProvider({
  id: 'platform-sms',
  displayName: 'Clarion SMS',
  ...intoOutbox<ReadySms>(({ to, from, content }) => ({
    providerId: 'platform-sms',
    channel: 'sms',
    to: [to],
    text: content,
    more: { from },
  })),
});
