import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { basic, compact, merge } from '../call';
import { bySharedKey, dateOf, type DeliveryEventKind, formBody, type InboundCall, objectsIn } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer, isMissingEndpoint, kindOfCode } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { type ReadySms, smsProvider, stateEvents } from './sms-provider';

const API = 'https://rest.clicksend.com/v3';
/** ClickSend accepts a thousand, but a larger response would exceed the response limit. */
const MOST_MESSAGES = 50;
/** The response repeats every text, so longer texts get their own call. */
const LONGEST_SHARED_TEXT = 600;

const KINDS: Readonly<Record<string, FailureKind>> = byKind({
  credentials: ['MISSING_CREDENTIALS', 'ACCOUNT_NOT_ACTIVATED', 'UNAUTHORIZED', 'FORBIDDEN', 'INVALID_SENDER_ID'],
  recipient: ['INVALID_RECIPIENT'],
  quota: ['INSUFFICIENT_CREDIT'],
  content: [
    'EMPTY_MESSAGE',
    // The same text was sent to the same number a moment ago. A retry would send it twice.
    'THROTTLED',
  ],
  'rate-limited': ['TOO_MANY_REQUESTS'],
  transient: ['INTERNAL_ERROR', 'INTERNAL_SERVER_ERROR'],
});

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  200: 'sent',
  201: 'delivered',
  300: 'deferred',
  301: 'failed',
};

/** A failure of the whole call. */
const failure = reading({
  isAccepted: () => false,
  message: ['response_msg'],
  code: ['response_code'],
  kinds: KINDS,
});

export const clicksend = smsProvider({
  id: 'clicksend',
  displayName: 'ClickSend',
  required: ['user', 'apiKey', 'from'],
  evidence: 'official',
  overrides: { names: ['source', 'schedule', 'country', 'from_email'], casing: 'snake' },
  headers: ({ user = '', apiKey = '' }) => ({ authorization: basic(user, apiKey) }),
  request: (message, _, { fields }) => ({ url: `${API}/sms/send`, json: { messages: [entryOf(message, fields)] } }),
  read: (answer) => (isAnswered(answer) ? outcomeOfEntry(answer, entriesOf(answer)[0]) : failure(answer)),
  batch: {
    size: MOST_MESSAGES,
    groupOf: ({ content }) => (lengthInJson(content) <= LONGEST_SHARED_TEXT ? '' : undefined),
    request: (items) => ({
      url: `${API}/sms/send`,
      json: { messages: items.map(({ message, fields }) => entryOf(message, fields)) },
    }),
    read: (answer, items) => {
      if (!isAnswered(answer)) return items.map(() => failure(answer));
      const entries = entriesOf(answer);
      return items.map(({ message }, index) => {
        const own = entries.find((entry) => textAt(entry, ['custom_string']) === message.id);
        return outcomeOfEntry(answer, own ?? (entries.length === items.length ? entries[index] : undefined));
      });
    },
  },
  check: {
    get: () => `${API}/account`,
    // The response contains keys of the account, so it is not kept in the result.
    read: (answer) => (answer.isOk || isMissingEndpoint(answer) ? { ok: true } : failure(answer)),
  },
  events: {
    ...bySharedKey,
    parse: (call) =>
      reportsIn(call).flatMap((report) =>
        stateEvents(EVENT_KINDS, {
          id: textAt(report, ['message_id']),
          messageId: textAt(report, ['custom_string']),
          state: textAt(report, ['status_code']),
          at: dateOf(textAt(report, ['timestamp'])),
          reason: textAt(report, ['error_text']) ?? textAt(report, ['status_text']),
        }),
      ),
  },
});

const entryOf = (message: ReadySms, fields: JsonObject): JsonObject =>
  merge(compact({ to: message.to, from: message.from, body: message.content, custom_string: message.id }), fields);

/** Counts every character that may be escaped as its escape sequence. */
const lengthInJson = (text: string): number => text.replace(/[^ -~]|["\\/]/g, '\\u0000').length;

const isAnswered = (answer: Answer): boolean => answer.isOk && answer.at('response_code') === 'SUCCESS';

const entriesOf = ({ json }: Answer): Json[] => listAt(isJsonObject(json) ? json['data'] : undefined, 'messages');

/** Each message has its own status. */
function outcomeOfEntry(answer: Answer, entry: Json | undefined): SendResult {
  const state = textAt(entry, ['status']);
  if (state === undefined) return answer.acceptedAs(undefined);
  if (state === 'SUCCESS') return answer.acceptedAs(textAt(entry, ['message_id']), dateOf(textAt(entry, ['date'])));
  return answer.failed(kindOfCode(KINDS, state) ?? 'permanent', state);
}

/** A form by default, JSON if the account is configured for it. */
function reportsIn(call: InboundCall): JsonObject[] {
  const objects = objectsIn(call);
  return objects.length > 0 ? objects : [Object.fromEntries(formBody(call))];
}
