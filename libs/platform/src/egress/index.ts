export * from './egress';
export * from './egress-error';
export * from './provider-urls';
export type { SmtpMail, SmtpReceipt, SmtpServer } from './smtp-egress';
export * from './address-list';
