/**
 * One HTTP call of an adapter: the body in the form the provider wants, the trigger's overrides worked in, the way there
 * and back, and a result without secrets.
 */
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts';
import { HEADER_NAME, RESERVED_HEADERS } from './credentials';
import { Answer, outcomeOf, outcomeOfFault, refused, withoutSecrets } from './outcome';
import { type HttpRequest, type SendContext, type SendResult } from './provider';

export type FormFile = { field: string; name: string; mime: string; file: Buffer };

export type Call = {
  method?: HttpRequest['method'];
  url: string;
  headers?: Record<string, string | undefined>;
  /** `tenant` for a subscriber's own address. */
  origin?: HttpRequest['origin'];
  /** At most one of these four. */
  json?: Json;
  form?: Record<string, string | readonly string[] | undefined>;
  /** Fields as in `form`, and files; becomes multipart/form-data. */
  multipart?: { fields: Record<string, string | readonly string[] | undefined>; files: readonly FormFile[] };
  /** JSON that is already text, because a signature covers it. */
  signedJson?: string;
  /** What of this call is secret and no credential: a webhook's address, an access token. */
  secrets?: readonly string[];
  http2?: boolean;
};

/** Makes the call and reads the answer; without `read` the status decides. */
export async function send(
  context: SendContext,
  call: Call,
  read: (answer: Answer) => SendResult = (answer) => outcomeOf(answer),
): Promise<SendResult> {
  const prepared = requestOf(call, passthroughOf(context.overrides));
  if ('ok' in prepared) return prepared;
  const secrets = [...(call.secrets ?? []), ...authorization(prepared)];
  return withoutSecrets(await exchange(context, prepared, read), context.credentials, secrets);
}

async function exchange(
  context: SendContext,
  request: HttpRequest,
  read: (answer: Answer) => SendResult,
): Promise<SendResult> {
  let response;
  try {
    response = await context.http.request(request);
  } catch (error) {
    return outcomeOfFault(error);
  }
  return read(new Answer(response, context.now()));
}

const authorization = ({ headers }: HttpRequest): string[] =>
  Object.entries(headers ?? {}).flatMap(([name, value]) =>
    name.toLowerCase() === 'authorization' ? [value.slice(value.indexOf(' ') + 1)] : [],
  );

type Passthrough = { body?: JsonObject; headers: Record<string, string>; query: Record<string, string> };

export function passthroughOf(overrides: JsonObject): Passthrough {
  const given = overrides['_passthrough'];
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

/** What keeps a text out of a header or an address line. */
export function headerFault(values: Readonly<Record<string, string | undefined>>): string | undefined {
  const name = Object.keys(values).find((key) => HEADER_BREAK.test(values[key] ?? ''));
  return name === undefined ? undefined : `${name} contains a line break or a NUL character`;
}

function requestOf(call: Call, passthrough: Passthrough): HttpRequest | SendResult {
  const { body, type } = encode(call, passthrough.body);
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  for (const [name, value] of [...Object.entries(call.headers ?? {}), ...Object.entries(passthrough.headers)]) {
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name) || RESERVED_HEADERS.has(lower)) return refused(`The header ${name} cannot be set`);
    headers[lower] = value;
  }
  const fault = headerFault(headers);
  if (fault !== undefined) return refused(`The header ${fault}`);
  if (!URL.canParse(call.url)) return refused('The address to call is no URL');
  return {
    method: call.method ?? 'POST',
    url: withQuery(call.url, passthrough.query),
    headers,
    ...(body !== undefined && { body }),
    origin: call.origin ?? 'provider',
    ...(call.http2 && { http2: true }),
  };
}

/** Keeps the query that is there. */
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

/** The boundary is fixed by the content, so that a call that is made again is the same call, and cannot stand in it. */
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
  let boundary = 'clarion';
  while (parts.some(([head, content]) => head.includes(boundary) || content.includes(boundary))) boundary += '-x';
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

/** Keys of overrides that are read before a provider is called. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  '_passthrough',
  'integrationIdentifier',
  'deviceTokens',
  'tokens',
  'webhookUrl',
]);

type Casing = 'snake' | 'camel' | 'pascal' | 'kebab' | 'as-is';

/** The fields of the provider's request that the trigger sets, with the provider's spelling of their names. */
export function overriddenFields(overrides: JsonObject, casing: Casing = 'as-is'): JsonObject {
  return Object.fromEntries(
    Object.entries(overrides)
      .filter(([name]) => !READ_ELSEWHERE.has(name))
      .map(([name, value]) => [recase(name, casing), value]),
  );
}

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

/** Objects are merged member by member; everything else, lists too, is replaced. */
export function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const below = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const both = isJsonObject(below) && isJsonObject(value) ? merge(below, value) : value;
    // Assignment to such a name would change the prototype.
    Object.defineProperty(merged, name, { value: both, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** For APIs that take texts alone; what is none is written as JSON. */
export const textFields = (fields: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));

/** The same for a form, where a list is a field that stands there several times. */
export const formFields = (fields: JsonObject): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value)]),
  );

/** Without the members that are undefined or empty lists: most providers take neither kindly. */
export function compact(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, Json] => entry[1] !== undefined && !(Array.isArray(entry[1]) && entry[1].length === 0),
    ),
  );
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const bearer = (token: string): string => `Bearer ${token}`;
