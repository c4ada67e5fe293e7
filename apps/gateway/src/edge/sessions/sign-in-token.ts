import { randomBytes } from 'node:crypto';
import { type EnvironmentId, LIMITS } from '@clarion/contracts';
import type { EnvironmentRepository, SessionRepository } from '@clarion/persistence';
import { sha256 } from '@clarion/platform';

/** A token for one session with the rights of the oldest admin key, if one is left. It replaces the earlier token. */
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
