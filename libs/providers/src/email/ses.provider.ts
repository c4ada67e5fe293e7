import { type Attachment, isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { awsCall } from '../aws-signature';
import { compact, merge, textFields, words } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import {
  asciiMailbox,
  base64Of,
  checked,
  emailProvider,
  encodedWords,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
} from './email-provider';
import { MESSAGE_TAG, sesEvents } from './ses-events';

const SERVICE = { host: 'email', service: 'ses' } as const;

export const ses = emailProvider({
  id: 'ses',
  displayName: 'Amazon SES',
  required: ['apiKey', 'secretKey', 'region', ...SENDER],
  evidence: 'official',
  overrides: {
    names: words(`
      ConfigurationSetName Content EmailTags EndpointId FeedbackForwardingEmailAddress ListManagementOptions
      ReplyToAddresses TenantName
    `),
    casing: 'pascal',
  },
  request: (message, credentials, context) => {
    const { Content: content, ...fields } = context.fields;
    const body = compact({
      FromEmailAddress: asciiMailbox(message),
      Destination: compact({
        ToAddresses: [...message.to],
        CcAddresses: [...message.cc],
        BccAddresses: [...message.bcc],
      }),
      ReplyToAddresses: message.replyTo === undefined ? [] : [message.replyTo],
      Content: contentOf(message, content),
      // Amazon returns these with every event of this message.
      EmailTags: [{ Name: MESSAGE_TAG, Value: message.id }, ...tagsOf(message)],
    });
    const path = '/v2/email/outbound-emails';
    return awsCall({ ...SERVICE, path }, { json: merge(body, fields) }, credentials, context);
  },
  read: (answer, message) =>
    withLeftOutParts(read(answer), 'Amazon SES', {
      ipPoolName: message.ipPoolName !== undefined,
      'customData that is not a valid tag': tagsOf(message).length < Object.keys(message.customData ?? {}).length,
    }),
  check: {
    request: (credentials, context) =>
      awsCall({ ...SERVICE, path: '/v2/email/account' }, { method: 'GET' }, credentials, context),
    read: (answer) => {
      if (answer.isOk && answer.at('SendingEnabled') === 'false') {
        return answer.failed('credentials', 'Amazon has switched off sending for this account');
      }
      // Keys with only the permission to send are valid, but cannot read.
      return errorOf(answer) === 'AccessDenied' ? answer.accepted() : checked(answer, read);
    },
  },
  events: sesEvents,
});

/** A template or a raw message replaces the content. Any other override is merged into it. */
function contentOf(message: ReadyEmail, override: Json | undefined): JsonObject {
  const given = isJsonObject(override) ? override : {};
  if ('Template' in given || 'Raw' in given) return given;
  const text = (data: string): JsonObject => ({ Data: data, Charset: 'UTF-8' });
  const simple = compact({
    Subject: text(message.subject),
    Body: compact({ Html: text(message.html), Text: message.text ? text(message.text) : undefined }),
    Headers: Object.entries(message.headers).map(([name, value]) => ({ Name: name, Value: encodedWords(value) })),
    Attachments: message.attachments.map(attachmentOf),
  });
  return merge({ Simple: simple }, given);
}

const attachmentOf = (attachment: Attachment): JsonObject =>
  compact({
    FileName: attachment.name,
    ContentType: attachment.mime,
    RawContent: base64Of(attachment),
    // Without it Amazon writes the bytes into the mail as plain text.
    ContentTransferEncoding: 'BASE64',
    ContentDisposition: attachment.cid === undefined && attachment.disposition !== 'inline' ? 'ATTACHMENT' : 'INLINE',
    ContentId: attachment.cid,
  });

const TAG_NAME = /^[\w-]{1,256}$/;
const TAG_VALUE = /^[\w.@-]{1,256}$/;

/** Tags allow few characters. With any other character Amazon rejects the whole message. */
const tagsOf = ({ customData = {} }: ReadyEmail): JsonObject[] =>
  Object.entries(textFields(customData)).flatMap(([name, value]) =>
    TAG_NAME.test(name) && TAG_VALUE.test(value) ? [{ Name: name, Value: value }] : [],
  );

/** The name may be followed by a colon and a URL, and may end with `Exception`. */
const errorOf = (answer: Answer): string | undefined =>
  (answer.headers['x-amzn-errortype'] ?? answer.at('__type') ?? answer.at('code'))
    ?.split(':', 1)[0]!
    .split('#')
    .at(-1)!
    .replace(/Exception$/, '');

const errorTextOf = (answer: Answer): string | undefined => answer.at('message') ?? answer.at('Message');

const read = reading({
  id: ['MessageId'],
  date: ({ headers }) => dateOf(headers['date']),
  message: errorTextOf,
  code: (answer) => {
    const error = errorOf(answer);
    // Amazon uses one name for an unverified sender and for a rejected message.
    if (error === 'MessageRejected' && /not verified/i.test(errorTextOf(answer) ?? '')) return 'NotVerified';
    // Amazon uses one name for a rate limit of a second and for the quota of a day.
    if (/daily message quota/i.test(errorTextOf(answer) ?? '')) return 'DailyQuota';
    return error;
  },
  kinds: byKind({
    credentials: words(`
      NotVerified MailFromDomainNotVerified AccountSuspended SendingPaused NotFound RequestExpired UnrecognizedClient
      InvalidSignature
    `),
    quota: ['DailyQuota', 'LimitExceeded'],
    content: ['MessageRejected', 'BadRequest'],
    'rate-limited': ['TooManyRequests', 'Throttling'],
  }),
});
