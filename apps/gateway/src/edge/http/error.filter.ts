import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { DomainError, ERROR_STATUS } from '@clarion/contracts';
import { isDatabaseUnavailable, isLockTimeout, isStatementTimeout, isUnstorableValue } from '@clarion/persistence';
import { FaultLog } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoutePolicy } from './route-policy';

type Answer = { status: number; message: string; extra: Record<string, unknown>; headers: Record<string, string> };

export const REASONS: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Expected errors keep their message; unexpected ones show only an error id. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private faults: FaultLog | undefined;

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const answer = describeError(error, request.policy);
    if (isDatabaseUnavailable(error)) {
      // Every request meets this fault. The answer says all about the single one.
      this.faults ??= new FaultLog(request.server.log);
      this.faults.report(`${unavailability(error)}. Requests get 503 and should be repeated.`, error);
    } else if (answer.status >= 500) {
      request.log.error({ err: error, errorId: answer.extra['errorId'] }, answer.message);
    }
    void reply
      .status(answer.status)
      .headers(answer.headers)
      .type('application/json; charset=utf-8')
      .send(errorBody(answer, request));
  }
}

export function errorBody(
  answer: Pick<Answer, 'status' | 'message' | 'extra'>,
  { url, policy }: { url: string; policy?: Pick<RoutePolicy, 'triggers'> | undefined },
): Record<string, unknown> {
  const error = REASONS[answer.status] ?? 'Error';
  return {
    statusCode: answer.status,
    timestamp: new Date().toISOString(),
    path: url,
    message: answer.message,
    error,
    ctx: { error },
    ...answer.extra,
    // Clients of this interface read `errors` of every 422 as a map and fail if it is absent.
    ...(answer.status === 422 && { errors: answer.extra['errors'] ?? {} }),
    ...(answer.status === 400 && policy?.triggers && triggerRefusal(answer)),
  };
}

/** A 400 of the trigger endpoints always has a `type` and a list of errors; clients cannot parse it otherwise. */
function triggerRefusal({ message, extra }: Pick<Answer, 'message' | 'extra'>): { type: unknown; errors: unknown[] } {
  const { type = 'BAD_REQUEST', errors } = extra;
  if (Array.isArray(errors)) return { type, errors };
  return { type, errors: Object.keys(errors ?? { body: true }).map((field) => ({ field, message })) };
}

export function describeError(error: unknown, policy?: RoutePolicy): Answer {
  const answer = describe(error, policy);
  return answer.status === 401 ? { ...answer, headers: { ...CHALLENGE, ...answer.headers } } : answer;
}

const CHALLENGE = { 'WWW-Authenticate': 'ApiKey realm="clarion"' };

function unavailability(error: unknown): string {
  if (isStatementTimeout(error)) return 'The database took too long for this request';
  if (isLockTimeout(error)) return 'The database waited too long for rows that another request changes';
  return 'The database does not answer';
}

function describe(error: unknown, policy?: RoutePolicy): Answer {
  if (error instanceof DomainError) {
    return { status: ERROR_STATUS[error.code], message: error.message, extra: error.extra, headers: error.headers };
  }
  if (error instanceof HttpException) {
    if (error.getStatus() === 413 && policy) return describe(tooLarge('more', policy));
    return { status: error.getStatus(), message: error.message, extra: {}, headers: {} };
  }
  if (isDatabaseUnavailable(error)) {
    return {
      status: 503,
      message: `${unavailability(error)}, please retry${isStatementTimeout(error) ? ', or ask for less at once' : ''}`,
      extra: {},
      headers: { 'Retry-After': '1' },
    };
  }
  if (isUnstorableValue(error)) {
    return {
      status: 422,
      message: 'Validation Error',
      extra: { errors: { general: { messages: ['a value is out of range'] } } },
      headers: {},
    };
  }
  const status = fastifyStatus(error);
  if (status !== undefined && status < 500)
    return { status, message: (error as Error).message, extra: {}, headers: {} };
  return {
    status: 500,
    message: 'Internal server error, contact support and provide them with the errorId',
    extra: { errorId: randomUUID() },
    headers: {},
  };
}

export const tooLarge = (bytes: number | 'more', { bodyLimit }: RoutePolicy): DomainError =>
  new DomainError(
    'too_large',
    bytes === 'more'
      ? `The body is too large, at most ${bodyLimit} bytes are accepted`
      : `The body has ${bytes} bytes, at most ${bodyLimit} are accepted`,
  );

/** Errors that Fastify raises (media type, malformed URL, length) carry the HTTP status. */
function fastifyStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
