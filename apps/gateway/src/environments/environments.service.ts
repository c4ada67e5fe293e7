import { Injectable } from '@nestjs/common';
import {
  type ApiKeyDto,
  type CreateApiKeyDto,
  type CreatedApiKeyDto,
  type CreateEnvironmentDto,
  DomainError,
  type EnvironmentDto,
  type KeyScope,
  type UpdateEnvironmentDto,
} from '@clarion/contracts';
import {
  type ApiKeySummary,
  Database,
  type Environment,
  EnvironmentRepository,
  type KeyOwner,
} from '@clarion/persistence';
import { hashApiKey } from '@clarion/platform';
import { KeyDirectory } from '../auth/key-directory';
import { withoutNulls } from '../http/page';
import { scopeCovers } from '../http/route-policy';
import { EnvironmentAdmin, type EnvironmentWithKey } from './environment-admin';

@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly admin: EnvironmentAdmin,
    private readonly keys: KeyDirectory,
  ) {}

  /** An admin key sees all environments of its organization, any other key only its own. */
  async list(owner: KeyOwner): Promise<EnvironmentDto[]> {
    if (owner.scope !== 'admin') return [await this.current(owner)];
    return (await this.environments.list(owner.organizationId)).map((environment) => toEnvironmentDto(environment));
  }

  async current(owner: KeyOwner): Promise<EnvironmentDto> {
    return toEnvironmentDto(await this.managed(owner, owner.environmentId));
  }

  async create(owner: KeyOwner, input: CreateEnvironmentDto): Promise<EnvironmentDto> {
    return createdEnvironmentDto(await this.admin.createEnvironment(owner.organizationId, input));
  }

  async update(owner: KeyOwner, environmentId: string, changes: UpdateEnvironmentDto): Promise<EnvironmentDto> {
    const { id } = await this.managed(owner, environmentId);
    const updated = await this.admin.updateEnvironment(owner.organizationId, id, changes);
    // Owners of keys are remembered with the settings of their environment.
    this.database.afterCommit(() => this.keys.forget());
    return toEnvironmentDto(updated);
  }

  async listKeys(owner: KeyOwner, environmentId: string): Promise<ApiKeyDto[]> {
    const environment = await this.managed(owner, environmentId);
    return (await this.environments.listKeys(environment.id)).map(toApiKeyDto);
  }

  async createKey(owner: KeyOwner, environmentId: string, input: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const environment = await this.managed(owner, environmentId);
    checkCovers(owner, input.scope ?? 'full', 'create');
    const { key, summary } = await this.admin.createKey(environment, input);
    return { ...toApiKeyDto(summary), key };
  }

  async revokeKey(owner: KeyOwner, environmentId: string, keyId: string): Promise<void> {
    const environment = await this.managed(owner, environmentId);
    await this.database.transaction(async () => {
      const key = await this.environments.findKey(environment.id, keyId);
      if (!key) throw keyNotFound(keyId);
      checkCovers(owner, key.scope, 'revoke');
      if (key.scope === 'admin' && (await this.environments.countOtherAdminKeys(owner.organizationId, keyId)) === 0) {
        throw new DomainError(
          'conflict',
          'This is the last API key with the scope "admin" of the organization. Create another one first; the command ' +
            `line can also revoke the last one: npm run clarion -- keys revoke ${keyId}`,
        );
      }
      if (!(await this.environments.revokeKey(environment.id, keyId))) throw keyNotFound(keyId);
    });
    this.database.afterCommit(() => this.keys.forget());
  }

  /** An environment that the key may manage. Any other answers exactly like a missing one. */
  private async managed(owner: KeyOwner, environmentId: string): Promise<Environment> {
    const mayManage = environmentId === owner.environmentId || owner.scope === 'admin';
    const environment = mayManage ? await this.environments.find(owner.organizationId, environmentId) : undefined;
    if (!environment) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    return environment;
  }
}

/** A key manages keys of its own scope or a narrower one. */
function checkCovers(owner: KeyOwner, scope: KeyScope, verb: 'create' | 'revoke'): void {
  if (scopeCovers(owner.scope, [scope])) return;
  throw new DomainError(
    'forbidden',
    `This API key has the scope "${owner.scope}" and may not ${verb} a key of the scope "${scope}"`,
  );
}

const keyNotFound = (keyId: string): DomainError => new DomainError('not_found', `API key ${keyId} was not found`);

/** With the key, which is shown now and never again. */
export function createdEnvironmentDto({ environment, key }: EnvironmentWithKey): EnvironmentDto {
  return {
    ...toEnvironmentDto(environment),
    apiKeys: [{ key, _userId: environment.organizationId, hash: hashApiKey(key).toString('hex') }],
  };
}

function toEnvironmentDto(row: Environment): EnvironmentDto {
  return {
    _id: row.id,
    name: row.name,
    _organizationId: row.organizationId,
    identifier: row.identifier,
    type: row.type,
    ...(row.color && { color: row.color }),
    ...(row.parentId && { _parentId: row.parentId }),
    dialect: row.dialect,
    allowRecipientOverrides: row.allowRecipientOverrides,
    slug: `${row.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}_env_${row.id}`,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toApiKeyDto(row: ApiKeySummary): ApiKeyDto {
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString(),
    revokedAt: row.revokedAt?.toISOString(),
  });
}
