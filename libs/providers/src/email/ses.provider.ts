import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { awsCall } from '../aws-signature';
import { compact, merge, textFields } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import { type Attachment } from '../provider';
import {
  asciiMailbox,
  base64Of,
  checked,
  emailProvider,
  encodedWords,
  leftOut,
  type ReadyEmail,
  SENDER,
} from './email-provider';
import { MESSAGE_TAG, sesEvents } from './ses-events';

const SERVICE = { host: 'email', service: 'ses' } as const;

export const ses = emailProvider({
  id: 'ses',
  displayName: 'Amazon SES',
  required: ['apiKey', 'secretKey', 'region', ...SENDER],
  evidence: 'official',
  overrides: {
    names: [
      'ConfigurationSetName',
      'Content',
      'EmailTags',
      'EndpointId',
      'FeedbackForwardingEmailAddress',
      'ListManagementOptions',
      'ReplyToAddresses',
      'TenantName',
    ],
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
      // Come back on every event of this message.
      EmailTags: [{ Name: MESSAGE_TAG, Value: message.id }, ...tagsOf(message)],
    });
    const path = '/v2/email/outbound-emails';
    return awsCall({ ...SERVICE, path }, { json: merge(body, fields) }, credentials, context);
  },
  read: (answer, message) =>
    leftOut(read(answer), 'Amazon SES', {
      ipPoolName: message.ipPoolName !== undefined,
      'customData that is no tag': tagsOf(message).length < Object.keys(message.customData ?? {}).length,
    }),
  check: {
    request: (credentials, context) =>
      awsCall({ ...SERVICE, path: '/v2/email/account' }, { method: 'GET' }, credentials, context),
    read: (answer) => {
      if (answer.isOk && answer.at('SendingEnabled') === 'false') {
        return answer.failed('credentials', 'Amazon has switched off sending for this account');
      }
      // Keys that may only send are good keys; they just may not look.
      return errorOf(answer) === 'AccessDenied' ? answer.accepted() : checked(answer, read);
    },
  },
  events: sesEvents,
});

/** A template or a message in full takes the place of ours; anything else is worked into it. */
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
    // Without it Amazon would write the bytes into the mail as if they were plain text.
    ContentTransferEncoding: 'BASE64',
    ContentDisposition: attachment.cid === undefined && attachment.disposition !== 'inline' ? 'ATTACHMENT' : 'INLINE',
    ContentId: attachment.cid,
  });

const TAG_NAME = /^[\w-]{1,256}$/;
const TAG_VALUE = /^[\w.@-]{1,256}$/;

/** Tags hold few characters; with any other the whole message would be refused. */
const tagsOf = ({ customData = {} }: ReadyEmail): JsonObject[] =>
  Object.entries(textFields(customData)).flatMap(([name, value]) =>
    TAG_NAME.test(name) && TAG_VALUE.test(value) ? [{ Name: name, Value: value }] : [],
  );

/** The name may be followed by a colon and an address, and stands with or without its ending. */
const errorOf = (answer: Answer): string | undefined =>
  (answer.headers['x-amzn-errortype'] ?? answer.at('__type') ?? answer.at('code'))?.replace(
    /^.*#|:.*$|Exception(?=:|$)/g,
    '',
  );

const wordsOf = (answer: Answer): string | undefined => answer.at('message') ?? answer.at('Message');

const read = reading({
  id: ['MessageId'],
  date: ({ headers }) => dateOf(headers['date']),
  message: wordsOf,
  code: (answer) => {
    const error = errorOf(answer);
    // One name for the sender who is not known, and for a message that Amazon does not like.
    if (error === 'MessageRejected' && /not verified/i.test(wordsOf(answer) ?? '')) return 'NotVerified';
    // One name for what a second helps, and for what takes a day.
    if (/daily message quota/i.test(wordsOf(answer) ?? '')) return 'DailyQuota';
    return error;
  },
  kinds: {
    NotVerified: 'credentials',
    DailyQuota: 'quota',
    MessageRejected: 'content',
    BadRequest: 'content',
    MailFromDomainNotVerified: 'credentials',
    AccountSuspended: 'credentials',
    SendingPaused: 'credentials',
    NotFound: 'credentials',
    LimitExceeded: 'quota',
    TooManyRequests: 'rate-limited',
    Throttling: 'rate-limited',
    RequestExpired: 'credentials',
    UnrecognizedClient: 'credentials',
    InvalidSignature: 'credentials',
  },
});
