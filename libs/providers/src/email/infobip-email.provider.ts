import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { baseUrlOf, formFields, textFields, words } from '../call';
import { bySharedKey, dateOf, type DeliveryEvent, eventKinds, jsonBody } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { type SendResult } from '../provider';
import {
  checked,
  emailProvider,
  hasCustomData,
  mailbox,
  SENDER,
  withLeftOutParts,
  withWarnings,
} from './email-provider';

const baseOf = ({ baseUrl = '' }: CredentialsDto): string => baseUrlOf(baseUrl);

/** Status groups of delivery reports. */
const GROUP_KINDS = eventKinds({
  sent: ['PENDING'],
  delivered: ['DELIVERED'],
  bounced: ['UNDELIVERABLE'],
  failed: ['EXPIRED'],
  rejected: ['REJECTED'],
});

/** Events caused by recipients have another format. */
const NOTIFICATION_KINDS = eventKinds({
  opened: ['OPENED'],
  clicked: ['CLICKED'],
  complained: ['COMPLAINED'],
  unsubscribed: ['UNSUBSCRIBED'],
});

function reportOf(report: Json): DeliveryEvent[] {
  const at = (...path: string[]): string | undefined => textAt(report, path);
  const kind = GROUP_KINDS.get(at('status', 'groupName') ?? '');
  const providerMessageId = at('messageId');
  if (!kind || providerMessageId === undefined) return [];
  const isFailure = kind === 'bounced' || kind === 'rejected' || kind === 'failed';
  return [
    {
      id: [providerMessageId, at('status', 'name'), at('doneAt'), at('to')].join(' '),
      kind,
      providerMessageId,
      messageId: at('callbackData'),
      recipient: at('to'),
      at: dateOf(at('doneAt') ?? at('sentAt')),
      ...(kind === 'bounced' && { isPermanent: at('error', 'permanent') === 'true' }),
      ...(isFailure && { reason: at('error', 'description') ?? at('status', 'description') }),
    },
  ];
}

function noticeOf(notice: Json | undefined): DeliveryEvent[] {
  const at = (...path: string[]): string | undefined => textAt(notice, path);
  const name = at('notificationType') ?? '';
  const kind = NOTIFICATION_KINDS.get(name);
  const providerMessageId = at('messageId');
  if (!kind || providerMessageId === undefined) return [];
  return [
    {
      id: [providerMessageId, name, at('sendDateTime'), at('recipient'), at('url')].join(' '),
      kind,
      providerMessageId,
      recipient: at('recipient'),
      at: dateOf(at('sendDateTime')),
      reason: at('url'),
    },
  ];
}

export const infobipEmail = emailProvider({
  id: 'infobip-email',
  displayName: 'Infobip Email',
  required: ['apiKey', 'baseUrl', ...SENDER],
  evidence: 'official',
  overrides: {
    names: words(`
      ampHtml templateId templateLanguageVersion defaultPlaceholders landingPageId landingPagePlaceholders
      intermediateReport track trackClicks trackOpens trackingPixelPosition campaignReferenceId bulkId sendAt
      replyTo headers preserveRecipients ipPoolId clientPriority entityId skipPassiveStorage skipActiveStorage
    `),
    casing: 'camel',
  },
  headers: ({ apiKey = '' }) => ({ accept: 'application/json', authorization: `App ${apiKey}` }),
  request: (message, credentials, { fields, callbackUrl }) => ({
    url: `${baseOf(credentials)}/email/3/send`,
    multipart: {
      fields: {
        from: mailbox(message),
        to: message.to,
        cc: message.cc,
        bcc: message.bcc,
        replyTo: message.replyTo,
        subject: message.subject,
        html: message.html,
        text: message.text,
        // One mail for all recipients instead of one mail each.
        preserveRecipients: message.to.length > 1 ? 'true' : undefined,
        headers: Object.keys(message.headers).length > 0 ? JSON.stringify(message.headers) : undefined,
        ipPoolId: message.ipPoolName,
        // Infobip returns it with every report about this message.
        callbackData: message.id,
        ...(callbackUrl !== undefined && {
          notifyUrl: callbackUrl,
          notifyContentType: 'application/json',
          trackingUrl: callbackUrl,
        }),
        ...overridesOf(fields),
      },
      // The HTML refers to a picture by its file name.
      files: message.attachments.map(({ cid, name, mime, file }) => ({
        field: cid === undefined ? 'attachment' : 'inlineImage',
        name: cid ?? name,
        mime,
        file,
      })),
    },
  }),
  read: (answer, message) =>
    withLeftOutParts(readAnswer(answer), 'Infobip', {
      customData: hasCustomData(message),
    }),
  check: {
    get: (credentials) => `${baseOf(credentials)}/email/1/domains?size=1`,
    // A key with only the permission to send is valid, but gets a 403 here.
    read: (answer) => (answer.status === 403 ? answer.accepted() : checked(answer, read)),
  },
  events: {
    ...bySharedKey,
    parse: (call) => {
      const json = jsonBody(call);
      const reports = listAt(json, 'results').flatMap(reportOf);
      return [...reports, ...noticeOf(json)];
    },
  },
});

/** Objects are sent as JSON, and lists as repeated fields. */
const overridesOf = (fields: JsonObject): Record<string, string | string[]> => ({
  ...formFields(fields),
  ...(isJsonObject(fields['headers']) && textFields({ headers: fields['headers'] })),
});

/** Each recipient has a status. The message fails if all of them are rejected. */
function readAnswer(answer: Answer): SendResult {
  const states = listAt(answer.json, 'messages');
  const refused = states.filter(isRefused);
  if (!answer.isOk || refused.length === 0) return read(answer);
  const reason = textAt(refused[0], ['status', 'description']) ?? textAt(refused[0], ['status', 'name']);
  if (refused.length === states.length) {
    return answer.failed(kindOfState(textAt(refused[0], ['status', 'name']) ?? ''), reason);
  }
  return withWarnings(
    read(answer),
    refused.map((state) => `Infobip refused ${textAt(state, ['to']) ?? 'a recipient'}: ${reason ?? 'no reason given'}`),
  );
}

const isRefused = (state: Json): boolean =>
  ['REJECTED', 'UNDELIVERABLE', 'EXPIRED'].includes(textAt(state, ['status', 'groupName']) ?? '');

function kindOfState(name: string): 'recipient' | 'credentials' | 'quota' | 'content' {
  if (/CREDIT|QUOTA|LIMIT/.test(name)) return 'quota';
  if (/DESTINATION|RECIPIENT|BLACKLIST|UNSUBSCRIBED|SUPPRESS|INVALID_EMAIL/.test(name)) return 'recipient';
  return /SENDER|DOMAIN|ROUTE|NETWORK/.test(name) ? 'credentials' : 'content';
}

const read = reading({
  id: (answer) =>
    listAt(answer.json, 'messages')
      .filter((state) => !isRefused(state))
      .map((state) => textAt(state, ['messageId']))[0],
  date: ({ headers }) => dateOf(headers['date']),
  message: [
    ['requestError', 'serviceException', 'text'],
    ['requestError', 'policyException', 'text'],
  ],
  code: ['requestError', 'serviceException', 'messageId'],
  kinds: { BAD_REQUEST: 'content', UNAUTHORIZED: 'credentials', TOO_MANY_REQUESTS: 'rate-limited' },
});
