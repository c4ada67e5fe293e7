/** RFC 7230 `token`: the characters a header name may have. */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that frame the request or belong to the connection: a credential may not take their place. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'cookie',
  'te',
  'upgrade',
]);
