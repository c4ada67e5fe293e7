import type { Integration } from '@clarion/persistence';
import { openIntegration, type SecretBox } from '@clarion/platform';

/** Whether the in-app integration demands signatures. An unreadable setting counts as set, which is the safe side. */
export function requiresHash(
  secrets: SecretBox,
  integration: Pick<Integration, 'id' | 'environmentId' | 'credentials' | 'configurations'>,
): boolean {
  const { credentials, unreadable } = openIntegration(secrets, integration);
  return credentials.hmac === true || unreadable.credentials.includes('hmac');
}
