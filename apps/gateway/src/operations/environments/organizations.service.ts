import { Injectable } from '@nestjs/common';
import type { CreatedOrganizationDto, CreateOrganizationDto } from '@clarion/contracts';
import { Database, type KeyOwner } from '@clarion/persistence';
import { EnvironmentAdmin } from './environment-admin';
import { createdEnvironmentDto } from './environments.service';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
    private readonly admin: EnvironmentAdmin,
  ) {}

  async create(owner: KeyOwner, input: CreateOrganizationDto): Promise<CreatedOrganizationDto> {
    const first = { name: input.environmentName ?? 'Development', type: 'dev' as const };
    const { organization, ...made } = await this.database.asSystem(() =>
      this.admin.as(owner).createOrganization(input.name, first),
    );
    return {
      _id: organization.id,
      name: organization.name,
      environment: createdEnvironmentDto(made),
      createdAt: organization.createdAt.toISOString(),
      updatedAt: organization.updatedAt.toISOString(),
    };
  }
}
