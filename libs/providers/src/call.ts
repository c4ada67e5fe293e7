/** Encodes the body, adds the overrides of the trigger, makes the call and redacts secrets. */
import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import {
  type HttpRequest,
  isJsonObject,
  type Json,
  type JsonObject,
  withoutTrailingSlashes,
} from '@clarion/contracts/core';
import { HEADER_NAME, RESERVED_HEADERS } from './header-names';
import { Answer, outcomeOf, outcomeOfFault, refused, truncatedAnswer } from './outcome';
import { type CallContext, type Casing, type OverridableFields, type ProviderError, type SendResult } from './provider';
import { withoutSecrets } from './redaction';

type FormFile = { field: string; name: string; mime: string; file: Buffer };

export type Call = {
  method?: HttpRequest['method'];
  url: string;
  /** The new or old URL of an API that has moved, called after a 404: then nothing was sent. */
  otherUrl?: string;
  headers?: Record<string, string | undefined>;
  /** `tenant` for an endpoint of a subscriber. */
  origin?: HttpRequest['origin'];
  /** At most one of `json`, `form`, `multipart` and `signedJson` is set. */
  json?: Json;
  form?: Record<string, string | readonly string[] | undefined>;
  /** Fields as in `form`, and files, sent as multipart/form-data. */
  multipart?: { fields: Record<string, string | readonly string[] | undefined>; files: readonly FormFile[] };
  /** JSON that is already text because a signature covers it. */
  signedJson?: string;
  /** Returns authentication headers for the final request, including what the trigger passes through. */
  sign?(request: HttpRequest): Record<string, string>;
  /** Secrets of this call that are not credentials: a webhook URL, an access token. */
  secrets?: readonly string[];
  http2?: boolean;
};

/** Makes the call and reads the response. Without `read` the status decides. */
export async function send(
  call: Call,
  credentials: CredentialsDto,
  context: CallContext,
  read: (answer: Answer) => SendResult = (answer) => outcomeOf(answer),
): Promise<SendResult> {
  const passthrough = passthroughOf(context.overrides);
  const prepared = requestOf(call, passthrough);
  if ('ok' in prepared) return prepared;
  const answer = await answerTo(call, prepared, passthrough, context);
  const result = 'ok' in answer ? answer : read(answer);
  // Only these results have texts of the provider.
  return result.ok && !result.raw && !result.id ? result : redacted([result], call, prepared, credentials, context)[0]!;
}

/** As `send`, for a call with several messages. A failure of the call is the result of each message. */
export async function sendMany(
  count: number,
  call: Call,
  credentials: CredentialsDto,
  context: CallContext,
  read: (answer: Answer) => SendResult[],
): Promise<SendResult[]> {
  const passthrough = passthroughOf(context.overrides);
  const prepared = requestOf(call, passthrough);
  if ('ok' in prepared) return Array<SendResult>(count).fill(prepared);
  const answer = await answerTo(call, prepared, passthrough, context);
  const results = 'ok' in answer ? Array<SendResult>(count).fill(answer) : read(answer);
  return redacted(results, call, prepared, credentials, context);
}

function redacted(
  results: SendResult[],
  call: Call,
  request: HttpRequest,
  credentials: CredentialsDto,
  context: CallContext,
): SendResult[] {
  const secrets = () => [
    ...(call.secrets ?? []),
    ...authorization(request),
    // The callback URL may contain a key.
    context.callbackUrl ?? '',
    ...(context.secrets?.() ?? []),
  ];
  return withoutSecrets(results, credentials, secrets);
}

/** Makes the call, and a second one when the API has moved. */
function answerTo(
  { otherUrl }: Call,
  request: HttpRequest,
  { query }: Passthrough,
  context: CallContext,
): Promise<Answer | ProviderError> {
  const answer = exchange(context, request);
  if (otherUrl === undefined) return answer;
  return answer.then((first) =>
    first.status === 404 ? exchange(context, { ...request, url: withQuery(otherUrl, query) }) : first,
  );
}

async function exchange(context: CallContext, request: HttpRequest): Promise<Answer | ProviderError> {
  try {
    return new Answer(await context.http.request(request), context.now());
  } catch (error) {
    return truncatedAnswer(error, context.now()) ?? outcomeOfFault(error);
  }
}

const authorization = ({ headers }: HttpRequest): string[] =>
  Object.entries(headers ?? {}).flatMap(([name, value]) =>
    name.toLowerCase() === 'authorization' ? [value.slice(value.indexOf(' ') + 1)] : [],
  );

type Passthrough = { body?: JsonObject; headers: Record<string, string>; query: Record<string, string> };

const NOTHING: Passthrough = { headers: {}, query: {} };

export function passthroughOf(overrides: JsonObject): Passthrough {
  const given = overrides['_passthrough'];
  if (given === undefined) return NOTHING;
  const { body, headers, query } = isJsonObject(given) ? given : ({} as JsonObject);
  return { ...(isJsonObject(body) && { body }), headers: textsOf(headers), query: textsOf(query) };
}

const textsOf = (value: Json | undefined): Record<string, string> =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, item]) =>
          typeof item === 'string' || typeof item === 'number' ? [[name, String(item)]] : [],
        ),
      )
    : {};

const HEADER_BREAK = /[\r\n\0]/;

/** Finds a value with a character that is not allowed in a header or an address line. */
export function headerFault(values: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = Object.keys(values).find((key) => HEADER_BREAK.test(values[key] ?? ''));
  return name === undefined ? undefined : brokenLine(name);
}

const brokenLine = (name: string): string => `${name} contains a line break or a NUL character`;

function requestOf(call: Call, passthrough: Passthrough): HttpRequest | ProviderError {
  const { body, type } = encode(call, passthrough.body);
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  for (const given of [call.headers, passthrough.headers]) {
    const fault = given && addHeaders(headers, given);
    if (fault !== undefined) return refused(fault);
  }
  if (!URL.canParse(call.url)) return refused('The URL to call is not valid');
  const request: HttpRequest = {
    method: call.method ?? 'POST',
    url: withQuery(call.url, passthrough.query),
    headers,
    origin: call.origin ?? 'provider',
  };
  if (body !== undefined) request.body = body;
  if (call.http2) request.http2 = true;
  return call.sign ? { ...request, headers: { ...headers, ...call.sign(request) } } : request;
}

/** Adds the headers under their names in lower case; returns why one of them cannot be set. */
function addHeaders(
  headers: Record<string, string>,
  given: Readonly<Record<string, string | undefined>>,
): string | undefined {
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name) || RESERVED_HEADERS.has(lower)) return `The header ${name} cannot be set`;
    if (HEADER_BREAK.test(value)) return `The header ${brokenLine(lower)}`;
    headers[lower] = value;
  }
  return undefined;
}

/** Adds to the query of the URL. */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  if (Object.keys(query).length === 0) return url;
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) full.searchParams.set(name, value);
  return full.href;
}

function encode(call: Call, extra: JsonObject | undefined): { body?: string | Buffer; type?: string } {
  if (call.signedJson !== undefined) return { body: call.signedJson, type: 'application/json' };
  if (call.json !== undefined) {
    const merged = extra && isJsonObject(call.json) ? merge(call.json, extra) : call.json;
    return { body: JSON.stringify(merged), type: 'application/json' };
  }
  if (call.form) {
    return { body: formOf({ ...call.form, ...formFields(extra ?? {}) }), type: 'application/x-www-form-urlencoded' };
  }
  if (call.multipart) {
    const { fields, files } = call.multipart;
    return multipartOf({ ...fields, ...formFields(extra ?? {}) }, files);
  }
  return {};
}

function* fieldsOf(form: NonNullable<Call['form']>): Generator<[string, string]> {
  for (const [name, value] of Object.entries(form)) {
    if (value === undefined) continue;
    for (const item of typeof value === 'string' ? [value] : value) yield [name, item];
  }
}

const formOf = (form: NonNullable<Call['form']>): string => new URLSearchParams([...fieldsOf(form)]).toString();

/** The boundary is a hash of the content: a retry makes the same call, and the content cannot contain it. */
function multipartOf(form: NonNullable<Call['form']>, files: readonly FormFile[]): { body: Buffer; type: string } {
  const quoted = (name: string): string =>
    name.replace(/[\r\n"]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);
  const parts: [head: string, content: Buffer][] = [...fieldsOf(form)].map(([name, value]) => [
    `Content-Disposition: form-data; name="${quoted(name)}"`,
    Buffer.from(value),
  ]);
  for (const { field, name, mime, file } of files) {
    const head = `Content-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(name)}"`;
    parts.push([`${head}\r\nContent-Type: ${mime.replace(/[\r\n\0]/g, '')}`, file]);
  }
  const hash = createHash('sha256');
  for (const [head, content] of parts) hash.update(head).update(content);
  const boundary = `clarion-${hash.digest('hex').slice(0, 48)}`;
  const body = Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Override keys that are read before a provider is called. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  '_passthrough',
  'integrationIdentifier',
  'deviceTokens',
  'tokens',
  'webhookUrl',
]);

/** The names of a long list, which is easier to read as a paragraph than with one name a line. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

const NOTHING_SET = { fields: Object.freeze({}), unused: [] };

/** The overrides with the names that the provider uses, and the names of overrides that it does not know. */
export function overriddenFields(
  overrides: JsonObject,
  { names, casing = 'as-is' }: OverridableFields,
): { fields: JsonObject; unused: string[] } {
  const given = Object.entries(overrides);
  if (given.length === 0) return NOTHING_SET;
  const fields: JsonObject = {};
  const unused: string[] = [];
  for (const [name, value] of given) {
    if (READ_ELSEWHERE.has(name)) continue;
    const spelled = names !== 'any' && names.includes(name) ? name : spellingOf(name, names, casing);
    if (names !== 'any' && !names.includes(spelled)) unused.push(name);
    else setOwn(fields, spelled, value);
  }
  return { fields, unused };
}

/** Casing does not map `templateId` to `TemplateID`, so a name with the same letters matches too. */
function spellingOf(name: string, names: OverridableFields['names'], casing: Casing): string {
  const recased = recase(name, casing);
  if (names === 'any' || names.includes(recased)) return recased;
  return names.find((one) => lettersOf(one) === lettersOf(name)) ?? recased;
}

const lettersOf = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();

function recase(name: string, casing: Casing): string {
  const words = name.split(/[-_]|(?<=[a-z0-9])(?=[A-Z])/);
  const lower = words.map((word) => word.toLowerCase());
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  switch (casing) {
    case 'snake':
      return lower.join('_');
    case 'kebab':
      return lower.join('-');
    case 'pascal':
      return words.map(capital).join('');
    case 'camel':
      return words.map((word, index) => (index === 0 ? word : capital(word))).join('');
    case 'as-is':
      return name;
  }
}

/** Merges objects member by member. Any other value, including a list, is replaced. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const entries = Object.entries(over);
  if (entries.length === 0) return base;
  const merged: JsonObject = { ...base };
  for (const [name, value] of entries) {
    const below = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const both = isJsonObject(below) && isJsonObject(value) ? merge(below, value) : value;
    setOwn(merged, name, both);
  }
  return merged;
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** For APIs that take only texts. Any other value is written as JSON. */
export const textFields = (fields: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));

/** As `textFields`, for a form, where a list becomes a repeated field. */
export const formFields = (fields: JsonObject): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value)]),
  );

/** Drops members that are undefined or empty lists, because most providers reject them. */
export function compact(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const kept: JsonObject = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) setOwn(kept, name, value);
  }
  return kept;
}

/** Assigning `__proto__` would change the prototype. */
function setOwn(object: JsonObject, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}

/** Without trailing slashes. Accounts of some providers have their own host, often without the scheme. */
export const baseUrlOf = (url: string): string =>
  withoutTrailingSlashes(/^https?:\/\//i.test(url) ? url : `https://${url}`);

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const bearer = (token: string): string => `Bearer ${token}`;
