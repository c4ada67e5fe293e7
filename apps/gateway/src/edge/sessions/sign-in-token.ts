import { randomBytes } from 'node:crypto';
import { type EnvironmentId, LIMITS } from '@clarion/contracts';
import type { EnvironmentRepository, SessionRepository } from '@clarion/persistence';
import { sha256 } from '@clarion/platform';

/**
 * Makes a token that opens one session with the rights of the oldest admin key of the environment. It replaces the
 * earlier token of the key. Undefined if no such key is left.
 */
export async function makeSignInToken(
  environments: EnvironmentRepository,
  sessions: SessionRepository,
  environmentId: EnvironmentId,
): Promise<string | undefined> {
  const key = (await environments.listKeys(environmentId)).find(
    ({ scope, revokedAt, expiresAt }) =>
      scope === 'admin' && revokedAt === null && (expiresAt === null || expiresAt.getTime() > Date.now()),
  );
  if (!key) return undefined;
  const token = randomBytes(32).toString('base64url');
  await sessions.replaceToken(key.id, sha256(token), LIMITS.signInTokenHours);
  return token;
}
