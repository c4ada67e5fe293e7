import { DomainError } from '@clarion/contracts';
import type { InboxEnvironment } from '@clarion/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Pages of other origins may use the routes of the inbox, and no other route. That is safe for every origin, because a
 * browser adds no cookie to these requests: without the token a page can do nothing. An environment can allow fewer
 * origins (`allowedOrigins`).
 */

/** What the clients send (`@novu/js`, `@novu/client`), and what tracing in a browser adds. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Novu-API-Version',
  'Novu-Client-Version',
  'Novu-User-Agent',
  'Novu-Application-Identifier',
  'Idempotency-Key',
  'User-Agent',
  'X-Request-Id',
  'traceparent',
  'tracestate',
  'baggage',
  'sentry-trace',
].join(', ');

/** What a script may read beside the body. */
const RESPONSE_HEADERS = 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Called first, so that a browser also shows the errors that come before the environment is known. */
export function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  void reply.header('Vary', 'Origin');
  if (origin === undefined) return;
  void reply.header(ALLOW_ORIGIN, origin).header('Access-Control-Expose-Headers', RESPONSE_HEADERS);
}

/** Answers the question of a browser whether it may send a request. It does not name an environment. */
export function describePermission(reply: FastifyReply): void {
  void reply.headers({
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, PUT, DELETE',
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': '7200',
  });
}

/** A request without an origin does not come from a page of another site. */
export const isOriginAllowed = (
  { allowedOrigins }: Pick<InboxEnvironment, 'allowedOrigins'>,
  origin: string | undefined,
): boolean => origin === undefined || allowedOrigins === null || allowedOrigins.includes(origin);

export function checkOrigin(environment: InboxEnvironment, request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (isOriginAllowed(environment, origin)) return;
  void reply.removeHeader(ALLOW_ORIGIN);
  throw new DomainError('forbidden', `The origin ${origin} is not among the allowedOrigins of the environment`);
}
