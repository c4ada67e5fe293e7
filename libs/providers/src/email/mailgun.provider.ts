import { type CredentialsDto, type JsonObject } from '@clarion/contracts';
import { basic, formFields, overriddenFields, send, textFields } from '../call';
import { type Answer, outcomeOf } from '../outcome';
import { type SendResult } from '../provider';
import { emailProvider, mailbox } from './email-provider';

const baseOf = ({ baseUrl }: CredentialsDto): string => (baseUrl || 'https://api.mailgun.net').replace(/\/+$/, '');
const loginOf = ({ user, apiKey }: CredentialsDto): string => basic(user || 'api', apiKey ?? '');
const domainOf = ({ domain }: CredentialsDto): string => encodeURIComponent(domain ?? '');

export const mailgun = emailProvider({
  id: 'mailgun',
  send: (message, context) => {
    const { credentials, overrides } = context;
    const fields: Record<string, string | readonly string[] | undefined> = {
      from: mailbox(message),
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      subject: message.subject,
      html: message.html,
      text: message.text,
      'h:Reply-To': message.replyTo,
      // Comes back on every event of this message.
      'v:messageId': message.id,
      ...variables(message.customData ?? {}),
      ...Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [`h:${name}`, value])),
      ...formFields(overriddenFields(overrides)),
    };
    // A picture inside the HTML is called by its file name.
    const files = message.attachments.map(({ cid, name, mime, file }) => ({
      field: cid === undefined ? 'attachment' : 'inline',
      name: cid ?? name,
      mime,
      file,
    }));
    return send(
      context,
      {
        url: `${baseOf(credentials)}/v3/${domainOf(credentials)}/messages`,
        headers: { authorization: loginOf(credentials) },
        ...(files.length > 0 ? { multipart: { fields, files } } : { form: fields }),
      },
      // Events name the message without the brackets.
      (answer) => (answer.isOk ? answer.accepted(answer.at('id')?.replace(/^<|>$/g, '')) : failure(answer)),
    );
  },
  check: (context) =>
    send(
      context,
      {
        method: 'GET',
        url: `${baseOf(context.credentials)}/v3/domains/${domainOf(context.credentials)}`,
        headers: { authorization: loginOf(context.credentials) },
      },
      (answer) => (answer.isOk ? answer.accepted() : failure(answer)),
    ),
});

const variables = (data: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(textFields(data)).map(([name, value]) => [`v:${name}`, value]));

function failure(answer: Answer): SendResult {
  const message = answer.at('message') ?? answer.text.slice(0, 200);
  // The domain is not theirs, or not yet known everywhere.
  return answer.status === 404 ? answer.failed('account', message) : outcomeOf(answer, message);
}
