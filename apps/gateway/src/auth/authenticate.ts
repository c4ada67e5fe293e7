import { DomainError, type KeyScope } from '@clarion/contracts';
import type { FastifyRequest } from 'fastify';
import type { KeyDirectory } from './key-directory';

const unauthorized = (message: string): DomainError => new DomainError('unauthorized', message);

/**
 * Runs before the body is read, so a caller without a key cannot make us parse anything. The scheme is case sensitive.
 */
export async function authenticate(request: FastifyRequest, keys: KeyDirectory): Promise<void> {
  const header = request.headers.authorization;
  if (!header) throw unauthorized('Missing authorization header');
  const space = header.indexOf(' ');
  const scheme = space < 0 ? header : header.slice(0, space);
  if (scheme !== 'ApiKey') throw unauthorized(`Invalid authentication scheme: "${scheme.slice(0, 40)}"`);
  const key = space < 0 ? '' : header.slice(space + 1).trim();
  const owner = key === '' ? undefined : await keys.find(key);
  if (!owner) throw unauthorized('API Key not found');
  checkScope(owner.scope, request);
  request.owner = owner;
}

function checkScope(scope: KeyScope, request: FastifyRequest): void {
  switch (scope) {
    case 'full':
      return;
    case 'read':
      if (request.method === 'GET' || request.method === 'HEAD') return;
      break;
    case 'trigger':
      if (request.url.startsWith('/v1/events/')) return;
      break;
  }
  throw new DomainError(
    'forbidden',
    `This API key has the scope "${scope}" and may not ${request.method} this resource`,
  );
}
