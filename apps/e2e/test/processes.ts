import { EnvironmentAdmin } from '@clarion/gateway';
import { type Environment, EnvironmentRepository } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import type { TestDatabase } from '@clarion/testing';

/** Creates the default organization and environment, whose secrets are encrypted with these keys. */
export async function createDefaults(
  { database }: TestDatabase,
  encryptionKeys: string,
): Promise<{ environment: Environment; key: string }> {
  const admin = new EnvironmentAdmin(database, new EnvironmentRepository(database), new SecretBox(encryptionKeys));
  return (await admin.ensureDefaults())!;
}
