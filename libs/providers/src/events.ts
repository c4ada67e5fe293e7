/**
 * Delivery events: what providers report after they accepted a message (delivered, bounced, opened). Each provider has
 * its own proof of origin and its own names; this module defines the common form.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { type HttpPort, isJsonObject, type Json, type JsonObject, readJson } from '@clarion/contracts/core';
import { byKind } from './by-kind';
import { parseWithIds, textAt } from './json-paths';

/**
 * sent          the provider has sent it on
 * delivered     the recipient's side has it
 * deferred      not yet delivered; the provider keeps trying
 * bounced       returned; with `isPermanent` the address will never work
 * rejected      the provider did not send it: blocked, dropped, against its rules
 * failed        the provider stopped trying for another reason
 * opened        seen by the recipient (`read` if the channel itself reports that)
 * clicked       the recipient followed a link
 * complained    the recipient marked it as spam
 * unsubscribed  the recipient opted out
 */
export const DELIVERY_EVENT_KINDS = [
  'sent',
  'delivered',
  'deferred',
  'bounced',
  'rejected',
  'failed',
  'opened',
  'read',
  'clicked',
  'complained',
  'unsubscribed',
] as const;
export type DeliveryEventKind = (typeof DELIVERY_EVENT_KINDS)[number];

/** One report of a provider about one message. */
export type DeliveryEvent = {
  /** The provider's id of the event. Two events with the same id are the same event. */
  id: string;
  kind: DeliveryEventKind;
  /** The provider's id of the message, exactly as `send` returned it. */
  providerMessageId?: string;
  /** Clarion's id of the message, if the provider echoes it. */
  messageId?: string;
  recipient?: string;
  at?: Date;
  /** Set on a bounce, rejection or failure: this address will never work. */
  isPermanent?: boolean;
  reason?: string;
};

export type InboundCall = {
  method: 'GET' | 'POST';
  /** The full URL as the provider called it, with scheme, host and query, because some signatures cover it. */
  url: string;
  /** Header names are in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

export type InboundContext = {
  /** `configurations.inboundWebhookSigningKey` of the integration. */
  signingKey?: string;
  credentials: CredentialsDto;
  http: HttpPort;
  now(): Date;
};

export type InboundAnswer = { status: number; headers?: Record<string, string>; body?: string };

/** Whether the call comes from the provider. If not, `reason` tells the operator what to correct. */
export type CallCheck = { ok: true } | { ok: false; reason: string };

/** The kinds of events by the names that a provider gives them; they are listed by kind. */
export const eventKinds = (
  names: Readonly<Partial<Record<DeliveryEventKind, readonly string[]>>>,
): ReadonlyMap<string, DeliveryEventKind> => new Map(Object.entries(byKind<DeliveryEventKind>(names)));

export interface DeliveryEvents {
  /** The callback URL has to carry the key, because the provider signs nothing. */
  readonly keyInUrl?: boolean;
  /** How a call proves its origin, for the documentation: `HMAC-SHA256 of the body`. */
  readonly proof: string;
  verify(call: InboundCall, context: InboundContext): CallCheck | Promise<CallCheck>;
  /**
   * For signatures that do not cover the body: the signed part, which differs for each call. The gateway accepts it
   * with the first body only, so a stolen signature cannot carry another report.
   */
  signedOnce?(call: InboundCall): string;
  /** Called only after `verify`. Skips entries that are not about a message or cannot be read. */
  parse(call: InboundCall): DeliveryEvent[];
  /**
   * For providers that test the endpoint first or expect more than an empty 200. Undefined: the default response.
   * Called after `verify`, unless `handshake` is set: a handshake is not signed.
   */
  answer?(call: InboundCall, context: InboundContext): InboundAnswer | undefined | Promise<InboundAnswer | undefined>;
  readonly handshake?: (call: InboundCall, context: InboundContext) => InboundAnswer | undefined;
}

/** The maximum difference between a signed time and the local clock. */
export const REPLAY_WINDOW_MS = 300_000;

export const GENUINE: CallCheck = { ok: true };
export const notGenuine = (reason: string): CallCheck => ({ ok: false, reason });
export const NO_SIGNING_KEY = notGenuine(
  'The integration has no configurations.inboundWebhookSigningKey to check with',
);
export const STALE = notGenuine('The signed time is missing, or too far from the time here');
export const WRONG_SIGNATURE = notGenuine('The signature does not fit the body and the signing key of the integration');

/** Compares in constant time. */
export function isSame(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Takes seconds or milliseconds since 1970, or a date. */
export function isRecent(time: string | number | undefined, now: Date, windowMs = REPLAY_WINDOW_MS): boolean {
  const at = dateOf(time);
  return at !== undefined && Math.abs(now.getTime() - at.getTime()) <= windowMs;
}

/** Parses a time in any of the formats that providers use. Returns undefined for anything else. */
export function dateOf(time: string | number | undefined): Date | undefined {
  if (time === undefined || time === '') return undefined;
  const number = Number(time);
  // Seconds keep ten digits until the year 2286.
  const date = Number.isNaN(number) ? new Date(time) : new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const HAS_ZONE = /^\d+$|(Z|[+-]\d\d:?\d\d)$/i;

/** Parses a time, as UTC if it has no zone: `2026-01-01 12:00:00`. */
export const utcDateOf = (time: string | undefined): Date | undefined =>
  dateOf(time === undefined || HAS_ZONE.test(time) ? time : `${time.replace(' ', 'T')}Z`);

type Digest = 'sha1' | 'sha256' | 'sha384' | 'sha512';

export const hmac = (
  digest: Digest,
  key: string | Buffer,
  text: string | Buffer,
  encoding: 'hex' | 'base64' = 'hex',
): string => createHmac(digest, key).update(text).digest(encoding);

/**
 * Some providers do not sign webhooks. For those, the call carries the signing key: in the query as `token`, as the
 * password of basic authentication, or as a bearer token.
 */
export const bySharedKey: Pick<DeliveryEvents, 'keyInUrl' | 'proof' | 'verify'> = {
  keyInUrl: true,
  proof: 'key in the URL (`?token=`), basic login or bearer token',
  verify: ({ url, headers }, { signingKey }) => {
    if (!signingKey) return NO_SIGNING_KEY;
    const login = headers['authorization'] ?? '';
    const [scheme = '', value = ''] = login.split(/ +/, 2);
    const password = /^basic$/i.test(scheme)
      ? Buffer.from(value, 'base64').toString().split(':').slice(1).join(':')
      : /^bearer$/i.test(scheme)
        ? value
        : '';
    const given = [new URL(url).searchParams.get('token') ?? '', password];
    return given.some((text) => isSame(text, signingKey))
      ? GENUINE
      : notGenuine('Neither ?token= nor the Authorization header holds the signing key of the integration');
  },
};

/** For providers that send the hex HMAC-SHA256 of the body in a header. They sign no time. */
export const bySignedBody = (header: string): Pick<DeliveryEvents, 'proof' | 'verify'> => ({
  proof: `HMAC-SHA256 of the body (\`${header}\`)`,
  verify: ({ headers, body }, { signingKey }) => {
    if (!signingKey) return NO_SIGNING_KEY;
    return isSame(headers[header] ?? '', hmac('sha256', signingKey, body)) ? GENUINE : WRONG_SIGNATURE;
  },
});

export const jsonBody = ({ body }: InboundCall): Json | undefined => readJson(body.toString('utf8'));

/**
 * The JSON objects of the body, which is an object or a list of objects. Numbers named `idName` become texts, because a
 * long id would lose digits.
 */
export function objectsIn(call: InboundCall, idName?: string): JsonObject[] {
  const json = idName === undefined ? jsonBody(call) : parseWithIds(call.body.toString('utf8'), idName);
  return (Array.isArray(json) ? json : [json]).filter(isJsonObject);
}

type At = (...path: (string | number)[]) => string | undefined;

/** The events of reports. `at` reads a text of a report; undefined is for reports that are not about a message. */
export const eventsOf = <Report extends Json>(
  reports: readonly Report[],
  read: (at: At, report: Report) => DeliveryEvent | undefined,
): DeliveryEvent[] => reports.flatMap((report) => read((...path) => textAt(report, path), report) ?? []);

export const formBody = ({ body }: InboundCall): URLSearchParams => new URLSearchParams(body.toString('utf8'));

export const parametersOf = (call: InboundCall): URLSearchParams =>
  call.method === 'GET' ? new URL(call.url).searchParams : formBody(call);

/** The fields of a form, a query or a JSON body, as texts by name. */
export function fieldsOf(call: InboundCall): Readonly<Record<string, string>> {
  const json = call.method === 'GET' ? undefined : jsonBody(call);
  return Object.fromEntries(
    isJsonObject(json) ? Object.keys(json).map((name) => [name, textAt(json, [name]) ?? '']) : parametersOf(call),
  );
}
