/** Signature Version 4 of Amazon: the secret key is never sent, and signed parts cannot be altered. */
import { createHash, createHmac } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { type HttpRequest } from '@clarion/contracts/core';
import { type Call } from './call';
import { refused } from './outcome';
import { type ProviderError, type SendContext } from './provider';

export type AwsAccess = {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** The service name in the signature, which may differ from the one in the host name. */
  service: string;
};

const ALGORITHM = 'AWS4-HMAC-SHA256';
const REGION = /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/;

/** A signed call to a service, or why it cannot be made. */
export function awsCall(
  { host, service, path }: { host: string; service: string; path: string },
  call: Omit<Call, 'url' | 'sign'>,
  { apiKey = '', secretKey = '', region = '' }: CredentialsDto,
  context: Pick<SendContext, 'http' | 'now'>,
): Call | ProviderError {
  // The region becomes part of the host name.
  if (!REGION.test(region)) return refused('region is not an Amazon region such as eu-west-1', 'credentials');
  const access: AwsAccess = { accessKeyId: apiKey, secretAccessKey: secretKey, region, service };
  return {
    ...call,
    url: `https://${host}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}${path}`,
    sign: (request) => signatureOf({ ...request, url: context.http.addressOf(request.url) }, access, context.now()),
  };
}

/** `request.url` must be the URL really called, because its host is signed. */
export function signatureOf(request: HttpRequest, access: AwsAccess, now: Date): Record<string, string> {
  const url = new URL(request.url);
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const headers = signedHeaders({ ...request.headers, host: url.host, 'x-amz-date': time });
  const names = headers.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    // The path is already encoded; the signature needs it encoded twice.
    url.pathname.split('/').map(encode).join('/'),
    canonicalQuery(url),
    ...headers.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(request.body ?? ''),
  ].join('\n');
  const scope = [day, access.region, access.service, 'aws4_request'];
  const key = scope.reduce<Buffer>(hmac, Buffer.from(`AWS4${access.secretAccessKey}`));
  const signature = hmac(key, [ALGORITHM, time, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
  const credential = `${access.accessKeyId}/${scope.join('/')}`;
  return {
    'x-amz-date': time,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Only these are signed, because proxies may change or add other headers. */
const signedHeaders = (headers: Record<string, string>): [name: string, value: string][] =>
  Object.entries(headers)
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-amz-'))
    .sort(byCodePoint);

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(byCodePoint)
    .map((pair) => pair.join('='))
    .join('&');

/** Sorts by name, then by value, in code point order and not by locale. */
const byCodePoint = ([name, value]: [string, string], [otherName, otherValue]: [string, string]): number =>
  compare(name, otherName) || compare(value, otherValue);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Encodes as RFC 3986 requires, including the characters that `encodeURIComponent` leaves unchanged. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
