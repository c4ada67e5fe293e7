import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreatedOrganizationDto, CreateOrganizationDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { AcrossEnvironments, Scope } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { OrganizationsService } from './organizations.service';

@ApiTags('organizations')
@Controller('v1/organizations')
@AcrossEnvironments()
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Post()
  @Scope('admin')
  @Operation('Create an organization with its first environment and key, shown once', {
    description:
      'Requires a key of the scope `admin` of the first organization of the installation. Organizations share ' +
      'nothing: the key that creates an organization has no access to it, and the key in the response has the scope ' +
      '`admin` in the new organization only. The operator limits their number (`CLARION_MAX_ORGANIZATIONS`, 403).',
    status: 201,
    type: CreatedOrganizationDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateOrganizationDto) {
    return this.organizations.create(owner, body);
  }
}
