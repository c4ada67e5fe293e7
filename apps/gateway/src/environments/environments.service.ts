import { Injectable } from '@nestjs/common';
import {
  type ApiKeyDto,
  type CreateApiKeyDto,
  type CreatedApiKeyDto,
  type CreateEnvironmentDto,
  DomainError,
  type EnvironmentDto,
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
import { EnvironmentAdmin } from './environment-admin';

@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly admin: EnvironmentAdmin,
    private readonly keys: KeyDirectory,
  ) {}

  async list(owner: KeyOwner): Promise<EnvironmentDto[]> {
    return (await this.environments.list(owner.organizationId)).map((environment) => toEnvironmentDto(environment));
  }

  async current(owner: KeyOwner): Promise<EnvironmentDto> {
    return toEnvironmentDto(await this.ofOrganization(owner, owner.environmentId));
  }

  async create(owner: KeyOwner, input: CreateEnvironmentDto): Promise<EnvironmentDto> {
    const { environment, key } = await this.admin.createEnvironment(owner.organizationId, input);
    return {
      ...toEnvironmentDto(environment),
      apiKeys: [{ key, _userId: owner.organizationId, hash: hashApiKey(key).toString('hex') }],
    };
  }

  async listKeys(owner: KeyOwner, environmentId: string): Promise<ApiKeyDto[]> {
    const environment = await this.ofOrganization(owner, environmentId);
    return (await this.environments.listKeys(environment.id)).map(toApiKeyDto);
  }

  async createKey(owner: KeyOwner, environmentId: string, input: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    const environment = await this.ofOrganization(owner, environmentId);
    const { key, summary } = await this.admin.createKey(environment, input);
    return { ...toApiKeyDto(summary), key };
  }

  async revokeKey(owner: KeyOwner, environmentId: string, keyId: string): Promise<void> {
    const environment = await this.ofOrganization(owner, environmentId);
    if (!(await this.environments.revokeKey(environment.id, keyId))) {
      throw new DomainError('not_found', `API key ${keyId} was not found`);
    }
    this.database.afterCommit(() => this.keys.forget());
  }

  private async ofOrganization(owner: KeyOwner, environmentId: string): Promise<Environment> {
    const environment = await this.environments.find(owner.organizationId, environmentId);
    if (!environment) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    return environment;
  }
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
