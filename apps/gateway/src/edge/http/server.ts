import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
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
import { OPERATOR } from '../auth/operator';
import { describeError, errorBody, REASONS } from './error.filter';
import { parseQueryString } from './query-string';
import { answerRaw } from './raw-answer';
import { installRoutePolicies, matchedPolicy } from './route-policy';
import { isLong } from './unread-answers';
import { GatewayRequest } from './websocket-request';

type ServerDependencies = {
  config: Config;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  health: Health;
};

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/**
 * Creates the HTTP server. Every request, of a known route or not, gets an id, a log line, a count and the policy of
 * the matched route. These hooks run before those of Nest, which Nest adds later.
 */
export function createServer({ config, logger, tracing, metrics, health }: ServerDependencies): FastifyInstance {
  const { CLARION_HTTP_TIMEOUT_MS: timeoutMs, CLARION_TRUST_PROXY: trustedProxies } = config;
  /** Connections whose request was answered before its body was read completely. */
  const refused = new WeakSet<Socket>();
  const server: FastifyInstance = fastify({
    // More than the limit of a URL, so that a long URL (414) and long headers (431) get different responses.
    http: {
      IncomingMessage: GatewayRequest,
      maxHeaderSize: 2 * LIMITS.url,
      headersTimeout: Math.min(timeoutMs, HEADERS_TIMEOUT_MS),
      // How often Node checks for requests that take too long.
      connectionsCheckingInterval: Math.min(timeoutMs, CHECK_EVERY_MS),
    },
    requestTimeout: timeoutMs,
    keepAliveTimeout: config.CLARION_HTTP_KEEP_ALIVE_MS,
    // Closes a connection that is idle in both directions, such as one whose caller does not read the response.
    connectionTimeout: 2 * timeoutMs,
    genReqId: requestId,
    // Without trusted proxies, the address of a caller is that of its socket and X-Forwarded-* is ignored.
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable || refused.has(socket)) return void socket.destroy();
      metrics.answer('other', refuseConnection(error, socket));
    },
    // While the server closes, requests on open connections are still served, with `Connection: close`.
    return503OnClosing: false,
    // The gateway logs start and stop itself. Of Fastify's messages only warnings and errors are kept.
    loggerInstance: logger.isLevelEnabled('warn') ? logger.child({}, { level: 'warn' }) : logger,
    // Without this, each line would carry the request id twice.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: {
      // A percent-encoded subscriberId can exceed the default of 100 characters.
      maxParamLength: LIMITS.pathParameter,
      ignoreTrailingSlash: true,
      querystringParser: parseQueryString,
    },
    frameworkErrors: refuseTarget,
  }) as unknown as FastifyInstance;

  server.server.maxConnections = config.CLARION_HTTP_CONNECTIONS;
  installRoutePolicies(server);
  // By default Node answers `Expect: 100-continue` at once. Here the edge does, after it has accepted the caller.
  server.server.on('checkContinue', (...offered) => server.server.emit('request', ...offered));

  server.server.prependListener('request', tellOfClose);
  refusePipelines(server.server);

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

  server.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    refuseCrumbs(raw, payload);
    done(null, payload);
  });

  // A long response is sent at the speed at which the caller reads it, so it gets a timeout.
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    if (payload instanceof Readable) endUnread(raw, timeoutMs);
    else if (isLong(payload)) {
      const timer = setTimeout(() => raw.req.socket.destroy(), timeoutMs);
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });

  // Fastify calls this after the complete response was written, so not if the caller disconnected before.
  server.addHook('onResponse', (request, reply, done) => {
    conclude(request, reply);
    if (isTrigger(request) && reply.statusCode === 201 && !isDryRun(request)) metrics.accept(reply.elapsedTime / 1_000);
    endSpan(request, reply);
    done();
  });

  function conclude(request: FastifyRequest, reply: FastifyReply): void {
    const isPublic = request.policy?.access === 'public';
    // Probes arrive every few seconds, so successful ones are logged at debug level only.
    const level = isPublic && reply.statusCode < 400 ? 'debug' : 'info';
    logger[level](
      {
        ...request.logFields,
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        environmentId: (request.owner ?? request.inboxCaller ?? request.operator)?.environmentId,
        keyId: request.operator ? OPERATOR : request.owner?.keyId,
      },
      'request',
    );
    if (!isPublic) metrics.answer(isTrigger(request) ? 'trigger' : 'other', reply.statusCode);
    if (request.raw.complete) return;
    refused.add(request.raw.socket);
    setTimeout(() => cutOff(request.raw), LINGER_MS).unref();
  }

  /** Answers a request target that the router cannot parse. No hook runs for it and no route matches. */
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

/** A token in a path is a secret of the person who got the link. */
function loggedPath({ url, routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url?.endsWith('/:token') ? routeOptions.url : url.split('?', 1)[0];
}

/** Headers are short, so a caller that needs longer is probably holding the connection open on purpose. */
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 5_000;

/** Pieces of a body that may be short, and the mean length of more. */
const SHORT_PIECES = 2_000;
const PIECE_BYTES = 64;

/**
 * Each piece of a body is a separate object until the body is complete: one in chunks of a byte takes a hundred times
 * its size. Fastify begins to read the body in the same turn of the event loop, so no piece is lost to this listener.
 */
function refuseCrumbs({ socket }: IncomingMessage, body: NodeJS.ReadableStream): void {
  let [pieces, bytes] = [0, 0];
  body.on('data', (piece: Buffer) => {
    pieces += 1;
    bytes += piece.length;
    if (pieces > SHORT_PIECES && bytes < pieces * PIECE_BYTES) socket.destroy();
  });
}

/**
 * When a connection closes, Node emits `close` only for the response that is being sent. The responses of pipelined
 * requests behind it hold places and streams too, which are released by that event.
 */
function tellOfClose({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket) return;
  const tell = (): boolean => response.emit('close');
  // As many as there are pipelined requests.
  socket.setMaxListeners(0).once('close', tell);
  response.once('socket', () => socket.off('close', tell));
}

/** Clients send a request after the response to the last one. Few proxies send more, and those few at a time. */
const REQUESTS_AT_ONCE = 16;

/**
 * Node hands over all requests of one piece of a connection in one turn of the event loop: thousands, each with a route
 * to find. What comes after too many of them is not handled, and the connection is closed.
 */
function refusePipelines(server: Server): void {
  const counts = new WeakMap<Socket, number>();
  const emit = server.emit.bind(server) as (event: string, ...given: unknown[]) => boolean;
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...given);
    const [{ socket }, response] = given as [IncomingMessage, ServerResponse];
    const count = counts.get(socket) ?? 0;
    if (socket.destroyed) return true;
    if (count === REQUESTS_AT_ONCE) return socket.destroy().destroyed;
    counts.set(socket, count + 1);
    response.once('close', () => counts.set(socket, counts.get(socket)! - 1));
    return emit(event, ...given);
  };
}

/**
 * A stream lasts as long as it has something to send, but each piece must be read in the time that a whole response
 * has, or in twice that time. The timeout of an idle connection is not enough: a caller that reads a few bytes now and
 * then would keep its place among the exports, and what waits for it, for days.
 */
function endUnread(raw: ServerResponse, timeoutMs: number): void {
  let hasWaited = false;
  const timer = setInterval(() => {
    // Not the response: that of a pipelined request has no connection before its turn.
    if (hasWaited) raw.req.socket.destroy();
    hasWaited = raw.writableNeedDrain;
  }, timeoutMs);
  raw.on('drain', () => (hasWaited = false));
  raw.once('close', () => clearInterval(timer));
}

/** The caller may have called a trigger endpoint, whose 400 has additional fields. */
const ANY_ROUTE = { triggers: true };

/** A person opens an address that is not known; programs do not accept HTML. */
export const asksForPage = ({ method, is404, headers }: FastifyRequest): boolean =>
  is404 && method === 'GET' && headers.accept?.includes('text/html') === true;

function faultOfTarget(request: FastifyRequest): DomainError | undefined {
  const { method, is404 } = request;
  const { url = '' } = request.raw;
  if (!url.startsWith('/'))
    return new DomainError('bad_request', 'The request target must be a path, such as /v2/topics');
  if (url.length > LIMITS.url) return new DomainError('uri_too_long', tooLong(url.length));
  if (is404 && !asksForPage(request)) return new DomainError('not_found', `Cannot ${method} ${url}`);
  return undefined;
}

const LONG_PARAMETER = `A parameter of the path has more than ${LIMITS.pathParameter} characters`;
const tooLong = (length: number): string => `The URL has ${length} characters, at most ${LIMITS.url} are accepted`;

/** Closing at once would reset the connection before the caller has read the response. */
const LINGER_MS = 5_000;

function cutOff(request: IncomingMessage): void {
  if (!request.complete) request.socket.destroy();
}

/** Keeps a well-formed request id of the caller, so that both systems log the same id. */
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

/** Whether the parser stopped inside the request line, which means that the URL was too long. */
function isUrlOverflow({ code, bytesParsed = 0, rawPacket }: ParserError): boolean {
  if (code !== 'HPE_HEADER_OVERFLOW' || !Buffer.isBuffer(rawPacket)) return false;
  const parsed = rawPacket.subarray(0, bytesParsed).toString('latin1');
  return /^[A-Z-]+ /.test(parsed) && !parsed.includes('\r\n');
}

/** Answers what Node rejects before there is a request: large headers, bytes that are not HTTP, timeouts. */
function refuseConnection(error: ParserError, socket: Socket): number {
  const status = isUrlOverflow(error) ? 414 : (STATUS_OF_PARSER[error.code ?? ''] ?? 400);
  answerRaw(socket, { status });
  return status;
}

const STATUS_OF_PARSER: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
