import type { JsonObject } from '../json';

/** What an override changes for the step `mail`, which sends email through SendGrid, and the step `text` (SMS). */
export type OverrideEffect = {
  email?: JsonObject;
  sms?: JsonObject;
  push?: JsonObject;
  layoutId?: string | null;
  integration?: string;
  severity?: string;
  /** When a regular delay or digest of an hour ends that starts at `AUTHORING_NOW`. */
  waitsUntil?: string;
};

export type DescribedOverride = { path: string; description: string; example: JsonObject; result: OverrideEffect };

const ofChannel = (channel: 'email' | 'sms' | 'push', fields: [name: string, description: string, value: unknown][]) =>
  fields.map(([name, description, value]): DescribedOverride => {
    const part = { [name]: value } as JsonObject;
    return { path: `${channel}.${name}`, description, example: { [channel]: part }, result: { [channel]: part } };
  });

export const OVERRIDES: readonly DescribedOverride[] = [
  {
    path: '<channel>',
    description: 'Fields for every message of the channel. Fields that the tables do not name go to the provider.',
    example: { email: { subject: 'Now', categories: ['orders'] } },
    result: { email: { subject: 'Now', categories: ['orders'] } },
  },
  ...ofChannel('email', [
    ['subject', 'Another subject.', 'Now'],
    ['html', 'Another HTML body.', '<p>Now</p>'],
    ['text', 'Another text body.', 'Now'],
    ['toRecipient', 'Another address instead of that of the subscriber.', 'sales@x.test'],
    ['to', 'More recipients.', ['team@x.test']],
    ['cc', 'Copies.', ['boss@x.test']],
    ['bcc', 'Blind copies.', ['archive@x.test']],
    ['from', 'Another sender.', 'news@x.test'],
    ['senderName', 'Another name of the sender.', 'News'],
    ['replyTo', 'Another address for answers.', 'help@x.test'],
    ['headers', 'More headers.', { 'X-Order': '42' }],
    ['ipPoolName', 'The IP pool, for providers that have pools.', 'bulk'],
    ['customData', 'Values that the provider stores with the message.', { order: '42' }],
  ]),
  ...ofChannel('sms', [
    ['content', 'Another text.', 'Now'],
    ['to', 'Another phone number.', '+15550002222'],
    ['from', 'Another sender.', '+15550003333'],
  ]),
  ...ofChannel('push', [
    ['deviceTokens', 'Other devices.', ['token-1']],
    ['data', 'Values for the application.', { screen: 'orders' }],
  ]),
  {
    path: '<channel>.integrationIdentifier',
    description: 'The integration that sends the messages of the channel.',
    example: { email: { integrationIdentifier: 'sendgrid-eu' } },
    result: { email: {}, integration: 'sendgrid-eu' },
  },
  {
    path: '<providerId>',
    description: 'Fields for the messages of one provider. They replace those of the channel.',
    example: { email: { subject: 'Now' }, sendgrid: { subject: 'Today' } },
    result: { email: { subject: 'Today' } },
  },
  {
    path: 'providers.<providerId>',
    description: 'The same.',
    example: { providers: { sendgrid: { categories: ['orders'] } } },
    result: { email: { categories: ['orders'] } },
  },
  {
    path: 'steps.<stepId>.providers.<providerId>',
    description: 'Fields for one step. They replace all others.',
    example: { email: { subject: 'Now' }, steps: { mail: { providers: { sendgrid: { subject: 'Step' } } } } },
    result: { email: { subject: 'Step' } },
  },
  {
    path: 'steps.<stepId>.layoutId',
    description: 'The layout of one step; null for none.',
    example: { layoutIdentifier: 'plain', steps: { mail: { layoutId: null } } },
    result: { layoutId: null },
  },
  {
    path: 'channels.email.layoutId',
    description: 'The layout of all emails.',
    example: { channels: { email: { layoutId: 'plain' } } },
    result: { layoutId: 'plain' },
  },
  {
    path: 'layoutIdentifier',
    description: 'The same, by another name.',
    example: { layoutIdentifier: 'plain' },
    result: { layoutId: 'plain' },
  },
  {
    path: 'severity',
    description: 'The severity of the notifications.',
    example: { severity: 'high' },
    result: { severity: 'high' },
  },
  {
    path: 'delay',
    description: 'Another amount and unit for regular delays and digests.',
    example: { delay: { amount: 2, unit: 'minutes' } },
    result: { waitsUntil: '2030-01-01T00:02:00.000Z' },
  },
];
