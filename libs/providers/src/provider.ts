/**
 * What a provider is to the rest of Clarion: it takes one message for one recipient, and what became of it is a value. An
 * adapter keeps no state but caches of access tokens, and reaches the world through the two ports it is given.
 */
import { type Channel, type CredentialsDto, type JsonObject, type ProviderId } from '@clarion/contracts';

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

export type SendContext = {
  /** Of the integration, decrypted. */
  credentials: CredentialsDto;
  http: HttpPort;
  smtp: SmtpPort;
  /**
   * What the trigger sets for this provider in particular, already merged: fields of the provider's request, and under
   * `_passthrough` a `body`, `headers` and `query` that are taken as they are.
   */
  overrides: JsonObject;
  now(): Date;
};

/**
 * transient   may work later
 * account     the integration itself does not work: credentials, quota, a suspended account
 * permanent   this message will never work
 * unknown     it may have been sent
 * dead-token  the device or webhook is gone for good
 */
export type FailureKind = 'transient' | 'account' | 'permanent' | 'unknown' | 'dead-token';

export type SendFailure = {
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
  raw?: string;
  /** What was asked for and this provider cannot do. */
  warnings?: string[];
};

export type SendResult = SendSuccess | SendFailure;

export interface Provider<C extends OutboundChannel = OutboundChannel> {
  readonly id: ProviderId;
  readonly channel: C;
  send(message: OutboundMessages[C], context: SendContext): Promise<SendResult>;
  /** Sending the same message id again sends nothing again. */
  readonly idempotent?: boolean;
  /** Whether the credentials open the door, without sending anything. */
  check?(context: SendContext): Promise<SendResult>;
}
