import { Body, Controller, Delete, Get, HttpCode, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CreateIntegrationDto,
  IntegrationDto,
  LIMITS,
  ListIntegrationsQuery,
  RetrieveIntegrationQuery,
  UpdateIntegrationDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../http/id-param';
import { Owner } from '../http/request-context';
import { Scope } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { IntegrationsService } from './integrations.service';

@ApiTags('integrations')
@Controller('v1/integrations')
export class IntegrationsController {
  constructor(private readonly integrations: IntegrationsService) {}

  @Get()
  @Scope('read')
  @ApiOperation({ summary: `List the integrations of the environment, at most ${LIMITS.integrations}` })
  @Answers({ type: [IntegrationDto] })
  list(@Owner() owner: KeyOwner, @Query() { deleted }: ListIntegrationsQuery) {
    return this.integrations.list(owner, deleted);
  }

  @Get('active')
  @Scope('read')
  @ApiOperation({ summary: `List the active integrations of the environment, at most ${LIMITS.integrations}` })
  @Answers({ type: [IntegrationDto] })
  listActive(@Owner() owner: KeyOwner) {
    return this.integrations.listActive(owner);
  }

  @Get(':integrationId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve an integration' })
  @Answers({ type: IntegrationDto })
  retrieve(
    @Owner() owner: KeyOwner,
    @IdParam('integrationId') integrationId: string,
    @Query() { deleted }: RetrieveIntegrationQuery,
  ) {
    return this.integrations.retrieve(owner, integrationId, deleted);
  }

  @Post()
  @ApiOperation({ summary: 'Create an integration in the environment of the API key' })
  @Answers({ status: 201, type: IntegrationDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateIntegrationDto) {
    return this.integrations.create(owner, body);
  }

  @Put(':integrationId')
  @ApiOperation({ summary: 'Update an integration' })
  @Answers({ type: IntegrationDto })
  update(
    @Owner() owner: KeyOwner,
    @IdParam('integrationId') integrationId: string,
    @Body() body: UpdateIntegrationDto,
  ) {
    return this.integrations.update(owner, integrationId, body);
  }

  @Delete(':integrationId')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delete an integration permanently; returns the remaining ones' })
  @Answers({ type: [IntegrationDto] })
  delete(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.integrations.delete(owner, integrationId);
  }

  @Post(':integrationId/set-primary')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make an email or SMS integration the default choice of its channel, active and unconditional',
  })
  @Answers({ type: IntegrationDto })
  setPrimary(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.integrations.setPrimary(owner, integrationId);
  }
}
