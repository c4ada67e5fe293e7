import { Injectable } from '@nestjs/common';
import {
  type CreateTenantDto,
  DomainError,
  type ListTenantsQuery,
  type PatchTenantDto,
  type TenantDto,
  type TenantListDto,
  pick,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  type LeftOut,
  type Tenant,
  TENANT_IDENTIFIER,
  TenantRepository,
  violatedUniqueConstraint,
} from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { numberedPage, pageEnvelope } from '../../edge/http/numbered-page';
import { withoutNulls } from '../../edge/http/page';

@Injectable()
export class TenantsService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantRepository,
    private readonly audit: AuditLog,
  ) {}

  async create(owner: KeyOwner, input: CreateTenantDto): Promise<TenantDto> {
    const inserted = await this.database.transaction(async () => {
      const tenant = await this.tenants.insert(owner.environmentId, input);
      if (tenant) await this.audit.record(owner, { resource: 'tenant', id: tenant.id, after: tenant });
      return tenant;
    });
    if (inserted) return toTenantDto(inserted);
    const existing = await this.tenants.find(owner.environmentId, input.identifier);
    throw taken(input.identifier, existing);
  }

  async list(owner: KeyOwner, query: ListTenantsQuery): Promise<TenantListDto> {
    return pageEnvelope(query, await this.tenants.list(owner.environmentId, numberedPage(query)), toTenantDto);
  }

  async retrieve(owner: KeyOwner, identifier: string): Promise<TenantDto> {
    return toTenantDto(found(await this.tenants.find(owner.environmentId, identifier), identifier));
  }

  patch(owner: KeyOwner, identifier: string, input: PatchTenantDto): Promise<TenantDto> {
    return this.database.transaction(async () => {
      const before = found(await this.tenants.lock(owner.environmentId, identifier), identifier);
      try {
        const changed = await this.database.attempt(() => this.tenants.update(owner.environmentId, identifier, input));
        const after = found(changed, identifier);
        await this.audit.record(owner, { resource: 'tenant', id: before.id, before, after });
        return toTenantDto(after);
      } catch (error) {
        if (violatedUniqueConstraint(error) === TENANT_IDENTIFIER) throw taken(input.identifier!);
        throw error;
      }
    });
  }

  delete(owner: KeyOwner, identifier: string): Promise<void> {
    return this.database.transaction(async () => {
      const before = found(await this.tenants.lock(owner.environmentId, identifier), identifier);
      await this.tenants.delete(owner.environmentId, identifier);
      await this.audit.record(owner, { resource: 'tenant', id: before.id, before });
    });
  }
}

function found(tenant: Tenant | undefined, identifier: string): Tenant {
  if (!tenant) throw notFound(identifier);
  return tenant;
}

const notFound = (identifier: string): DomainError =>
  new DomainError('not_found', `Tenant ${identifier} was not found`);

const taken = (identifier: string, existing?: Tenant): DomainError =>
  new DomainError('conflict', `Tenant with identifier "${identifier}" already exists`, {
    ...(existing && toTenantDto(existing)),
  });

function toTenantDto(row: Tenant & Partial<LeftOut>): TenantDto {
  return withoutNulls({
    _id: row.id,
    ...pick(row, 'identifier', 'name', 'data', 'leftOut'),
    _environmentId: row.environmentId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });
}
