import { type Provider } from '../provider';
import { braze } from './braze.provider';
import { emailWebhook } from './email-webhook.provider';
import { emailjs } from './emailjs.provider';
import { infobipEmail } from './infobip-email.provider';
import { mailersend } from './mailersend.provider';
import { mailgun } from './mailgun.provider';
import { mailjet } from './mailjet.provider';
import { mailtrap } from './mailtrap.provider';
import { mandrill } from './mandrill.provider';
import { netcore } from './netcore.provider';
import { nodemailer } from './nodemailer.provider';
import { outlook365 } from './outlook365.provider';
import { platformEmail } from './platform-email.provider';
import { plunk } from './plunk.provider';
import { postmark } from './postmark.provider';
import { resend } from './resend.provider';
import { sendgrid } from './sendgrid.provider';
import { sendinblue } from './sendinblue.provider';
import { ses } from './ses.provider';
import { sparkpost } from './sparkpost.provider';

export const EMAIL: readonly Provider<'email'>[] = [
  braze,
  emailWebhook,
  emailjs,
  infobipEmail,
  mailersend,
  mailgun,
  mailjet,
  mailtrap,
  mandrill,
  netcore,
  nodemailer,
  outlook365,
  platformEmail,
  plunk,
  postmark,
  resend,
  sendgrid,
  sendinblue,
  ses,
  sparkpost,
];
