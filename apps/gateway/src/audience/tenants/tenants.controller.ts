import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CreateTenantDto, ListTenantsQuery, PatchTenantDto, TenantDto, TenantListDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { TenantsService } from './tenants.service';

@ApiTags('tenants')
@RateCategory('configuration')
@Controller('v1/tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Post()
  @Operation('Create a tenant', { status: 201, type: TenantDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateTenantDto) {
    return this.tenants.create(owner, body);
  }

  @ReadRoute()
  @Operation('List tenants, newest first', { type: TenantListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListTenantsQuery) {
    return this.tenants.list(owner, query);
  }

  @ReadRoute(':identifier')
  @Operation('Retrieve a tenant', { type: TenantDto })
  retrieve(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.tenants.retrieve(owner, identifier);
  }

  @Patch(':identifier')
  @Operation('Update a tenant', { type: TenantDto })
  patch(@Owner() owner: KeyOwner, @Param('identifier') identifier: string, @Body() body: PatchTenantDto) {
    return this.tenants.patch(owner, identifier, body);
  }

  @Delete(':identifier')
  @Operation('Delete a tenant; later events that refer to it are rejected', { status: 204 })
  delete(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.tenants.delete(owner, identifier);
  }
}
