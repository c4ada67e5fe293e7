import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

const HAS_DRY_RUN = 'clarion:has-dry-run';

/** For operations that `?dryRun=true` keeps from having any effect. */
export const HasDryRun = (): MethodDecorator => SetMetadata(HAS_DRY_RUN, true);

/** Such a request stores nothing, so there is nothing that a repetition could do twice. */
export function isWithoutEffect(context: ExecutionContext): boolean {
  if (Reflect.getMetadata(HAS_DRY_RUN, context.getHandler()) !== true) return false;
  const { query } = context.switchToHttp().getRequest<FastifyRequest<{ Querystring: { dryRun?: unknown } }>>();
  return query.dryRun === 'true';
}
