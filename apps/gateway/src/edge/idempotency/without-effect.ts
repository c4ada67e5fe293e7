import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const HAS_DRY_RUN = 'clarion:has-dry-run';

/** For operations that have no effect with `?dryRun=true`. */
export const HasDryRun = (): MethodDecorator => SetMetadata(HAS_DRY_RUN, true);

/** A dry run stores nothing, so it needs no idempotency key. */
export function isWithoutEffect(context: ExecutionContext): boolean {
  if (Reflect.getMetadata(HAS_DRY_RUN, context.getHandler()) !== true) return false;
  const { query } = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: { dryRun?: unknown } }>>();
  return query.dryRun === 'true';
}
