/** Makes a `Provider` of a table of facts: calls, separates unknown overrides, reads the response. */
import type { CredentialsDto } from '@clarion/contracts';
import type { Json, JsonObject, ProviderId } from '@clarion/contracts/core';
import { type Call, compact, merge, overriddenFields, passthroughOf, send, sendMany } from './call';
import { type CredentialField } from './credential-fields';
import { dateOf, type DeliveryEvents } from './events';
import { textAt } from './json-paths';
import { type Answer, isMissingEndpoint, kindOfCode, kindOfStatus, outcomeOf, refused } from './outcome';
import {
  type Batch,
  type BatchItem,
  type CallContext,
  type Evidence,
  type FailureKind,
  type OutboundChannel,
  type OutboundMessages,
  type OverridableFields,
  type Provider,
  type ProviderError,
  type Requirement,
  type SendContext,
  type SendResult,
} from './provider';

/** The context of one message. `fields` holds the known overrides, with the names that the provider uses. */
export type RequestContext = SendContext & { fields: JsonObject };

type Facts = {
  id: ProviderId;
  displayName: string;
  required?: readonly Requirement[];
  optional?: readonly CredentialField[];
  evidence: Evidence;
  idempotency?: string;
  /** The headers of every request, batch and check. A call may add to them. */
  headers?(credentials: CredentialsDto): Call['headers'];
  /** When absent, a trigger can set no field of the provider's request. */
  overrides?: OverridableFields;
  events?: DeliveryEvents;
};

/** `body` is sent as JSON, without members that are undefined or empty lists, and with the known overrides. */
type MessageCall = Call & { body?: Readonly<Record<string, Json | undefined>> };

/** One call with one response, which is enough for most providers. */
export type Exchange<M> = {
  request(message: M, credentials: CredentialsDto, context: RequestContext): MessageCall | ProviderError;
  read(answer: Answer, message: M, context: RequestContext): SendResult;
};

/** For providers that need several calls or other logic. */
export type CustomSend<M> = {
  send(message: M, credentials: CredentialsDto, context: RequestContext): Promise<SendResult>;
};

type BatchExchange<M> = {
  size: number;
  /** Messages with the same key may share a call; undefined: a separate one. When absent, all share. */
  groupOf?(message: M, fields: JsonObject): string | undefined;
  request(items: readonly ReadyItem<M>[], credentials: CredentialsDto, context: SendContext): Call;
  /** Returns one result per message, in the order of the messages. */
  read(answer: Answer, items: readonly ReadyItem<M>[]): SendResult[];
};

type BatchCustomSend<M> = {
  size: number;
  groupOf?(message: M, fields: JsonObject): string | undefined;
  send(items: readonly ReadyItem<M>[], credentials: CredentialsDto, context: SendContext): Promise<SendResult[]>;
};

/** A message that passed the checks of its channel, with the known overrides. */
export type ReadyItem<M> = { message: M; fields: JsonObject };

/** `get` gives the URL of a GET request, for checks that need no more. */
type CheckCall = (
  | { request(credentials: CredentialsDto, context: CallContext): Call | ProviderError }
  | { get(credentials: CredentialsDto): string }
) & {
  /** When absent, the status decides, and a missing endpoint (404, 405) does not count against the credentials. */
  read?(answer: Answer): SendResult;
};

/** What a provider file declares. */
export type Adapter<M> = Facts &
  (Exchange<M> | CustomSend<M>) & {
    batch?: BatchExchange<M> | BatchCustomSend<M>;
    check?: CheckCall | ((credentials: CredentialsDto, context: CallContext) => Promise<SendResult>);
  };

type ChannelRules<C extends OutboundChannel, M extends OutboundMessages[C]> = {
  channel: C;
  /** Checks and normalises the message for all adapters of the channel, or returns why it cannot be sent. */
  ready(message: OutboundMessages[C], credentials: CredentialsDto, overrides: JsonObject): M | ProviderError;
  /** Data of the message that counts as overrides. */
  dataOf?(message: M): JsonObject;
};

export function provider<C extends OutboundChannel, M extends OutboundMessages[C]>(
  adapter: Adapter<M>,
  { channel, ready, dataOf }: ChannelRules<C, M>,
): Provider<C> {
  const { id, displayName, required = [], optional = [], evidence, idempotency, events } = adapter;
  const known: OverridableFields = adapter.overrides ?? { names: [] };
  const sort = (message: M, overrides: JsonObject) =>
    overriddenFields(dataOf ? { ...dataOf(message), ...overrides } : overrides, known);
  const deliver = 'send' in adapter ? adapter.send.bind(adapter) : exchanging(adapter);
  return {
    id,
    channel,
    displayName,
    required,
    optional,
    evidence,
    overrides: known,
    ...(idempotency !== undefined && { idempotency }),
    ...(events && { events }),
    send: async (given, credentials, context) => {
      const message = prepare(() => ready(given, credentials, context.overrides));
      if ('ok' in message) return message;
      const { fields, unused } = sort(message, context.overrides);
      return withUnusedOverrides(await deliver(message, credentials, { ...context, fields }), displayName, unused);
    },
    ...(adapter.batch && { batch: batching(adapter.batch, adapter, ready, sort) }),
    ...(adapter.check && { check: checking(adapter.check, adapter) }),
  };
}

/** Does not repeat what was thrown: it may quote credentials. */
const NOT_PREPARED =
  'The message cannot be prepared for the provider: a value of the message or its overrides has the wrong type or form';

/** Overrides may have any type. What throws before a call was not sent, and the next attempt would throw again. */
function prepare<T>(work: () => T): T | ProviderError {
  try {
    return work();
  } catch {
    return refused(NOT_PREPARED);
  }
}

const exchanging =
  <M>(adapter: Exchange<M> & Facts) =>
  (message: M, credentials: CredentialsDto, context: RequestContext): SendResult | Promise<SendResult> => {
    const described = prepare(() => adapter.request(message, credentials, context));
    if ('ok' in described) return described;
    const { body, ...call } = withHeaders(described, adapter, credentials);
    if (body) call.json = merge(compact(body), context.fields);
    return send(call, credentials, context, (answer) => adapter.read(answer, message, context));
  };

const withHeaders = <C extends Call>(call: C, { headers }: Facts, credentials: CredentialsDto): C =>
  headers ? { ...call, headers: { ...headers(credentials), ...call.headers } } : call;

const checking =
  (check: NonNullable<Adapter<unknown>['check']>, facts: Facts) =>
  async (credentials: CredentialsDto, context: CallContext): Promise<SendResult> => {
    if (typeof check === 'function') return check(credentials, context);
    const call: Call | ProviderError =
      'get' in check ? { method: 'GET', url: check.get(credentials) } : check.request(credentials, context);
    if ('ok' in call) return call;
    return send(withHeaders(call, facts, credentials), credentials, context, check.read ?? readCheck);
  };

const readCheck = (answer: Answer): SendResult => (isMissingEndpoint(answer) ? answer.accepted() : outcomeOf(answer));

function batching<M, Given>(
  batch: BatchExchange<M> | BatchCustomSend<M>,
  facts: Facts,
  ready: (message: Given, credentials: CredentialsDto, overrides: JsonObject) => M | ProviderError,
  sort: (message: M, overrides: JsonObject) => { fields: JsonObject; unused: string[] },
): Batch<Given> {
  const deliver =
    'send' in batch
      ? batch.send.bind(batch)
      : (items: readonly ReadyItem<M>[], credentials: CredentialsDto, context: SendContext) => {
          const call = withHeaders(batch.request(items, credentials, context), facts, credentials);
          return sendMany(items.length, call, credentials, context, (answer) => {
            const results = batch.read(answer, items);
            return items.map((_, index) => results[index] ?? unmentioned(answer));
          });
        };
  return {
    size: batch.size,
    groupOf: ({ message, overrides }: BatchItem<Given>, credentials) => {
      const { body, headers, query } = passthroughOf(overrides);
      // A passthrough applies to a whole call.
      if (body !== undefined || Object.keys({ ...headers, ...query }).length > 0) return undefined;
      const item = prepare(() => ready(message, credentials, overrides));
      if ('ok' in (item as object)) return undefined;
      return batch.groupOf ? batch.groupOf(item as M, sort(item as M, overrides).fields) : '';
    },
    send: async (given, credentials, context) => {
      const prepared = given.map(({ message, overrides }) => {
        const item = prepare(() => ready(message, credentials, overrides));
        if ('ok' in (item as object)) return item as ProviderError;
        const { fields, unused } = sort(item as M, overrides);
        return { message: item as M, fields, unused };
      });
      const items = prepared.filter((item) => 'message' in item && 'fields' in item) as (ReadyItem<M> & {
        unused: string[];
      })[];
      const results = items.length > 0 ? await deliver(items, credentials, { ...context, overrides: {} }) : [];
      const sent = results
        .map((result, index) => withUnusedOverrides(result, facts.displayName, items[index]!.unused))
        .values();
      return prepared.map((item) => ('fields' in item ? (sent.next().value as SendResult) : (item as ProviderError)));
    },
  };
}

const unmentioned = (answer: Answer): SendResult =>
  answer.isOk
    ? answer.failed('unknown-outcome', 'The response of the provider does not mention this message')
    : outcomeOf(answer);

function withUnusedOverrides(result: SendResult, displayName: string, unused: readonly string[]): SendResult {
  if (!result.ok || unused.length === 0) return result;
  const warnings = unused.map(
    (name) => `${displayName} has no override ${name}; use _passthrough.body to set it anyway`,
  );
  return { ...result, warnings: [...(result.warnings ?? []), ...warnings] };
}

type Path = readonly (string | number)[];

/** Where the parts of a response are. */
export type Reading = {
  /** The provider's message id. When absent, the status alone decides whether the message was accepted. */
  id?: Path | ((answer: Answer) => string | undefined);
  /** A response header with an id, for providers whose status alone decides. */
  trace?: string;
  date?: Path | ((answer: Answer) => Date | undefined);
  /** For providers that answer 200 for a rejected message. */
  isAccepted?(answer: Answer): boolean;
  /** The error text and code of the provider. Of several paths, the first that is present counts. */
  message?: Path | readonly Path[] | ((answer: Answer) => string | undefined);
  code?: Path | ((answer: Answer) => string | undefined);
  /** The failure kinds of the provider's codes, for codes that mean more than the status. */
  kinds?: Readonly<Record<string, FailureKind>>;
  /** The failure kinds of statuses that differ from the default. */
  statuses?: Readonly<Record<number, FailureKind>>;
};

export const reading =
  ({ id, trace, date, isAccepted, message, code, kinds = {}, statuses = {} }: Reading) =>
  (answer: Answer): SendResult => {
    if (answer.isOk && (isAccepted?.(answer) ?? true)) {
      const at = typeof date === 'function' ? date(answer) : date && dateOf(answer.at(...date));
      return id ? answer.acceptedAs(textBy(answer, id), at) : answer.accepted(trace && answer.headers[trace], at);
    }
    const known = code && kindOfCode(kinds, textBy(answer, code));
    const kind = known ?? statuses[answer.status] ?? (answer.isOk ? undefined : kindOfStatus(answer.status));
    const text = message && errorTextOf(answer, message);
    if (kind) return answer.failed(kind, text);
    // A 200 with an error text is a rejection. A 200 without an id or an error text has an unknown outcome.
    return text ? answer.failed('permanent', text) : answer.acceptedAs(undefined);
  };

const textBy = (answer: Answer, where: Path | ((answer: Answer) => string | undefined)): string | undefined =>
  typeof where === 'function' ? where(answer) : textAt(answer.json, where);

function errorTextOf(answer: Answer, where: NonNullable<Reading['message']>): string | undefined {
  if (typeof where === 'function') return where(answer);
  const paths = (Array.isArray(where[0]) ? where : [where]) as readonly Path[];
  return paths.map((path) => answer.at(...path)).find((text) => text !== undefined);
}
