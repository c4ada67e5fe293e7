/**
 * On every answer of every server of ours. Answers are data: a browser that is led to one must not run it, frame it, guess
 * its type, keep it or read it from another site. Pages for people widen what they need.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const;
