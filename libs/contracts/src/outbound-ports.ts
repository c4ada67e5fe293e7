/** Through these ports adapters reach the network. `libs/providers` calls them, `libs/platform` implements them. */
import type { JsonObject } from './json';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** `provider`: the API of the integration, or the operator's URL for it. `tenant`: a subscriber's endpoint. */
  origin: 'provider' | 'tenant';
  http2?: boolean;
}

export interface HttpResponse {
  status: number;
  /** Header names are in lower case. A header that occurs more than once is joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The only way to make HTTP requests. It rejects with an error whose `kind` is a `NetworkFault`. */
export interface HttpPort {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** The URL that a request to `url` really goes to. Signatures that cover the host need it. */
  addressOf(url: string): string;
}

/**
 * refused      the egress guard does not allow this address
 * unreachable  no byte of the request was written
 * unknown      the connection was lost after the request was written
 * too-large    the response was truncated; the error has its status in `status`
 */
export type NetworkFault = 'refused' | 'unreachable' | 'unknown' | 'too-large';

export interface SmtpServer {
  host: string;
  port: number;
  /** Use TLS from the first byte. Otherwise STARTTLS is used if the server offers it. */
  secure?: boolean;
  /** Never send without TLS. */
  requireTls?: boolean;
  /** Never use TLS. */
  ignoreTls?: boolean;
  tlsOptions?: JsonObject;
  user?: string;
  password?: string;
  dkim?: { domain: string; selector: string; privateKey: string };
}

export type Attachment = {
  name: string;
  mime: string;
  file: Buffer;
  /** Set for a picture that the HTML refers to as `cid:...`. */
  cid?: string;
  disposition?: 'attachment' | 'inline';
};

export interface SmtpMail {
  /** The Message-ID without the angle brackets. It is the same for every attempt of one message. */
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

/** The reply of a mail server that took a mail for at least one recipient. */
export type SmtpReceipt = { accepted: string[]; rejected: string[]; response: string };

/** Rejects as `HttpPort` does, or with an error that has the server's reply code in `responseCode`. */
export interface SmtpPort {
  send(server: SmtpServer, mail: SmtpMail): Promise<SmtpReceipt>;
  /** Connects and logs in without sending a message. */
  verify(server: SmtpServer): Promise<void>;
}

/** Whether an id can be one segment of a path. Clients and servers resolve `.` and `..`, encoded or not. */
export const isPathSegment = (id: string): boolean =>
  id.isWellFormed() && !id.includes('\0') && id !== '.' && id !== '..';
