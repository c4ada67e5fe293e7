/**
 * What providers tell after a message was handed over: delivered, bounced, opened. Each provider has its own way to prove
 * who it is and its own words; here they become one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { parseJson, textAt } from './outcome';
import { type HttpPort } from './provider';

/**
 * sent          on its way from the provider
 * delivered     at the recipient's
 * deferred      not yet; the provider goes on trying
 * bounced       came back; with `isPermanent` it always will
 * rejected      the provider itself did not send it: blocked, dropped, refused by its rules
 * failed        the provider gave up for another reason
 * opened        seen by the recipient (`read` where the channel itself says so)
 * clicked       a link in it was followed
 * complained    called spam by the recipient
 * unsubscribed  the recipient wants no more
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

export type DeliveryEvent = {
  /** Of the event, at this provider: two with the same id are one. */
  id: string;
  kind: DeliveryEventKind;
  /** The provider's id of the message, spelled as `send` returned it. */
  providerMessageId?: string;
  /** Our own id, where the provider carries it along. */
  messageId?: string;
  /** The address or number that the event is about. */
  recipient?: string;
  at?: Date;
  /** Of a bounce, rejection or failure: this address will never work. */
  isPermanent?: boolean;
  reason?: string;
};

/** A call of a provider to us, as it came. */
export type InboundCall = {
  method: 'GET' | 'POST';
  /** All of it as the provider called it, with scheme, host and query: some signatures cover it. */
  url: string;
  /** Names in lower case. */
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

/** Whether the call is the provider's; otherwise why not, in words that tell a person what to do. */
export type Verdict = { ok: true } | { ok: false; reason: string };

export interface DeliveryEvents {
  /** The address for reports has to hold the key, because nothing is signed. */
  readonly keyInUrl?: boolean;
  /** How a call proves where it comes from, for people: `HMAC-SHA256 of the body`. */
  readonly proof: string;
  verify(call: InboundCall, context: InboundContext): Verdict | Promise<Verdict>;
  /**
   * Where the signature does not cover the body: the part that is signed and different for each call. It is believed with
   * one body alone, so a signature that another person has seen carries no other report.
   */
  signedOnce?(call: InboundCall): string;
  /** Only of calls that were verified. What is not about a message is left out; what cannot be read is no event. */
  parse(call: InboundCall): DeliveryEvent[];
  /**
   * For providers that first ask whether anybody is there, or expect more than an empty 200. Undefined: the usual answer.
   * It is asked after `verify`, except where `handshake` is set: there nothing is signed yet.
   */
  answer?(call: InboundCall, context: InboundContext): InboundAnswer | undefined | Promise<InboundAnswer | undefined>;
  readonly handshake?: (call: InboundCall, context: InboundContext) => InboundAnswer | undefined;
}

/** How far a signed time may be from ours. */
export const REPLAY_WINDOW_MS = 300_000;

export const GENUINE: Verdict = { ok: true };
export const notGenuine = (reason: string): Verdict => ({ ok: false, reason });
export const NO_SIGNING_KEY = notGenuine(
  'The integration has no configurations.inboundWebhookSigningKey to check with',
);
export const STALE = notGenuine('The signed time is missing, or too far from the time here');
export const WRONG_SIGNATURE = notGenuine('The signature does not fit the body and the signing key of the integration');

/** Takes the same time whatever is different. */
export function isSame(one: string | Buffer, other: string | Buffer): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Seconds or milliseconds since 1970, or a date. */
export function isRecent(time: string | number | undefined, now: Date, windowMs = REPLAY_WINDOW_MS): boolean {
  const at = dateOf(time);
  return at !== undefined && Math.abs(now.getTime() - at.getTime()) <= windowMs;
}

/** A time in any of the forms that providers use; undefined when it is none. */
export function dateOf(time: string | number | undefined): Date | undefined {
  if (time === undefined || time === '') return undefined;
  const number = Number(time);
  // Seconds have ten digits for a long while yet.
  const date = Number.isNaN(number) ? new Date(time) : new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const HAS_ZONE = /^\d+$|(Z|[+-]\d\d:?\d\d)$/i;

/** A time that is meant as UTC where it names no zone: `2026-01-01 12:00:00`. */
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
 * For providers that sign nothing: whoever knows the address knows the key in it. It stands in the query as `token`, or is
 * the password of a basic login, or comes as a bearer token, whatever the provider can be told to send.
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

/** For providers that sign the body with the signing key and say so in a header, in hex. They sign no time. */
export const bySignedBody = (header: string): Pick<DeliveryEvents, 'proof' | 'verify'> => ({
  proof: `HMAC-SHA256 of the body (\`${header}\`)`,
  verify: ({ headers, body }, { signingKey }) => {
    if (!signingKey) return NO_SIGNING_KEY;
    return isSame(headers[header] ?? '', hmac('sha256', signingKey, body)) ? GENUINE : WRONG_SIGNATURE;
  },
});

export const jsonBody = ({ body }: InboundCall): Json | undefined => parseJson(body.toString('utf8'));

/** The body as objects, whether it is one or a list of them. */
export function objectsIn(call: InboundCall): JsonObject[] {
  const json = jsonBody(call);
  return (Array.isArray(json) ? json : [json]).filter(isJsonObject);
}

export const formBody = ({ body }: InboundCall): URLSearchParams => new URLSearchParams(body.toString('utf8'));

/** What came as a form, or in the query of a GET. */
export const parametersOf = (call: InboundCall): URLSearchParams =>
  call.method === 'GET' ? new URL(call.url).searchParams : formBody(call);

/** The same as texts by name, whether it came as a form, in the query or as JSON. */
export function fieldsOf(call: InboundCall): Readonly<Record<string, string>> {
  const json = call.method === 'GET' ? undefined : jsonBody(call);
  return Object.fromEntries(
    isJsonObject(json) ? Object.keys(json).map((name) => [name, textAt(json, [name]) ?? '']) : parametersOf(call),
  );
}
