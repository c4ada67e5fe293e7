import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { SubscriberRepository } from '@clarion/persistence';
import type { FastifyRequest } from 'fastify';
import { ForInbox } from '../edge/http/route-policy';
import { inboxUnauthorized } from '../edge/auth/inbox-tokens';
import { type Inbox, inboxOf } from './inbox.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by InboxGuard: the inbox that the token of the session opens. */
    inbox?: Inbox;
  }
}

/** Loads the subscriber of the token. A token ends with its subscriber. */
@Injectable()
class InboxGuard implements CanActivate {
  constructor(private readonly subscribers: SubscriberRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { environmentId, organizationId, subscriberRowId, contextKeys, signer } = request.inboxCaller!;
    const [subscriber] = await this.subscribers.findByIds(environmentId, [subscriberRowId]);
    if (!subscriber) throw inboxUnauthorized('The subscriber of this inbox session was deleted');
    request.inbox = inboxOf(signer, { environmentId, organizationId, subscriber, contextKeys });
    return true;
  }
}

/**
 * For every controller under `/v1/inbox`, in any module: its routes need the token of an inbox session, answer pages of
 * the allowed origins and always wrap their response in `data`. A handler gets the subscriber by `@OwnInbox()`.
 */
export const InboxRoutes = (): ClassDecorator =>
  applyDecorators(ForInbox(), UseGuards(InboxGuard), ApiSecurity('InboxToken'), ApiTags('inbox'));

/** The inbox of the caller: environment, subscriber and contexts of the token. */
export const OwnInbox = createParamDecorator((_: unknown, context: ExecutionContext): Inbox => {
  return context.switchToHttp().getRequest<FastifyRequest>().inbox!;
});
