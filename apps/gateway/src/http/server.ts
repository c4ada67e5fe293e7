import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError, LIMITS, readTraceContext, traceIdOf } from '@clarion/contracts';
import {
  type Config,
  type Health,
  type Logger,
  type Metrics,
  SECURITY_HEADERS,
  type Tracing,
  withLogFields,
} from '@clarion/platform';
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

export type ServerDependencies = {
  config: Config;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  health: Health;
};

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/**
 * The HTTP server with what happens to every request, known or not: an id, a line in the log, a count, and the policy of the
 * route that it matches. Its hooks run before those of Nest, which are added when Nest is given the server.
 */
export function createServer({ config, logger, tracing, metrics, health }: ServerDependencies): FastifyInstance {
  const { CLARION_HTTP_TIMEOUT_MS: timeoutMs, CLARION_TRUST_PROXY: trustedProxies } = config;
  /** Connections with an answer to a request that was not read to its end. */
  const refused = new WeakSet<Socket>();
  const server: FastifyInstance = fastify({
    // More than a URL may have, so that a long URL and long headers get different answers.
    http: {
      maxHeaderSize: 2 * LIMITS.url,
      headersTimeout: Math.min(timeoutMs, HEADERS_TIMEOUT_MS),
      // How often Node looks for requests that take too long.
      connectionsCheckingInterval: Math.min(timeoutMs, CHECK_EVERY_MS),
    },
    requestTimeout: timeoutMs,
    keepAliveTimeout: config.CLARION_HTTP_KEEP_ALIVE_MS,
    // Nothing sent and nothing read, as when answers wait for a caller that does not read them.
    connectionTimeout: 2 * timeoutMs,
    genReqId: requestId,
    // Without proxies to trust, the address of a caller is that of its socket and X-Forwarded-* means nothing.
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable || refused.has(socket)) return void socket.destroy();
      metrics.answer('other', refuseConnection(error, socket));
    },
    // A caller that does not know yet that we are closing gets an answer all the same, with `Connection: close`.
    return503OnClosing: false,
    // Fastify's own news (listening, closing) is ours to log; its warnings are not to be missed.
    loggerInstance: logger.isLevelEnabled('warn') ? logger.child({}, { level: 'warn' }) : logger,
    // Otherwise each line would have the id of the request twice.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: {
      // subscriberIds are long and arrive percent-encoded; the default of 100 characters would refuse them.
      maxParamLength: LIMITS.pathParameter,
      ignoreTrailingSlash: true,
      querystringParser: parseQueryString,
    },
    frameworkErrors: refuseTarget,
  }) as unknown as FastifyInstance;

  server.server.maxConnections = config.CLARION_HTTP_CONNECTIONS;
  installRoutePolicies(server);
  // Otherwise Node would ask for every body, also where the edge refuses the caller.
  server.server.on('checkContinue', (...offered) => server.server.emit('request', ...offered));

  server.addHook('onRequest', (request, _reply, done) => {
    const caller = readTraceContext(request.headers);
    request.policy = matchedPolicy(request);
    request.span = isTrigger(request) ? tracing.accept(caller, { 'http.request.method': request.method }) : undefined;
    request.trace = request.span?.context ?? caller;
    request.logFields = { reqId: request.id, ...(request.trace && { traceId: traceIdOf(request.trace) }) };
    withLogFields(request.logFields, done);
  });

  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
    if (health.isDraining) void reply.header('Connection', 'close');
    done(faultOfTarget(request));
  });

  // A long answer goes out as the caller reads it; a short one is out of our hands at once.
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    if (isLong(payload)) {
      const timer = setTimeout(() => raw.destroy(), timeoutMs);
      raw.once('close', () => clearTimeout(timer));
    }
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
    if (request.raw.complete) return;
    refused.add(request.raw.socket);
    setTimeout(() => cutOff(request.raw), LINGER_MS).unref();
  }

  /** What the router cannot read. No hook runs for it, and no route has a say in how the refusal looks. */
  function refuseTarget(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    const isLong = (error as { code?: string }).code === 'FST_ERR_MAX_PARAM_LENGTH';
    const answer = describeError(isLong ? new DomainError('uri_too_long', LONG_PARAMETER) : error);
    request.logFields = { reqId: request.id };
    reply.raw.once('finish', () => conclude(request, reply));
    void reply
      .headers(SECURITY_HEADERS)
      .header('X-Request-Id', request.id)
      .status(answer.status)
      .send(errorBody(answer, { url: request.url, policy: ANY_ROUTE }));
  }

  return server;
}

/** Headers are short; a caller that needs longer for them keeps a connection busy on purpose. */
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 5_000;

/** Beyond what Node and the operating system take at once. */
const isLong = (payload: unknown): boolean =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > 16 * 1024;

/** The caller may have meant to trigger, and only then is more expected of a 400. */
const ANY_ROUTE = { triggers: true };

/** Found before anything of the body is read. */
function faultOfTarget({ raw: { url = '' }, method, is404 }: FastifyRequest): DomainError | undefined {
  if (!url.startsWith('/'))
    return new DomainError('bad_request', 'The request target must be a path, such as /v2/topics');
  if (url.length > LIMITS.url) return new DomainError('uri_too_long', tooLong(url.length));
  if (is404) return new DomainError('not_found', `Cannot ${method} ${url}`);
  return undefined;
}

const LONG_PARAMETER = `A parameter of the path has more than ${LIMITS.pathParameter} characters`;
const tooLong = (length: number): string => `The URL has ${length} characters, at most ${LIMITS.url} are accepted`;

/**
 * A refused caller may go on sending its body. Closing at once would reset the connection, and the caller might never read
 * the refusal; so the rest is thrown away for a while.
 */
const LINGER_MS = 5_000;

function cutOff(request: IncomingMessage): void {
  if (!request.complete) request.socket.destroy();
}

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

type ParserError = Error & { code?: string; bytesParsed?: number; rawPacket?: unknown };

/** The request line had not ended where the parser gave up. */
function isUrlOverflow({ code, bytesParsed = 0, rawPacket }: ParserError): boolean {
  if (code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(rawPacket)) return false;
  const parsed = rawPacket.subarray(0, bytesParsed).toString('latin1');
  return /^[A-Z-]+ /.test(parsed) && !parsed.includes('\r\n');
}

/** What Node refuses before there is a request: headers beyond all measure, no HTTP at all. There is no path to name. */
function refuseConnection(error: ParserError, socket: Socket): number {
  const status = isUrlOverflow(error) ? 414 : (STATUS_OF_PARSER[error.code ?? ''] ?? 400);
  const reason = REASONS[status]!;
  const body = JSON.stringify(errorBody({ status, message: reason, extra: {} }, { url: '' }));
  const headers = Object.entries({
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join('')}\r\n${body}`);
  return status;
}

const STATUS_OF_PARSER: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
