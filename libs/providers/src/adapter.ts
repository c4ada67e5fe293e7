/**
 * From what an adapter says of its provider to a provider that can be used: the call is made, overrides are sorted into
 * those it knows and those it does not, and whatever comes back becomes a result.
 */
import type { CredentialsDto } from '@clarion/contracts';
import type { JsonObject, ProviderId } from '@clarion/contracts/core';
import { type Call, overriddenFields, type OverridableFields, passthroughOf, send, sendMany } from './call';
import { type CredentialField } from './credential-fields';
import { dateOf, type DeliveryEvents } from './events';
import { type Answer, isNotThere, kindOfCode, kindOfStatus, outcomeOf, textAt } from './outcome';
import {
  type Batch,
  type BatchItem,
  type CallContext,
  type Evidence,
  type FailureKind,
  type OutboundChannel,
  type OutboundMessages,
  type Provider,
  type ProviderError,
  type Requirement,
  type SendContext,
  type SendResult,
} from './provider';

/** The context of one message: `fields` are the overrides that the adapter knows, spelled as its provider spells them. */
export type RequestContext = SendContext & { fields: JsonObject };

type Facts = {
  id: ProviderId;
  displayName: string;
  required?: readonly Requirement[];
  optional?: readonly CredentialField[];
  evidence: Evidence;
  idempotency?: string;
  /** Without them the provider's request takes nothing but the message. */
  overrides?: OverridableFields;
  events?: DeliveryEvents;
};

/** One call with one answer, which is all that most providers need. */
type Exchange<M> = {
  request(message: M, credentials: CredentialsDto, context: RequestContext): Call | ProviderError;
  read(answer: Answer, message: M, context: RequestContext): SendResult;
};

/** For those that need more than that. */
type Conversation<M> = {
  send(message: M, credentials: CredentialsDto, context: RequestContext): Promise<SendResult>;
};

type BatchExchange<M> = {
  size: number;
  /** Messages with the same text may share a call; undefined: this one goes alone. Without it all may. */
  groupOf?(message: M, fields: JsonObject): string | undefined;
  request(items: readonly ReadyItem<M>[], credentials: CredentialsDto, context: SendContext): Call;
  /** One result per message, in their order. */
  read(answer: Answer, items: readonly ReadyItem<M>[]): SendResult[];
};

type BatchConversation<M> = {
  size: number;
  groupOf?(message: M, fields: JsonObject): string | undefined;
  send(items: readonly ReadyItem<M>[], credentials: CredentialsDto, context: SendContext): Promise<SendResult[]>;
};

export type ReadyItem<M> = { message: M; fields: JsonObject };

type CheckCall = {
  request(credentials: CredentialsDto, context: CallContext): Call | ProviderError;
  /** Without it the status decides, and a place that is not there is no refusal. */
  read?(answer: Answer): SendResult;
};

export type Adapter<M> = Facts &
  (Exchange<M> | Conversation<M>) & {
    batch?: BatchExchange<M> | BatchConversation<M>;
    check?: CheckCall | ((credentials: CredentialsDto, context: CallContext) => Promise<SendResult>);
  };

type ChannelRules<C extends OutboundChannel, M extends OutboundMessages[C]> = {
  channel: C;
  /** The message as every adapter of the channel may take it for granted, or why it cannot be sent. */
  ready(message: OutboundMessages[C], credentials: CredentialsDto, overrides: JsonObject): M | ProviderError;
  /** What else of the message counts as overrides. */
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
      const message = ready(given, credentials, context.overrides);
      if ('ok' in message) return message;
      const { fields, unused } = sort(message, context.overrides);
      return warning(await deliver(message, credentials, { fields, ...context }), displayName, unused);
    },
    ...(adapter.batch && { batch: batching(adapter.batch, displayName, ready, sort) }),
    ...(adapter.check && { check: checking(adapter.check) }),
  };
}

const exchanging =
  <M>({ request, read }: Exchange<M>) =>
  async (message: M, credentials: CredentialsDto, context: RequestContext): Promise<SendResult> => {
    const call = request(message, credentials, context);
    return 'ok' in call ? call : send(call, credentials, context, (answer) => read(answer, message, context));
  };

const checking =
  (check: NonNullable<Adapter<unknown>['check']>) =>
  async (credentials: CredentialsDto, context: CallContext): Promise<SendResult> => {
    if (typeof check === 'function') return check(credentials, context);
    const call = check.request(credentials, context);
    return 'ok' in call ? call : send(call, credentials, context, check.read ?? readCheck);
  };

const readCheck = (answer: Answer): SendResult => (isNotThere(answer) ? answer.accepted() : outcomeOf(answer));

function batching<M, Given>(
  batch: BatchExchange<M> | BatchConversation<M>,
  displayName: string,
  ready: (message: Given, credentials: CredentialsDto, overrides: JsonObject) => M | ProviderError,
  sort: (message: M, overrides: JsonObject) => { fields: JsonObject; unused: string[] },
): Batch<Given> {
  const deliver =
    'send' in batch
      ? batch.send.bind(batch)
      : (items: readonly ReadyItem<M>[], credentials: CredentialsDto, context: SendContext) =>
          sendMany(items.length, batch.request(items, credentials, context), credentials, context, (answer) => {
            const results = batch.read(answer, items);
            return items.map((_, index) => results[index] ?? unmentioned(answer));
          });
  return {
    size: batch.size,
    groupOf: ({ message, overrides }: BatchItem<Given>, credentials) => {
      const { body, headers, query } = passthroughOf(overrides);
      // What is passed through belongs to a whole call.
      if (body !== undefined || Object.keys({ ...headers, ...query }).length > 0) return undefined;
      const item = ready(message, credentials, overrides);
      if ('ok' in (item as object)) return undefined;
      return batch.groupOf ? batch.groupOf(item as M, sort(item as M, overrides).fields) : '';
    },
    send: async (given, credentials, context) => {
      const judged = given.map(({ message, overrides }) => {
        const item = ready(message, credentials, overrides);
        if ('ok' in (item as object)) return item as ProviderError;
        const { fields, unused } = sort(item as M, overrides);
        return { message: item as M, fields, unused };
      });
      const items = judged.filter((item) => 'message' in item && 'fields' in item) as (ReadyItem<M> & {
        unused: string[];
      })[];
      const results = items.length > 0 ? await deliver(items, credentials, { ...context, overrides: {} }) : [];
      const sent = results.map((result, index) => warning(result, displayName, items[index]!.unused)).values();
      return judged.map((item) => ('fields' in item ? (sent.next().value as SendResult) : (item as ProviderError)));
    },
  };
}

const unmentioned = (answer: Answer): SendResult =>
  answer.isOk ? answer.failed('unknown-outcome', 'The answer does not mention this message') : outcomeOf(answer);

function warning(result: SendResult, displayName: string, unused: readonly string[]): SendResult {
  if (!result.ok || unused.length === 0) return result;
  const warnings = unused.map(
    (name) => `${displayName} has no override ${name}; use _passthrough.body to set it anyway`,
  );
  return { ...result, warnings: [...(result.warnings ?? []), ...warnings] };
}

type Path = readonly (string | number)[];

/** Where the parts of an answer stand. */
export type Reading = {
  /** Of the id; without it the status alone says that the message was taken. */
  id?: Path | ((answer: Answer) => string | undefined);
  /** A header with an id, where the status alone says that the message was taken. */
  trace?: string;
  date?: Path | ((answer: Answer) => Date | undefined);
  /** For providers that say 200 and mean no. */
  isTaken?(answer: Answer): boolean;
  /** The provider's own words and code for what went wrong; the first that is there. */
  message?: Path | readonly Path[] | ((answer: Answer) => string | undefined);
  code?: Path | ((answer: Answer) => string | undefined);
  /** What the codes mean, where the status does not say it. */
  kinds?: Readonly<Record<string, FailureKind>>;
  /** What a status means for this provider, where it is not the usual. */
  statuses?: Readonly<Record<number, FailureKind>>;
};

/** Reads an answer by a table of where things stand in it. */
export const reading =
  ({ id, trace, date, isTaken, message, code, kinds = {}, statuses = {} }: Reading) =>
  (answer: Answer): SendResult => {
    if (answer.isOk && (isTaken?.(answer) ?? true)) {
      const at = typeof date === 'function' ? date(answer) : date && dateOf(answer.at(...date));
      return id ? answer.acceptedAs(textBy(answer, id), at) : answer.accepted(trace && answer.headers[trace], at);
    }
    const known = code && kindOfCode(kinds, textBy(answer, code));
    const kind = known ?? statuses[answer.status] ?? (answer.isOk ? undefined : kindOfStatus(answer.status));
    const words = message && wordsOf(answer, message);
    if (kind) return answer.failed(kind, words);
    // A 200 that says what is wrong is a refusal; one that says nothing at all is a riddle.
    return words ? answer.failed('permanent', words) : answer.acceptedAs(undefined);
  };

const textBy = (answer: Answer, where: Path | ((answer: Answer) => string | undefined)): string | undefined =>
  typeof where === 'function' ? where(answer) : textAt(answer.json, where);

function wordsOf(answer: Answer, where: NonNullable<Reading['message']>): string | undefined {
  if (typeof where === 'function') return where(answer);
  const paths = (Array.isArray(where[0]) ? where : [where]) as readonly Path[];
  return paths.map((path) => answer.at(...path)).find((text) => text !== undefined);
}
