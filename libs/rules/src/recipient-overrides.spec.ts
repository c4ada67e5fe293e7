import type { JsonObject } from '@clarion/contracts/core';
import { recipientOverrides } from './recipient-overrides';

describe('recipientOverrides', () => {
  it.each<[JsonObject, string[]]>([
    [{ email: { from: 'a@b.c', subject: 'x' } }, ['overrides.email.from']],
    [
      { email: { to: [], cc: [], bcc: [], replyTo: '', toRecipient: '', senderName: '' } },
      [
        'overrides.email.to',
        'overrides.email.cc',
        'overrides.email.bcc',
        'overrides.email.replyTo',
        'overrides.email.toRecipient',
        'overrides.email.senderName',
      ],
    ],
    [{ email: { headers: { BCC: 'x', 'X-Tag': 'y' } } }, ['overrides.email.headers.BCC']],
    [{ postmark: { Headers: [{ Name: 'Reply-To', Value: 'x' }] } }, ['overrides.postmark.Headers.0.Name']],
    [{ sendgrid: { _passthrough: { body: { personalizations: [] } } } }, ['overrides.sendgrid._passthrough']],
    [{ providers: { sendgrid: { Personalizations: [] } } }, ['overrides.providers.sendgrid.Personalizations']],
    [
      { steps: { mail: { providers: { sendgrid: { reply_to: {} } } } } },
      ['overrides.steps.mail.providers.sendgrid.reply_to'],
    ],
    [{ sparkpost: { content: { from: 'x', subject: 'y' } } }, ['overrides.sparkpost.content.from']],
    [{ sns: { 'AWS.SNS.SMS.SenderID': 'x' } }, ['overrides.sns.AWS.SNS.SMS.SenderID']],
    [{ sms: { to: '+1', content: 'x' } }, ['overrides.sms.to']],
    [{ chat: { webhookUrl: 'https://x' } }, ['overrides.chat.webhookUrl']],
    [{ email: { integrationIdentifier: 'second' } }, ['overrides.email.integrationIdentifier']],
    [{ twilio: { StatusCallback: 'https://x' } }, ['overrides.twilio.StatusCallback']],
    [{ email: { headers: { 'X-MSYS-API': '{}' } } }, ['overrides.email.headers.X-MSYS-API']],
    [{ slack: { channel: '#all', text: 'x' } }, ['overrides.slack.channel']],
    [{ push: { deviceTokens: ['x'] }, fcm: { topic: 'all' } }, ['overrides.push.deviceTokens', 'overrides.fcm.topic']],
    // Under the name that the other dialect has for a provider.
    [{ 'novu-email': { bcc: ['x'] } }, ['overrides.novu-email.bcc']],
  ])('reports %j', (overrides, paths) => {
    expect(recipientOverrides(overrides)).toEqual(paths);
  });

  it.each<[JsonObject | undefined]>([
    [undefined],
    [{ severity: 'high', layoutIdentifier: 'x', delay: { amount: 1 } }],
    [{ email: { subject: 'x', html: '<p>', customData: { from: 'x', to: 'y' } } }],
    [{ fcm: { data: { topic: 'x', from: 'y' }, title: 'x' } }],
    [{ sendgrid: { dynamic_template_data: { from: 'x' }, categories: ['to'] } }],
    [{ push: { title: 'x', sound: 'y' }, sms: { content: 'x' } }],
    // What no provider reads.
    [{ unknown: { from: 'x' }, steps: { mail: { layoutId: 'x' } } }],
  ])('reports nothing for %j', (overrides) => {
    expect(recipientOverrides(overrides)).toEqual([]);
  });
});
