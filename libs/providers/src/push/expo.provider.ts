import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading, type ReadyItem } from '../adapter';
import { bearer, type Call, merge, passthroughOf, send, sendMany, words } from '../call';
import { textAt } from '../json-paths';
import { type Answer, kindOfCode, kindOfStatus } from '../outcome';
import { type FailureKind, type PushMessage, type SendResult } from '../provider';
import { pushProvider } from './push-provider';

export const expo = pushProvider({
  id: 'expo',
  displayName: 'Expo Push',
  required: ['apiKey'],
  evidence: 'official',
  overrides: {
    names: words(`
      title subtitle body data sound badge ttl expiration priority channelId categoryId interruptionLevel
      mutableContent richContent icon tag _contentAvailable
    `),
    casing: 'camel',
  },
  request: (message, credentials, { fields, overrides }) =>
    // The body is a list, so a passed-through body is merged into its only member.
    callWith([{ message, fields: merge(fields, passthroughOf(overrides).body ?? {}) }], credentials),
  read,
  batch: {
    size: 100,
    send: async (items, credentials, context) => {
      let isMixed = false;
      const results = await sendMany(items.length, callWith(items, credentials), credentials, context, (answer) => {
        isMixed = answer.at('errors', 0, 'code') === 'PUSH_TOO_MANY_EXPERIENCE_IDS';
        return readAll(answer, items.length);
      });
      if (!isMixed) return results;
      // Devices of several projects cannot share a call. Expo sent nothing to any of them, so each message gets its own
      // call.
      return Promise.all(items.map((item) => send(callWith([item], credentials), credentials, context, read)));
    },
  },
});

/** Always a list, because Expo answers a single object in another format. */
function callWith(items: readonly ReadyItem<PushMessage>[], { apiKey }: CredentialsDto): Call {
  return {
    url: 'https://exp.host/--/api/v2/push/send',
    headers: { authorization: apiKey ? bearer(apiKey) : undefined, accept: 'application/json' },
    json: items.map(({ message, fields }) => merge(bodyOf(message), fields)),
  };
}

const bodyOf = ({ token, title, content, payload }: PushMessage): JsonObject => ({
  to: token,
  title,
  body: content,
  data: { ...payload },
});

/** The failure kinds of one message, by `details.error` of its ticket. */
const TICKET_KINDS: Readonly<Record<string, FailureKind>> = {
  DeviceNotRegistered: 'dead-token',
  MessageTooBig: 'content',
  MessageRateExceeded: 'rate-limited',
  MismatchSenderId: 'credentials',
  InvalidCredentials: 'credentials',
};
/** The failure kinds of the whole request, by `errors[].code`. */
const REQUEST_KINDS: Readonly<Record<string, FailureKind>> = {
  TOO_MANY_REQUESTS: 'rate-limited',
  UNAUTHORIZED: 'credentials',
};

function read(answer: Answer): SendResult {
  return readAll(answer, 1)[0]!;
}

function readAll(answer: Answer, count: number): SendResult[] {
  const code = answer.at('errors', 0, 'code');
  const usual = answer.isOk ? 'permanent' : kindOfStatus(answer.status);
  if (code === undefined && answer.isOk) {
    const tickets = ticketsOf(answer.json);
    // A ticket belongs to the message at the same index, so a list of another length cannot be assigned.
    if (tickets.length !== count) return Array<SendResult>(count).fill(answer.acceptedAs(undefined));
    const results: SendResult[] = [];
    for (let index = 0; index < count; index += 1) results.push(readTicket(tickets[index], answer));
    return results;
  }
  const kind = kindOfCode(REQUEST_KINDS, code) ?? usual;
  return Array<SendResult>(count).fill(answer.failed(kind, answer.at('errors', 0, 'message')));
}

/** A ticket with status `ok` contains only its id. */
function readTicket(ticket: Json | undefined, answer: Answer): SendResult {
  const id = textAt(ticket, ['id']);
  return id !== undefined && textAt(ticket, ['status']) === 'ok' ? { ok: true, id } : readFault(answer.part(ticket));
}

const readFault = reading({
  id: ['id'],
  isAccepted: (ticket) => ticket.at('status') === 'ok',
  message: ['message'],
  code: ['details', 'error'],
  kinds: TICKET_KINDS,
});

function ticketsOf(json: Json | undefined): Json[] {
  const data = isJsonObject(json) ? json['data'] : undefined;
  return Array.isArray(data) ? data : data === undefined ? [] : [data];
}
