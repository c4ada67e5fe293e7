import { emailProvider } from './email-provider';
import { ownServer } from './nodemailer.provider';

/** A mail server of the tenant. The id comes from a mail client for Node, not from the EmailJS service. */
export const emailjs = emailProvider({
  ...ownServer,
  required: ['host', 'port', 'from'],
  optional: ['senderName', ...ownServer.optional],
  id: 'emailjs',
  displayName: 'EmailJS',
  evidence: 'reported',
});
