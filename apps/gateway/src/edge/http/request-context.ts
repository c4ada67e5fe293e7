import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Dialect, TraceContext } from '@clarion/contracts';
import type { Integration, KeyOwner, RequestSession } from '@clarion/persistence';
import type { LogFields, Span } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import type { Caller, Operator } from '../auth/operator';
import type { InboxClaims } from '../auth/inbox-tokens';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on every route that takes a key, unless it is that of the operator. */
    owner?: KeyOwner;
    /** Set by the same hook when the caller has the key of the operator. */
    operator?: Operator;
    /** Set by the same hook on routes of the inbox: what the token of the session opens. */
    inboxCaller?: InboxClaims & { organizationId: string };
    /** Set by the same hook on routes that providers call. */
    calledIntegration?: Integration;
    /** Set when the caller was authenticated by the cookie of a session. */
    session?: RequestSession;
    /** How built-in names and single objects are written in the response; see dialect.interceptor.ts. */
    dialect?: Dialect;
    /** The environment asks for the interface, so the response has no other values than those it names. */
    isStrictDialect?: boolean;
    bodyBytes?: number;
    trace?: TraceContext;
    /** Set on triggers while traces are recorded. */
    span?: Span;
    /** Fields that every log line of the request carries. */
    logFields: LogFields;
  }
}

export const Owner = createParamDecorator((_: unknown, context: ExecutionContext): KeyOwner => {
  const { owner } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!owner) throw new Error('a route without authentication asked for the owner of the key');
  return owner;
});

/** The key behind this request, or the operator; for routes that declare the scope `operator`. */
export const CalledBy = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { owner, operator } = context.switchToHttp().getRequest<FastifyRequest>();
  const caller = operator ?? owner;
  if (!caller) throw new Error('a route without authentication asked for its caller');
  return caller;
});
