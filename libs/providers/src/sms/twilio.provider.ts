import { basic, formFields, overriddenFields, send } from '../call';
import { type Answer, outcomeOf } from '../outcome';
import { type SendResult } from '../provider';
import { smsProvider } from './sms-provider';

export const twilio = smsProvider({
  id: 'twilio',
  send: (message, context) => {
    const { accountSid = '', token = '' } = context.credentials;
    const sender = message.from?.startsWith('MG') ? { MessagingServiceSid: message.from } : { From: message.from };
    return send(
      context,
      {
        // Without the suffix the answer is XML.
        url: `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
        headers: { authorization: basic(accountSid, token) },
        form: {
          To: message.to,
          ...sender,
          Body: message.content,
          ...formFields(overriddenFields({ ...message.customData, ...context.overrides }, 'pascal')),
        },
      },
      (answer) => (answer.isOk ? answer.accepted(answer.at('sid')) : failure(answer)),
    );
  },
});

function failure(answer: Answer): SendResult {
  const message = answer.at('message');
  switch (answer.at('code')) {
    case '20003':
      return answer.failed('account', message);
    // Too many requests, and a sender whose queue is full: both come as 4xx and pass.
    case '20429':
    case '21611':
      return answer.failed('transient', message);
    default:
      return outcomeOf(answer, message);
  }
}
