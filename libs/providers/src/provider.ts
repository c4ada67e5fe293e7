/**
 * The interface between a provider and the rest of Clarion. A provider takes one message for one recipient and returns
 * the outcome as a value. An adapter keeps no state except caches of access tokens, and it reaches the network only
 * through the ports that the caller passes in.
 */
import type { CredentialsDto } from '@clarion/contracts';
import type {
  Attachment,
  Channel,
  ChatAddress,
  Dialect,
  HttpPort,
  JsonObject,
  ProviderId,
  SmtpPort,
  TraceContext,
} from '@clarion/contracts/core';
import { type CredentialField } from './credential-fields';
import { type DeliveryEvents } from './events';

/** The channels that send through a provider. In-app messages are rows in the database and need none. */
export type OutboundChannel = Exclude<Channel, 'in_app'>;

type AnyMessage = {
  /** The same for every attempt of one message. Providers that detect duplicates get it as their idempotency key. */
  id: string;
};

export type EmailMessage = AnyMessage & {
  to: readonly string[];
  /** When absent, the sender of the integration is used. */
  from?: string;
  senderName?: string;
  subject: string;
  html: string;
  text?: string;
  cc?: readonly string[];
  bcc?: readonly string[];
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
  /** Where the recipient unsubscribes: a page, and with one click (RFC 8058). */
  unsubscribeUrl?: string;
  attachments?: readonly Attachment[];
  ipPoolName?: string;
  customData?: JsonObject;
};

export type SmsMessage = AnyMessage & {
  to: string;
  /** When absent, the sender of the integration is used. */
  from?: string;
  content: string;
  customData?: JsonObject;
};

/**
 * A chat message. The subscriber determines the destination: their webhook or, for some providers, their phone number.
 */
export type ChatMessage = AnyMessage & {
  content: string;
  webhookUrl?: string;
  channel?: string;
  phoneNumber?: string;
  /** A person or a place at the provider, instead of a webhook. */
  address?: ChatAddress;
  /** The token and the id of the workspace or tenant in which the address is. */
  accessToken?: string;
  workspaceId?: string;
  /** Rich content in the format of the provider. */
  blocks?: JsonObject[];
  /** Used by providers that raise alerts. */
  alert?: { uid?: string; title?: string; imageUrl?: string; state?: string; externalUrl?: string };
  customData?: JsonObject;
};

/** A push message to one device. A message to several devices is several of these with the same id. */
export type PushMessage = AnyMessage & {
  token: string;
  title: string;
  content: string;
  payload: JsonObject;
  subscriber?: JsonObject;
  step?: JsonObject;
};

export type OutboundMessages = { email: EmailMessage; sms: SmsMessage; chat: ChatMessage; push: PushMessage };

export type CallContext = {
  http: HttpPort;
  smtp: SmtpPort;
  /**
   * The overrides of the trigger for this provider, already merged: fields of the provider's request and, under
   * `_passthrough`, a `body`, `headers` and `query` that are added to the request unchanged.
   */
  overrides: JsonObject;
  /** The URL to which the provider may report delivery events. Set only if the integration enables inbound webhooks. */
  callbackUrl?: string;
  /** The trace that the call belongs to. Only endpoints of the tenant get it, never a provider. */
  trace?: TraceContext;
  /** Secrets that the message contains. No result of the call contains them. */
  secrets?: () => readonly string[];
  /** Only for endpoints of the tenant: `novu` adds the signature header that endpoints written for Novu check. */
  dialect?: Dialect;
  now(): Date;
};

export type SendContext = CallContext & {
  /** Where the built-in demo providers store their messages so that a developer can look at them. */
  outbox: OutboxPort;
};

/** A message as it would have been sent, for display. */
export type OutboxEntry = {
  messageId: string;
  providerId: ProviderId;
  channel: OutboundChannel;
  to: readonly string[];
  subject?: string;
  html?: string;
  text?: string;
  /** The rest of the message: sender, copies, headers, names and sizes of attachments. */
  more: JsonObject;
};

/** Storing the same message twice has no effect. */
export interface OutboxPort {
  put(entries: readonly OutboxEntry[]): Promise<void>;
}

/**
 * credentials      the integration is rejected: keys, permissions, an unverified sender, a suspended account
 * quota            the account has used up what it may send or pay for; a short wait does not help
 * recipient        the address cannot be reached
 * dead-token       the device or webhook is gone for good and should be removed
 * content          the provider rejects this message: too large, malformed, against its rules
 * rate-limited     too many calls; may work after `retryAfterMs`
 * transient        may work later
 * permanent        will never work, for another reason
 * unknown-outcome  the message may have been sent
 */
export type FailureKind =
  | 'credentials'
  | 'quota'
  | 'recipient'
  | 'dead-token'
  | 'content'
  | 'rate-limited'
  | 'transient'
  | 'permanent'
  | 'unknown-outcome';

/** A failed send. It is a value, not an exception, because a rejection by a provider is an expected outcome. */
export type ProviderError = {
  ok: false;
  kind: FailureKind;
  message: string;
  status?: number;
  /** How long the provider asks us to wait, at most one hour. */
  retryAfterMs?: number;
  /** The response of the provider: at most 2 KiB, with credentials redacted. */
  raw?: string;
  /** Set if the access token of the message has expired, so that the next token may work. */
  isTokenRefused?: boolean;
};

export type SendSuccess = {
  ok: true;
  id?: string;
  /** When the provider accepted it, by the provider's clock. */
  date?: Date;
  raw?: string;
  /** Parts of the message or overrides that this provider does not support. */
  warnings?: string[];
  /** Of a message that a sandbox redirected: the addresses that it was for. */
  intended?: string[];
};

export type SendResult = SendSuccess | ProviderError;

export type BatchItem<M> = { message: M; overrides: JsonObject };

/** Implemented by providers that take several messages in one call and return a result for each. */
export interface Batch<M> {
  readonly size: number;
  /** Messages with the same key may share a call. Undefined: this message needs a call for itself. */
  groupOf(item: BatchItem<M>, credentials: CredentialsDto): string | undefined;
  /** Returns one result per message, in the order of the messages. */
  send(items: readonly BatchItem<M>[], credentials: CredentialsDto, context: SendContext): Promise<SendResult[]>;
}

/** A credential field, or several fields of which one is enough. */
export type Requirement = CredentialField | readonly CredentialField[];

/**
 * The source of the adapter's knowledge of the provider's API.
 *
 * official     the provider's documentation, specification or SDK
 * third-party  working code or pages of third parties
 * reported     another project's adapter, read once; test it before you rely on it
 */
export type Evidence = 'official' | 'third-party' | 'reported';

/**
 * The fields of a provider's request that a trigger may set, and how the provider spells them: a trigger may write
 * `templateId` for any provider. `any` is for endpoints of the tenant.
 */
export type OverridableFields = { names: readonly string[] | 'any'; casing?: Casing };

export type Casing = 'snake' | 'camel' | 'pascal' | 'kebab' | 'as-is';

/** What is known about a provider without calling it. */
export interface ProviderDescription {
  readonly id: ProviderId;
  readonly channel: Channel;
  /** The product name, and the default name of a new integration. */
  readonly displayName: string;
  /** An integration cannot become active without these. */
  readonly required: readonly Requirement[];
  readonly optional: readonly CredentialField[];
  readonly evidence: Evidence;
  /** How the provider detects that a message is sent twice; absent if it does not. */
  readonly idempotency?: string;
}

export interface Provider<C extends OutboundChannel = OutboundChannel> extends ProviderDescription {
  readonly channel: C;
  /** The fields of the provider's request that a trigger may set. */
  readonly overrides: OverridableFields;
  send(message: OutboundMessages[C], credentials: CredentialsDto, context: SendContext): Promise<SendResult>;
  readonly batch?: Batch<OutboundMessages[C]>;
  /** Tests the credentials without sending a message. */
  check?(credentials: CredentialsDto, context: CallContext): Promise<SendResult>;
  /** Set if the provider reports delivery events. */
  readonly events?: DeliveryEvents;
}
