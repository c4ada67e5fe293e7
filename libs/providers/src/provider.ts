/**
 * What a provider is to the rest of Clarion: it takes one message for one recipient, and what became of it is a value. An
 * adapter keeps no state but caches of access tokens, and reaches the world through the two ports it is given.
 */
import type { CredentialsDto } from '@clarion/contracts';
import type { Channel, Dialect, JsonObject, ProviderId, TraceContext } from '@clarion/contracts/core';
import { type OverridableFields } from './call';
import { type CredentialField } from './credential-fields';
import { type DeliveryEvents } from './events';

/** Channels that lead out of the house. In-app messages are rows of ours. */
export type OutboundChannel = Exclude<Channel, 'in_app'>;

type Message = {
  /** The same for every try of one message: providers that know a message again are given it as the key. */
  id: string;
};

export type Attachment = {
  name: string;
  mime: string;
  file: Buffer;
  /** Of a picture inside the HTML, which calls it `cid:...`. */
  cid?: string;
  disposition?: 'attachment' | 'inline';
};

export type EmailMessage = Message & {
  to: readonly string[];
  /** Without one the integration's own sender is used. */
  from?: string;
  senderName?: string;
  subject: string;
  html: string;
  text?: string;
  cc?: readonly string[];
  bcc?: readonly string[];
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly Attachment[];
  ipPoolName?: string;
  customData?: JsonObject;
};

export type SmsMessage = Message & {
  to: string;
  /** Without one the integration's own sender is used. */
  from?: string;
  content: string;
  customData?: JsonObject;
};

/** Where a chat message goes is the subscriber's: a webhook of theirs, or for some providers their phone. */
export type ChatMessage = Message & {
  content: string;
  webhookUrl?: string;
  channel?: string;
  phoneNumber?: string;
  /** Rich content in the provider's own form. */
  blocks?: JsonObject[];
  /** For providers that raise alerts. */
  alert?: { uid?: string; title?: string; imageUrl?: string; state?: string; externalUrl?: string };
  customData?: JsonObject;
};

/** To one device: a message to several devices is several of these, with the same id. */
export type PushMessage = Message & {
  token: string;
  title: string;
  content: string;
  payload: JsonObject;
  subscriber?: JsonObject;
  step?: JsonObject;
};

export type OutboundMessages = { email: EmailMessage; sms: SmsMessage; chat: ChatMessage; push: PushMessage };

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** `provider`: the API of the integration, which the operator may have moved. `tenant`: a subscriber's own address. */
  origin: 'provider' | 'tenant';
  http2?: boolean;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The way out. Rejects with an error that has one of the `NetworkFault` kinds. */
export interface HttpPort {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Where a request to this URL really goes: signatures cover the host that is called. */
  addressOf(url: string): string;
}

/**
 * refused      not an address we call
 * unreachable  nothing of the request was written
 * unknown      lost after the request was written
 * too-large    the answer was cut off; `status` tells what it began with
 */
export type NetworkFault = 'refused' | 'unreachable' | 'unknown' | 'too-large';

export interface SmtpServer {
  host: string;
  port: number;
  secure?: boolean;
  requireTls?: boolean;
  ignoreTls?: boolean;
  tlsOptions?: JsonObject;
  user?: string;
  password?: string;
  dkim?: { domain: string; selector: string; privateKey: string };
}

export interface SmtpMail {
  messageId: string;
  from: { name?: string; address: string };
  to: readonly string[];
  cc?: readonly string[];
  bcc?: readonly string[];
  replyTo?: string;
  subject: string;
  html?: string;
  text?: string;
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly Attachment[];
}

/** Rejects as the `HttpPort` does, or with an error that has the server's reply as its numeric `responseCode`. */
export interface SmtpPort {
  send(server: SmtpServer, mail: SmtpMail): Promise<{ accepted: string[]; rejected: string[]; response: string }>;
  /** Connects and logs in, and sends nothing. */
  verify(server: SmtpServer): Promise<void>;
}

/** What a call to a provider needs beside the credentials. */
export type CallContext = {
  http: HttpPort;
  smtp: SmtpPort;
  /**
   * What the trigger sets for this provider in particular, already merged: fields of the provider's request, and under
   * `_passthrough` a `body`, `headers` and `query` that are taken as they are.
   */
  overrides: JsonObject;
  /** Where the provider may tell what became of a message; only when the integration wants to hear it. */
  callbackUrl?: string;
  /** What the call belongs to. For endpoints of the tenant's own: nobody else is told whose trace it is. */
  trace?: TraceContext;
  /** For endpoints of the tenant's own: `novu` adds the signature that endpoints written for Novu check. */
  dialect?: Dialect;
  now(): Date;
};

export type SendContext = CallContext & {
  /** Where the built-in providers put their messages, so that somebody can look at them. */
  outbox: OutboxPort;
};

/** A message as it would have gone out, for somebody to look at. */
export type OutboxEntry = {
  messageId: string;
  providerId: ProviderId;
  channel: OutboundChannel;
  to: readonly string[];
  subject?: string;
  html?: string;
  text?: string;
  /** Whatever else belongs to the message: sender, copies, headers, names and sizes of attachments. */
  more: JsonObject;
};

/** Putting the same message in again changes nothing. */
export interface OutboxPort {
  put(entries: readonly OutboxEntry[]): Promise<void>;
}

/**
 * credentials      the integration does not get in: keys, permissions, a sender that is not verified, a suspended account
 * quota            what the account may send or pay for is used up; no short wait helps
 * recipient        nobody can be reached at this address
 * dead-token       the device or webhook is gone for good and should be forgotten
 * content          the provider will not take this message: too large, malformed, refused by its rules
 * rate-limited     too fast; may work after `retryAfterMs`
 * transient        may work later
 * permanent        will never work, for a reason that is none of the above
 * unknown-outcome  it may have been sent
 */
export const FAILURE_KINDS = [
  'credentials',
  'quota',
  'recipient',
  'dead-token',
  'content',
  'rate-limited',
  'transient',
  'permanent',
  'unknown-outcome',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** What went wrong, as a value: a provider that says no is nothing exceptional. */
export type ProviderError = {
  ok: false;
  kind: FailureKind;
  message: string;
  status?: number;
  /** How long the provider asked us to wait, at most an hour. */
  retryAfterMs?: number;
  /** What the provider said: at most 2 KiB, without credentials. */
  raw?: string;
};

export type SendSuccess = {
  ok: true;
  /** The provider's id of the message. */
  id?: string;
  /** When the provider took it, by its own clock. */
  date?: Date;
  raw?: string;
  /** What was asked for and this provider cannot do. */
  warnings?: string[];
};

export type SendResult = SendSuccess | ProviderError;

/** One message on its way to a call that carries several. */
export type BatchItem<M> = { message: M; overrides: JsonObject };

/** For providers that take several messages in one call and say of each what became of it. */
export interface Batch<M> {
  /** The most messages in one call. */
  readonly size: number;
  /** Messages with the same text may share a call; undefined: this one goes alone. */
  groupOf(item: BatchItem<M>, credentials: CredentialsDto): string | undefined;
  /** One result per message, in their order. */
  send(items: readonly BatchItem<M>[], credentials: CredentialsDto, context: SendContext): Promise<SendResult[]>;
}

/** A credential, or several of which one is enough. */
export type Requirement = CredentialField | readonly CredentialField[];

/**
 * How sure we are that the provider's API is as the adapter has it.
 *
 * official     the provider's own documentation, specification or SDK was read
 * third-party  other people's working code or pages
 * reported     one reading of somebody else's adapter; try it before you rely on it
 */
export type Evidence = 'official' | 'third-party' | 'reported';

/** What is known of a provider before anybody talks to it. */
export interface ProviderDescription {
  readonly id: ProviderId;
  readonly channel: Channel;
  /** What people call it; the default name of a new integration. */
  readonly displayName: string;
  /** An integration cannot become active without these. */
  readonly required: readonly Requirement[];
  readonly optional: readonly CredentialField[];
  readonly evidence: Evidence;
  /** How the provider knows a message again that is sent twice; absent where it does not. */
  readonly idempotency?: string;
}

export interface Provider<C extends OutboundChannel = OutboundChannel> extends ProviderDescription {
  readonly channel: C;
  /** What a trigger may set of the provider's own request. */
  readonly overrides: OverridableFields;
  send(message: OutboundMessages[C], credentials: CredentialsDto, context: SendContext): Promise<SendResult>;
  readonly batch?: Batch<OutboundMessages[C]>;
  /** Whether the credentials open the door, without sending anything. */
  check?(credentials: CredentialsDto, context: CallContext): Promise<SendResult>;
  /** How the provider reports what became of messages. */
  readonly events?: DeliveryEvents;
}
