import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Dialect, TraceContext } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { LogFields, Span } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication hook on every route that takes a key. */
    owner?: KeyOwner;
    /** How the caller wants brand values and single objects written; see dialect.interceptor.ts. */
    dialect?: Dialect;
    /** Length of the body as it came in. */
    bodyBytes?: number;
    /** The trace that it is part of. */
    trace?: TraceContext;
    /** Of a request that triggers something, while traces are recorded. */
    span?: Span;
    /** What every line says that is written on its way. */
    logFields: LogFields;
  }
}

/** The environment, organization and key behind this request. */
export const Owner = createParamDecorator((_: unknown, context: ExecutionContext): KeyOwner => {
  const { owner } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!owner) throw new Error('a route without authentication asked for the owner of the key');
  return owner;
});
