import { type SmtpServer } from '@clarion/contracts/core';
import type { CredentialsDto } from '@clarion/contracts';
import { emailProvider, SENDER } from './email-provider';
import { checkServer, sendMail, SMTP_OVERRIDES } from './nodemailer.provider';

export const outlook365 = emailProvider({
  id: 'outlook365',
  displayName: 'Outlook 365',
  required: ['password', ...SENDER],
  optional: ['user'],
  evidence: 'official',
  overrides: SMTP_OVERRIDES,
  send: (message, credentials, context) => sendMail(serverOf(credentials), message, credentials, context),
  check: (credentials, context) => checkServer(serverOf(credentials), credentials, context),
});

const serverOf = ({ user, from, password }: CredentialsDto): SmtpServer => ({
  host: 'smtp.office365.com',
  port: 587,
  requireTls: true,
  user: user || from,
  password,
});
