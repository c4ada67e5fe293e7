import { Injectable } from '@nestjs/common';
import { DomainError } from '@clarion/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup } from '../edge/auth/wrong-keys';
import { allowOrigin, checkOrigin, describePermission } from './cors';
import { InboxEnvironments } from './inbox-environments';
import { inboxUnauthorized, InboxTokens } from '../edge/auth/inbox-tokens';

/** Decides before the body is read whether a request to a route of the inbox may go on. */
@Injectable()
export class InboxAdmission {
  constructor(
    private readonly tokens: InboxTokens,
    private readonly environments: InboxEnvironments,
  ) {}

  /** Whose requests are limited: the subscriber or, for a new session, the address. Preflights have none. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    allowOrigin(request, reply);
    if (request.method === 'OPTIONS') {
      describePermission(reply);
      return undefined;
    }
    if (request.policy!.access === 'inboxSession') return addressGroup(request.ip);
    const claims = this.tokens.verify(bearerOf(request));
    const environment = await this.environments.findForSession(claims);
    checkOrigin(environment, request, reply);
    if (!claims.signer && !request.policy!.allowsUnsigned) throw unsigned(request);
    request.inboxCaller = { ...claims, organizationId: environment.organizationId };
    // A stranger with an unsigned session of the subscriber must not use up its requests.
    return claims.signer ? claims.subscriberRowId : `${claims.subscriberRowId} ${addressGroup(request.ip)}`;
  }
}

const unsigned = ({ method }: FastifyRequest): DomainError =>
  new DomainError(
    'forbidden',
    `This inbox session is unsigned and may not ${method} this resource: open one with a subscriberHash`,
  );

function bearerOf({ headers: { authorization = '' } }: FastifyRequest): string {
  const [, token] = /^Bearer +([\w.-]+) *$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw inboxUnauthorized('The inbox needs the token of a session: Authorization: Bearer <token>');
  }
  return token;
}
