import { DomainError, type EnvironmentId, invalidField, isId } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { FastifyRequest } from 'fastify';
import { checkScope, type RoutePolicy } from '../http/route-policy';
import { checkForgery } from './forgery';
import type { KeyDirectory } from './key-directory';
import { checkKeyLimits } from './key-limits';
import { readSessionCookie } from './session-cookie';
import type { OperatorKey } from './operator';
import type { SessionDirectory } from './session-directory';
import type { WrongKeys } from './wrong-keys';

export type Directories = {
  keys: KeyDirectory;
  sessions: SessionDirectory;
  operatorKey: OperatorKey;
  wrongKeys: WrongKeys;
};

const unauthorized = (message: string): DomainError => new DomainError('unauthorized', message);

/** Runs before the body is read. A caller has an API key or, if it sends none, the cookie of a session. */
export async function authenticate(
  request: FastifyRequest,
  policy: RoutePolicy,
  directories: Directories,
): Promise<void> {
  const { authorization } = request.headers;
  const cookie = authorization ? undefined : readSessionCookie(request.headers);
  const key = cookie ? undefined : readKey(authorization);
  if (key !== undefined && directories.operatorKey.matches(key)) {
    checkScope(request, 'operator', policy);
    request.operator = await directories.operatorKey.callerIn(wantedEnvironment(request));
    return;
  }
  const owner = cookie
    ? await ownerOfSession(request, cookie, directories)
    : await ownerOfKey(request, key!, directories);
  checkKeyLimits(owner, request.ip);
  checkScope(request, owner.scope, policy);
  request.owner = owner;
}

/** The scheme is case-sensitive. */
function readKey(header: string | undefined): string {
  if (!header) throw unauthorized('Missing authorization header');
  const space = header.indexOf(' ');
  // The error does not repeat the header: a key sent without its scheme would end up in logs and error reports.
  if ((space < 0 ? header : header.slice(0, space)) !== 'ApiKey') throw unauthorized('Invalid authentication scheme');
  const key = space < 0 ? '' : header.slice(space + 1).trim();
  if (key === '') throw unauthorized('API Key not found');
  return key;
}

async function ownerOfKey(request: FastifyRequest, key: string, { keys, wrongKeys }: Directories): Promise<KeyOwner> {
  const owner = await keys.find(key, wrongKeys.isGuessing(request.ip));
  if (!owner) throw wrongKeys.refuse(request.ip);
  const wanted = wantedEnvironment(request);
  // Not ignored: the caller would work in another environment than it believes.
  if (wanted !== undefined && wanted !== owner.environmentId) {
    throw new DomainError('forbidden', 'Clarion-Environment is for sessions: an API key has one environment');
  }
  return owner;
}

async function ownerOfSession(request: FastifyRequest, secret: string, { sessions }: Directories): Promise<KeyOwner> {
  checkForgery(request);
  const wanted = wantedEnvironment(request);
  const session = await sessions.find(secret, wanted);
  if (!session) throw unauthorized('The session has ended: sign in again');
  const { owner, ...rest } = session;
  if (!owner) throw new DomainError('not_found', `Environment ${wanted} was not found`);
  request.session = rest;
  return owner;
}

const ENVIRONMENT_HEADER = 'Clarion-Environment';

function wantedEnvironment({ headers }: FastifyRequest): EnvironmentId | undefined {
  const wanted = headers[ENVIRONMENT_HEADER.toLowerCase()];
  if (wanted === undefined || wanted === '') return undefined;
  if (typeof wanted !== 'string' || !isId(wanted)) {
    throw invalidField(ENVIRONMENT_HEADER, `${ENVIRONMENT_HEADER} must be a UUID`, wanted);
  }
  return wanted.toLowerCase() as EnvironmentId;
}
