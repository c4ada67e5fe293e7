import type { CredentialsDto } from '@clarion/contracts';
import { type Json, type JsonObject } from '@clarion/contracts/core';
import { type ReadyItem } from '../adapter';
import { byKind } from '../by-kind';
import { baseUrlOf, type Call, compact, merge, words } from '../call';
import { bySharedKey, dateOf, eventKinds, jsonBody } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer, isMissingEndpoint, kindOfCode, outcomeOf, refused } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { type ReadySms, reportOf, smsProvider } from './sms-provider';

const PATH = '/sms/2/text/advanced';
/** Infobip documents no limit. The response has to fit into the response limit. */
const MOST_MESSAGES = 100;

/** Status groups by number. */
const GROUPS = ['OK', 'PENDING', 'UNDELIVERABLE', 'DELIVERED', 'EXPIRED', 'REJECTED'] as const;

/** The status group by name or, if the name is missing, by number. */
const groupOf = (report: Json | undefined): string =>
  textAt(report, ['status', 'groupName']) ?? GROUPS[Number(textAt(report, ['status', 'groupId']))] ?? '';

const REPORT_KINDS = eventKinds({
  delivered: ['DELIVERED'],
  bounced: ['UNDELIVERABLE'],
  failed: ['EXPIRED'],
  rejected: ['REJECTED'],
});
/** The error group of faults of the handset or its owner. */
const HANDSET_ERRORS = '1';

const baseOf = ({ baseUrl = '' }: CredentialsDto): string => baseUrlOf(baseUrl);

function callOf(
  items: readonly ReadyItem<ReadySms>[],
  credentials: CredentialsDto,
  callbackUrl: string | undefined,
): Call {
  const messages = items.map(({ message, fields }): JsonObject => {
    const body = compact({
      from: message.from,
      destinations: [{ to: message.digits }],
      text: message.content,
      notifyUrl: callbackUrl,
      notifyContentType: callbackUrl === undefined ? undefined : 'application/json',
      callbackData: message.id,
    });
    return merge(body, fields);
  });
  return { url: baseOf(credentials) + PATH, json: { messages } };
}

/** Statuses of a rejected message in a response with status 200. */
const KINDS: Readonly<Record<string, FailureKind>> = byKind({
  quota: ['REJECTED_NOT_ENOUGH_CREDITS', 'REJECTED_PREPAID_PACKAGE_EXPIRED'],
  recipient: words(`
    REJECTED_NETWORK REJECTED_PREFIX_MISSING REJECTED_DND REJECTED_DESTINATION REJECTED_INVALID_DESTINATION MISSING_TO
  `),
  // A trial account sends to registered numbers only. An account without routes cannot send.
  credentials: words(`
    REJECTED_SOURCE REJECTED_SENDER REJECTED_DESTINATION_NOT_REGISTERED REJECTED_ROUTE_NOT_AVAILABLE
  `),
  'rate-limited': ['REJECTED_FLOODING_FILTER'],
  transient: ['REJECTED_SYSTEM_ERROR'],
  content: ['REJECTED_INVALID_UDH', 'REJECTED_MESSAGE_TOO_LONG'],
});
const NOT_ACCEPTED: ReadonlySet<string> = new Set(['UNDELIVERABLE', 'EXPIRED', 'REJECTED']);

/** Returns one result per message, in the order of the messages. */
function read(answer: Answer, items: readonly ReadyItem<ReadySms>[]): SendResult[] {
  if (!answer.isOk) {
    const failure = outcomeOf(answer, answer.at('requestError', 'serviceException', 'text'));
    return items.map(() => failure);
  }
  const left = [...listAt(answer.json, 'messages')];
  return items.map(({ message }) => {
    // A single entry belongs to a single message. In a batch the number identifies the entry; entries with the same
    // number keep their order.
    const isOwn = (entry: Json): boolean =>
      items.length === 1 || [undefined, message.digits].includes(textAt(entry, ['to'])?.replace(/\D/g, ''));
    const at = left.findIndex(isOwn);
    return at < 0 ? answer.acceptedAs(undefined) : readOne(answer.part(left.splice(at, 1)[0]));
  });
}

function readOne(answer: Answer): SendResult {
  const group = groupOf(answer.json);
  if (!NOT_ACCEPTED.has(group)) return answer.acceptedAs(answer.at('messageId'));
  const known = kindOfCode(KINDS, answer.at('status', 'name'));
  const kind = known ?? (answer.at('error', 'permanent') === 'false' ? 'transient' : 'permanent');
  return answer.failed(kind, answer.at('status', 'description') ?? answer.at('error', 'description') ?? group);
}

export const infobipSms = smsProvider({
  id: 'infobip-sms',
  displayName: 'Infobip SMS',
  required: ['apiKey', 'baseUrl', 'from'],
  evidence: 'official',
  overrides: {
    names: words(`
      flash transliteration language intermediateReport notifyUrl notifyContentType validityPeriod sendAt
      deliveryTimeWindow regional entityId applicationId
    `),
    casing: 'camel',
  },
  headers: ({ apiKey = '' }) => ({ authorization: `App ${apiKey}`, accept: 'application/json' }),
  request: (message, credentials, { fields, callbackUrl }) =>
    URL.canParse(baseOf(credentials))
      ? callOf([{ message, fields }], credentials, callbackUrl)
      : refused('The baseUrl of the integration is not a valid URL', 'credentials'),
  read: (answer, message) => read(answer, [{ message, fields: {} }])[0]!,
  batch: {
    size: MOST_MESSAGES,
    request: (items, credentials, { callbackUrl }) => callOf(items, credentials, callbackUrl),
    read,
  },
  check: {
    get: (credentials) => `${baseOf(credentials)}/account/1/balance`,
    // A key with only the permission to send is valid, but gets a 403 here.
    read: (answer) =>
      answer.isOk || answer.status === 403 || isMissingEndpoint(answer)
        ? answer.accepted()
        : outcomeOf(answer, answer.at('requestError', 'serviceException', 'text')),
  },
  events: {
    ...bySharedKey,
    parse: (call) =>
      listAt(jsonBody(call), 'results').flatMap((report) => {
        const at = (...path: string[]): string | undefined => textAt(report, path);
        const name = at('status', 'name');
        const group = groupOf(report);
        const isFailure = group !== 'DELIVERED';
        return reportOf({
          // The operator has the message, but not yet the recipient.
          kind: name === 'DELIVERED_TO_OPERATOR' ? 'sent' : REPORT_KINDS.get(group),
          mark: `${name}:${at('doneAt')}`,
          providerMessageId: at('messageId'),
          messageId: at('callbackData'),
          recipient: at('to'),
          at: dateOf(at('doneAt')),
          isPermanent: isFailure && at('error', 'permanent') === 'true' && at('error', 'groupId') === HANDSET_ERRORS,
          ...(isFailure && { reason: at('error', 'description') ?? at('status', 'description') }),
        });
      }),
  },
});
