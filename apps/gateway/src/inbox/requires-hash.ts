import type { Integration } from '@clarion/persistence';
import { openIntegration, type SecretBox } from '@clarion/platform';

/**
 * Whether the in-app integration demands signatures (`hmac`), as clients of the interface set it. A setting that cannot
 * be read counts as set, because a session without a hash would then be open to everyone.
 */
export function requiresHash(
  secrets: SecretBox,
  integration: Pick<Integration, 'id' | 'environmentId' | 'credentials' | 'configurations'>,
): boolean {
  const { credentials, unreadable } = openIntegration(secrets, integration);
  return credentials.hmac === true || unreadable.credentials.includes('hmac');
}
