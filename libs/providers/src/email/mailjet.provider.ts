import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading, type ReadyItem } from '../adapter';
import { byKind } from '../by-kind';
import { baseUrlOf, basic, type Call, compact, merge, words } from '../call';
import { bySharedKey, dateOf, eventKinds, eventsOf, objectsIn } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer, kindOfCode, kindOfStatus } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import {
  base64Of,
  checked,
  emailProvider,
  headersOrNone,
  isSmall,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
} from './email-provider';

const BATCH = 50;
/** The only field that applies to a whole call. */
const SANDBOX = 'SandboxMode';
/** A call may have 15 MB, and JSON encoding can double the size of a text. */
const SHARE_OF_A_CALL = Math.floor((15 * 1024 * 1024) / BATCH / 2);

const KINDS = eventKinds({
  // The recipient's server has accepted it.
  delivered: ['sent'],
  opened: ['open'],
  clicked: ['click'],
  bounced: ['bounce'],
  rejected: ['blocked'],
  complained: ['spam'],
  unsubscribed: ['unsub'],
});

const baseOf = ({ baseUrl }: CredentialsDto): string => baseUrlOf(baseUrl || 'https://api.mailjet.com');

export const mailjet = emailProvider({
  id: 'mailjet',
  displayName: 'Mailjet',
  required: ['apiKey', 'secretKey', ...SENDER],
  optional: ['baseUrl'],
  evidence: 'official',
  overrides: {
    names: [
      ...words(`
        ReplyTo Subject TextPart HTMLPart TemplateID TemplateLanguage TemplateErrorDeliver Attachments
        InlinedAttachments Priority CustomCampaign DeduplicateCampaign TrackOpens TrackClicks EventPayload URLTags
        Headers Variables
      `),
      SANDBOX,
    ],
    casing: 'pascal',
  },
  headers: ({ apiKey = '', secretKey = '' }) => ({ authorization: basic(apiKey, secretKey) }),
  request: (message, credentials, { fields }) => callWith([{ message, fields }], credentials),
  read: (answer, message) => readAll(answer, [message])[0]!,
  batch: {
    size: BATCH,
    groupOf: (message, fields) => (isSmall(message, SHARE_OF_A_CALL) && !(SANDBOX in fields) ? '' : undefined),
    request: callWith,
    read: (answer, items) =>
      readAll(
        answer,
        items.map(({ message }) => message),
      ),
  },
  check: {
    get: (credentials) => `${baseOf(credentials)}/v3/REST/sender?Limit=1`,
    read: (answer) => checked(answer, readRefusal),
  },
  events: {
    ...bySharedKey,
    parse: (call) =>
      eventsOf(objectsIn(call), (at) => {
        const kind = KINDS.get(at('event') ?? '');
        const message = at('Message_GUID') ?? at('CustomID') ?? at('MessageID');
        if (!kind || message === undefined) return undefined;
        return {
          id: [message, kind, at('time'), at('email'), at('url')].join(' '),
          kind,
          messageId: at('CustomID'),
          providerMessageId: at('Message_GUID'),
          recipient: at('email'),
          at: dateOf(at('time')),
          isPermanent: kind === 'bounced' ? at('hard_bounce') === 'true' : undefined,
          reason: at('error') ?? at('smtp_reply') ?? at('url') ?? at('source'),
        };
      }),
  },
});

function callWith(items: readonly ReadyItem<ReadyEmail>[], credentials: CredentialsDto): Call {
  const messages = items.map(({ message, fields: { [SANDBOX]: _, ...fields } }) => merge(bodyOf(message), fields));
  return {
    url: `${baseOf(credentials)}/v3.1/send`,
    json: compact({ Messages: messages, [SANDBOX]: items[0]?.fields[SANDBOX] }),
  };
}

const person = (email: string): JsonObject => ({ Email: email });

function bodyOf(message: ReadyEmail): JsonObject {
  const files = message.attachments.map((attachment) =>
    compact({
      ContentType: attachment.mime,
      Filename: attachment.name,
      ContentID: attachment.cid,
      Base64Content: base64Of(attachment),
    }),
  );
  return compact({
    From: compact({ Email: message.from, Name: message.senderName || undefined }),
    To: message.to.map(person),
    Cc: message.cc.map(person),
    Bcc: message.bcc.map(person),
    ReplyTo: message.replyTo === undefined ? undefined : person(message.replyTo),
    Subject: message.subject,
    TextPart: message.text,
    HTMLPart: message.html,
    Attachments: files.filter(({ ContentID }) => ContentID === undefined),
    InlinedAttachments: files.filter(({ ContentID }) => ContentID !== undefined),
    Headers: headersOrNone(message),
    EventPayload: message.customData && JSON.stringify(message.customData),
    // Mailjet returns it with every event of this message.
    CustomID: message.id,
  });
}

/** Entries are in the order of the messages. A list of another length cannot be assigned. */
function readAll(answer: Answer, messages: readonly ReadyEmail[]): SendResult[] {
  const entries = listAt(answer.json, 'Messages');
  const isComplete = entries.length === messages.length;
  return messages.map((message, index) =>
    isComplete ? readEntry(answer.part(entries[index]), message) : readRefusal(answer),
  );
}

/** Accepted and rejected messages share a response, so the entry decides and not the status. */
function readEntry(entry: Answer, { id, ipPoolName }: ReadyEmail): SendResult {
  if (entry.at('Status')?.toLowerCase() === 'success') {
    const result = entry.accepted(entry.at('To', 0, 'MessageUUID') ?? id, dateOf(entry.headers['date']));
    return withLeftOutParts(result, 'Mailjet', { ipPoolName: ipPoolName !== undefined });
  }
  const errors = listAt(entry.json, 'Errors').filter(isJsonObject);
  if (errors.length === 0) return readRefusal(entry);
  const texts = errors.map((error) => textAt(error, ['ErrorMessage']) ?? textAt(error, ['ErrorCode']));
  return entry.failed(kindOfError(errors[0]!, entry.status), texts.join('; '));
}

function kindOfError(error: JsonObject, status: number): FailureKind {
  const code = textAt(error, ['ErrorCode']);
  if (code === 'mj-0013') return isAboutARecipient(error['ErrorRelatedTo']) ? 'recipient' : 'content';
  return kindOfCode(CODES, code) ?? kindOfStatus(Number(textAt(error, ['StatusCode']) ?? status));
}

const isAboutARecipient = (properties: Json | undefined): boolean =>
  Array.isArray(properties) && properties.some((name) => /^(To|Cc|Bcc)\b/i.test(String(name)));

const CODES: Readonly<Record<string, FailureKind>> = byKind({
  // A suspended or wrong key, and senders that are not validated.
  credentials: words('mj-0001 mj-0015 send-0006 send-0007 send-0008'),
  content: words(`
    send-0003 send-0004 send-0010 send-0011 send-0012 send-0015 send-0016
    mj-0002 mj-0003 mj-0004 mj-0005 mj-0006 mj-0007 mj-0008 mj-0011 mj-0012
  `),
});

const readRefusal = reading({
  isAccepted: () => false,
  message: ['ErrorMessage'],
  code: ['ErrorCode'],
  kinds: CODES,
});
