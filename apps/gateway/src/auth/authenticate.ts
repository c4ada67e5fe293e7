import { DomainError } from '@clarion/contracts';
import type { FastifyRequest } from 'fastify';
import { checkScope, type RoutePolicy } from '../http/route-policy';
import type { KeyDirectory } from './key-directory';
import { checkKeyLimits } from './key-limits';
import type { WrongKeys } from './wrong-keys';

const unauthorized = (message: string): DomainError => new DomainError('unauthorized', message);

/** Runs before the body is read, so no body is parsed for a caller without a key. The scheme is case-sensitive. */
export async function authenticate(
  request: FastifyRequest,
  policy: RoutePolicy,
  { keys, wrongKeys }: { keys: KeyDirectory; wrongKeys: WrongKeys },
): Promise<void> {
  const header = request.headers.authorization;
  if (!header) throw unauthorized('Missing authorization header');
  const space = header.indexOf(' ');
  // The error does not repeat the header: a key sent without its scheme would end up in logs and error reports.
  if ((space < 0 ? header : header.slice(0, space)) !== 'ApiKey') throw unauthorized('Invalid authentication scheme');
  const key = space < 0 ? '' : header.slice(space + 1).trim();
  if (key === '') throw unauthorized('API Key not found');
  const owner = await keys.find(key, wrongKeys.isGuessing(request.ip));
  if (!owner) throw wrongKeys.refuse(request.ip);
  checkKeyLimits(owner, request.ip);
  checkScope(request, owner.scope, policy);
  request.owner = owner;
}
