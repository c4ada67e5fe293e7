import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { DomainError, LIMITS, readTraceContext, traceIdOf } from '@clarion/contracts';
import { type Config, type Health, type Logger, type Metrics, type Tracing, withLogFields } from '@clarion/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '../auth/authenticate';
import type { KeyDirectory } from '../auth/key-directory';
import { dialectOf } from './dialect.interceptor';
import { errorBody, REASONS } from './error.filter';
import { checkText, parseJsonBody } from './json-body';
import { rateCategory, rateCost, RateLimiter, type RateVerdict } from './rate-limiter';
import { isCalledByProviders } from './request-context';

export type EdgeDependencies = {
  config: Config;
  keys: KeyDirectory;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  health: Health;
};

const VERSIONED = /^\/v[12]\//;
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** A caller's own request id is kept when it is sane, so that one id leads through both systems. */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * What happens to every request before Nest sees it: who calls (before the body is read), how large the body is, what it
 * holds, and how much the environment may still ask for.
 */
export function installEdge(
  server: FastifyInstance,
  { config, keys, logger, tracing, metrics, health }: EdgeDependencies,
): void {
  const rates = {
    trigger: config.CLARION_RATE_LIMIT_TRIGGER,
    configuration: config.CLARION_RATE_LIMIT_CONFIGURATION,
    global: config.CLARION_RATE_LIMIT_GLOBAL,
    inbound: config.CLARION_RATE_LIMIT_INBOUND,
  };
  const limiter = new RateLimiter(rates);
  // Of its own, because anybody can name integrations that do not exist.
  const inboundLimiter = new RateLimiter(rates);

  // Fastify reads text/plain unless told otherwise.
  server.removeContentTypeParser('text/plain');
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: LIMITS.eventsBodyBytes },
    (request, body, done) => {
      try {
        checkSize(request.url, body.length);
        request.bodyBytes = body.length;
        if (isCalledByProviders(request)) return done(null, body);
        done(null, body.length === 0 ? undefined : parseJsonBody(textOf(body as Buffer)));
      } catch (error) {
        done(error as Error);
      }
    },
  );

  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.bodyBytes }, (request, body, done) => {
    if (isCalledByProviders(request)) done(null, body);
    else if (request.is404) done(null);
    else done(new DomainError('unsupported_media_type', 'Unsupported Media Type'));
  });

  server.addHook('onRequest', (request, _reply, done) => {
    const caller = readTraceContext(request.headers);
    request.span = isTrigger(request) ? tracing.accept(caller, { 'http.request.method': request.method }) : undefined;
    request.trace = request.span?.context ?? caller;
    request.logFields = { reqId: request.id, ...(request.trace && { traceId: traceIdOf(request.trace) }) };
    withLogFields(request.logFields, done);
  });

  server.addHook('onRequest', async (request, reply) => {
    void reply.header('X-Request-Id', request.id);
    if (health.isDraining) void reply.header('Connection', 'close');
    request.dialect = dialectOf(request.headers['user-agent'], config.CLARION_DIALECT);
    if (!VERSIONED.test(request.url)) return;
    if (isCalledByProviders(request)) {
      const { integrationId } = request.params as { integrationId: string };
      if (config.CLARION_RATE_LIMIT) refuseUnless(inboundLimiter.take(integrationId.slice(0, 36), 'inbound', 1));
      checkTexts(request.query);
    } else {
      await authenticate(request, keys);
      checkTexts(request.params);
      checkTexts(request.query);
    }
    checkSize(request.url, Number(request.headers['content-length'] ?? 0));
  });

  server.addHook('preHandler', (request, reply, done) => {
    if (!config.CLARION_RATE_LIMIT || !request.owner) return done();
    const verdict = limiter.take(request.owner.environmentId, rateCategory(request.url), rateCost(request.body));
    void reply.headers({
      'RateLimit-Limit': verdict.limit,
      'RateLimit-Remaining': verdict.remaining,
      'RateLimit-Reset': verdict.resetSeconds,
      'RateLimit-Policy': verdict.policy,
    });
    refuseUnless(verdict);
    done();
  });

  // Not for a caller who went away before the answer: Fastify calls this when all of it is written.
  server.addHook('onResponse', (request, reply, done) => {
    // Probes come every few seconds and say nothing while all is well.
    const level = request.url.startsWith('/health/') && reply.statusCode < 400 ? 'debug' : 'info';
    logger[level](
      {
        ...request.logFields,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        environmentId: request.owner?.environmentId,
        keyId: request.owner?.keyId,
      },
      'request',
    );
    if (VERSIONED.test(request.url)) metrics.answer(isTrigger(request) ? 'trigger' : 'other', reply.statusCode);
    if (isTrigger(request) && reply.statusCode === 201 && !isDryRun(request)) metrics.accept(reply.elapsedTime / 1_000);
    endSpan(request, reply);
    done();
  });
}

const isTrigger = ({ method, url }: FastifyRequest): boolean =>
  method === 'POST' && url.startsWith('/v1/events/trigger');

const isDryRun = ({ query }: FastifyRequest): boolean => (query as { dryRun?: unknown }).dryRun !== undefined;

function endSpan({ span, owner, routeOptions, logFields }: FastifyRequest, { statusCode }: FastifyReply): void {
  span?.set({
    'http.route': routeOptions.url,
    'http.response.status_code': statusCode,
    'clarion.environment_id': owner?.environmentId,
    'clarion.transaction_id': logFields['transactionId'] as string | undefined,
  });
  if (statusCode >= 500) span?.fail(REASONS[statusCode] ?? statusCode);
  span?.end();
}

function refuseUnless({ allowed, resetSeconds }: RateVerdict): void {
  if (allowed) return;
  throw new DomainError('too_many_requests', 'API rate limit exceeded', {}, { 'Retry-After': String(resetSeconds) });
}

/** What Node refuses before there is a request: headers beyond all measure, no HTTP at all. There is no path to name. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_OF_PARSER[error.code ?? ''] ?? 400;
  const reason = REASONS[status]!;
  const body = JSON.stringify(errorBody({ status, message: reason, extra: {} }, ''));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const STATUS_OF_PARSER: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Bytes that are no UTF-8 would turn into replacement characters without a word. */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new DomainError('bad_request', 'The body is not valid UTF-8');
  return body.toString('utf8');
}

/** Events may carry attachments; what an event weighs without them is checked where they are known. */
function checkSize(url: string, bytes: number): void {
  const limit = url.startsWith('/v1/events/') ? LIMITS.eventsBodyBytes : LIMITS.bodyBytes;
  if (bytes > limit) throw new DomainError('too_large', `The body has ${bytes} bytes, at most ${limit} are accepted`);
}

/** Parameters of the path or the query. */
function checkTexts(source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  for (const [name, value] of Object.entries(source)) {
    for (const text of Array.isArray(value) ? value : [value]) if (typeof text === 'string') checkText(text, name);
  }
}
