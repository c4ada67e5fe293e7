/** The characters that a header name may have (`token` in RFC 7230). */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that frame the request or belong to the connection. Credentials and overrides may not set them. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'cookie',
  'te',
  'upgrade',
]);
