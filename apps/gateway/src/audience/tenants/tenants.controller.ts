import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreateTenantDto, ListTenantsQuery, PatchTenantDto, TenantDto, TenantListDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, Scope } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { TenantsService } from './tenants.service';

@ApiTags('tenants')
@RateCategory('configuration')
@Controller('v1/tenants')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  @Post()
  @ApiOperation({ summary: 'Create a tenant' })
  @Answers({ status: 201, type: TenantDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateTenantDto) {
    return this.tenants.create(owner, body);
  }

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List tenants, newest first' })
  @Answers({ type: TenantListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListTenantsQuery) {
    return this.tenants.list(owner, query);
  }

  @Get(':identifier')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a tenant' })
  @Answers({ type: TenantDto })
  retrieve(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.tenants.retrieve(owner, identifier);
  }

  @Patch(':identifier')
  @ApiOperation({ summary: 'Update a tenant' })
  @Answers({ type: TenantDto })
  patch(@Owner() owner: KeyOwner, @Param('identifier') identifier: string, @Body() body: PatchTenantDto) {
    return this.tenants.patch(owner, identifier, body);
  }

  @Delete(':identifier')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a tenant; later events that refer to it are rejected' })
  @Answers({ status: 204, description: 'No Content' })
  delete(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.tenants.delete(owner, identifier);
  }
}
