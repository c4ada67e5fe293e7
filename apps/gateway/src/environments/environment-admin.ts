import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  BUILT_IN_PROVIDER,
  DEMO_PROVIDERS,
  DomainError,
  type EnvironmentType,
  type KeyScope,
  newId,
} from '@clarion/contracts';
import {
  type ApiKeySummary,
  type BuiltInIntegration,
  Database,
  type Environment,
  EnvironmentRepository,
  type Organization,
} from '@clarion/persistence';
import { apiKeyPrefix, generateApiKey, hashApiKey, sealApiKey, SecretBox } from '@clarion/platform';
import { describeProvider } from '@clarion/providers';

export type NewEnvironment = { name: string; type?: EnvironmentType; color?: string; parentId?: string | null };
export type EnvironmentWithKey = { environment: Environment; key: string };

/** The in-app integration, and the demo providers until there are real ones. */
const BUILT_IN: BuiltInIntegration[] = [
  { providerId: BUILT_IN_PROVIDER, channel: 'in_app', name: 'In-App', priority: 1 },
  ...DEMO_PROVIDERS.map((providerId) => {
    const { channel, displayName: name } = describeProvider(providerId);
    return { providerId, channel, name, priority: 0 };
  }),
];

/**
 * Environments and keys, for the HTTP interface, the command line and the first start alike. A key is kept as a hash to look
 * it up by and as ciphertext to check the inbox signature with; its text leaves this class once.
 */
@Injectable()
export class EnvironmentAdmin {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Makes the default organization, a Development environment, its key and the built-in integrations, unless they exist.
   * Undefined when they do: the key cannot be shown again.
   */
  ensureDefaults(apiKey?: string): Promise<EnvironmentWithKey | undefined> {
    return this.database.transaction(async () => {
      await this.environments.lockBootstrap();
      if (await this.environments.findOrganization()) return undefined;
      const organization = await this.environments.insertOrganization('Default');
      return this.createEnvironment(organization.id, { name: 'Development', type: 'dev' }, apiKey);
    });
  }

  async organization(): Promise<Organization> {
    const organization = await this.environments.findOrganization();
    if (!organization)
      throw new DomainError('not_found', 'There is no organization yet: run the migrate command first');
    return organization;
  }

  createEnvironment(organizationId: string, input: NewEnvironment, apiKey?: string): Promise<EnvironmentWithKey> {
    return this.database.transaction(async () => {
      if (input.parentId && !(await this.environments.find(organizationId, input.parentId))) {
        throw new DomainError('not_found', `Environment ${input.parentId} was not found`);
      }
      const environment = await this.environments.insert({
        organizationId,
        name: input.name,
        identifier: `env_${randomBytes(9).toString('base64url')}`,
        type: input.type ?? 'prod',
        color: input.color,
        parentId: input.parentId,
      });
      if (!environment) throw new DomainError('conflict', `Environment with name "${input.name}" already exists`);
      await this.environments.insertBuiltInIntegrations(environment.id, BUILT_IN);
      const { key } = await this.createKey(environment, { name: 'default' }, apiKey);
      return { environment, key };
    });
  }

  async createKey(
    environment: Environment,
    options: { name?: string; scope?: KeyScope },
    apiKey?: string,
  ): Promise<{ key: string; summary: ApiKeySummary }> {
    const key = apiKey ?? generateApiKey(environment.name);
    const id = newId();
    const summary = await this.environments.insertKey(environment.id, {
      id,
      name: options.name ?? 'key',
      scope: options.scope ?? 'full',
      prefix: apiKeyPrefix(key),
      hash: hashApiKey(key),
      encryptedKey: sealApiKey(this.secrets, environment.id, id, key),
    });
    return { key, summary };
  }
}
