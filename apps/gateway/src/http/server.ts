import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { DomainError, readTraceContext, traceIdOf } from '@clarion/contracts';
import { type Health, type Logger, type Metrics, type Tracing, withLogFields } from '@clarion/platform';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { describeError, errorBody, REASONS } from './error.filter';
import { parseQueryString } from './query-string';
import { installRoutePolicies, matchedPolicy } from './route-policy';

export type ServerDependencies = { logger: Logger; tracing: Tracing; metrics: Metrics; health: Health };

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/**
 * The HTTP server with what happens to every request, known or not: an id, a line in the log, a count, and the policy of the
 * route that it matches. Its hooks run before those of Nest, which are added when Nest is given the server.
 */
export function createServer({ logger, tracing, metrics, health }: ServerDependencies): FastifyInstance {
  const server: FastifyInstance = fastify({
    genReqId: requestId,
    clientErrorHandler: refuseConnection,
    // A caller that does not know yet that we are closing gets an answer all the same, with `Connection: close`.
    return503OnClosing: false,
    // Fastify's own news (listening, closing) is ours to log; its warnings are not to be missed.
    loggerInstance: logger.isLevelEnabled('warn') ? logger.child({}, { level: 'warn' }) : logger,
    // Otherwise each line would have the id of the request twice.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: {
      // subscriberIds are long and arrive percent-encoded; the default of 100 characters would refuse them.
      maxParamLength: 8192,
      ignoreTrailingSlash: true,
      querystringParser: parseQueryString,
    },
    frameworkErrors: refuseTarget,
  }) as unknown as FastifyInstance;

  installRoutePolicies(server);

  server.addHook('onRequest', (request, _reply, done) => {
    const caller = readTraceContext(request.headers);
    request.policy = matchedPolicy(request);
    request.span = isTrigger(request) ? tracing.accept(caller, { 'http.request.method': request.method }) : undefined;
    request.trace = request.span?.context ?? caller;
    request.logFields = { reqId: request.id, ...(request.trace && { traceId: traceIdOf(request.trace) }) };
    withLogFields(request.logFields, done);
  });

  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('X-Request-Id', request.id);
    if (health.isDraining) void reply.header('Connection', 'close');
    if (!request.raw.url?.startsWith('/')) return done(new DomainError('bad_request', NO_PATH));
    // Refused here, so that the body of an unknown route is never read.
    if (request.is404) return done(new DomainError('not_found', `Cannot ${request.method} ${request.url}`));
    done();
  });

  // Not for a caller who went away before the answer: Fastify calls this when all of it is written.
  server.addHook('onResponse', (request, reply, done) => {
    conclude(request, reply);
    if (isTrigger(request) && reply.statusCode === 201 && !isDryRun(request)) metrics.accept(reply.elapsedTime / 1_000);
    endSpan(request, reply);
    done();
  });

  function conclude(request: FastifyRequest, reply: FastifyReply): void {
    const isPublic = request.policy?.access === 'public';
    // Probes come every few seconds and say nothing while all is well.
    const level = isPublic && reply.statusCode < 400 ? 'debug' : 'info';
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
    if (!isPublic) metrics.answer(isTrigger(request) ? 'trigger' : 'other', reply.statusCode);
  }

  /** What the router cannot read. No hook runs for it, and no route has a say in how the refusal looks. */
  function refuseTarget(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const answer = describeError(error);
    request.logFields = { reqId: request.id };
    reply.raw.once('finish', () => conclude(request, reply));
    void reply
      .header('X-Request-Id', request.id)
      .status(answer.status)
      .send(errorBody(answer, { url: request.url, policy: ANY_ROUTE }));
  }

  return server;
}

/** The caller may have meant to trigger, and only then is more expected of a 400. */
const ANY_ROUTE = { triggers: true };

const NO_PATH = 'The request target must be a path such as /v2/subscribers';

/** A caller's own request id is kept when it is sane, so that one id leads through both systems. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const isTrigger = ({ method, policy }: FastifyRequest): boolean => method === 'POST' && policy?.triggers === true;

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

/** What Node refuses before there is a request: headers beyond all measure, no HTTP at all. There is no path to name. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_OF_PARSER[error.code ?? ''] ?? 400;
  const reason = REASONS[status]!;
  const body = JSON.stringify(errorBody({ status, message: reason, extra: {} }, { url: '' }));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const STATUS_OF_PARSER: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
