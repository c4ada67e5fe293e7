import { emailProvider } from './email-provider';
import { ownServer } from './nodemailer.provider';

/** Named after a mail client for Node, not after the service of that name: a mail server of one's own. */
export const emailjs = emailProvider({
  ...ownServer,
  required: ['host', 'port', 'from'],
  optional: ['senderName', ...ownServer.optional],
  id: 'emailjs',
  displayName: 'EmailJS',
  evidence: 'reported',
});
