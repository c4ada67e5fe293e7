import type { CredentialsDto, ProviderId } from '@clarion/contracts';
import type { Egress } from '@clarion/platform';
import { providerFor, type SendResult } from '@clarion/providers';

/** Lets the provider check the credentials. Undefined if it has no API for that. */
export async function askProvider(
  egress: Egress,
  providerId: ProviderId,
  credentials: CredentialsDto,
): Promise<SendResult | undefined> {
  return providerFor(providerId)?.check?.(credentials, {
    ...egress.portsFor(providerId),
    overrides: {},
    now: () => new Date(),
  });
}
