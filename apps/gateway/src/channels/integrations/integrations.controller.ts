import { Body, Controller, Delete, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AutoConfigureDto,
  CreateIntegrationDto,
  IntegrationCheckDto,
  IntegrationDto,
  IntegrationHealthListDto,
  IntegrationOrderDto,
  IntegrationUsageDto,
  LIMITS,
  ListIntegrationsQuery,
  RetrieveIntegrationQuery,
  UpdateIntegrationDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { EventSetUp } from './event-set-up.service';
import { IntegrationOperations } from './integration-operations.service';
import { IntegrationsService } from './integrations.service';

@ApiTags('integrations')
@Controller('v1/integrations')
export class IntegrationsController {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly operations: IntegrationOperations,
    private readonly eventSetUp: EventSetUp,
  ) {}

  @ReadRoute()
  @Operation(`List the integrations of the environment, at most ${LIMITS.integrations}`, { type: [IntegrationDto] })
  list(@Owner() owner: KeyOwner, @Query() { deleted }: ListIntegrationsQuery) {
    return this.integrations.list(owner, deleted);
  }

  @ReadRoute('active')
  @Operation(`List the active integrations of the environment, at most ${LIMITS.integrations}`, {
    type: [IntegrationDto],
  })
  listActive(@Owner() owner: KeyOwner) {
    return this.integrations.listActive(owner);
  }

  @ReadRoute(':integrationId')
  @Operation('Retrieve an integration', { type: IntegrationDto })
  retrieve(
    @Owner() owner: KeyOwner,
    @IdParam('integrationId') integrationId: string,
    @Query() { deleted }: RetrieveIntegrationQuery,
  ) {
    return this.integrations.retrieve(owner, integrationId, deleted);
  }

  @Post()
  @Operation('Create an integration in the environment of the API key', { status: 201, type: IntegrationDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateIntegrationDto) {
    return this.integrations.create(owner, body);
  }

  @Put(':integrationId')
  @Operation('Update an integration', { type: IntegrationDto })
  update(
    @Owner() owner: KeyOwner,
    @IdParam('integrationId') integrationId: string,
    @Body() body: UpdateIntegrationDto,
  ) {
    return this.integrations.update(owner, integrationId, body);
  }

  @Delete(':integrationId')
  @Operation('Delete an integration permanently; returns the remaining ones', { type: [IntegrationDto] })
  delete(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.integrations.delete(owner, integrationId);
  }

  @Post(':integrationId/set-primary')
  @Operation('Make an email or SMS integration the default choice of its channel, active and unconditional', {
    type: IntegrationDto,
  })
  setPrimary(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.integrations.setPrimary(owner, integrationId);
  }

  @Post('order')
  @Operation('Set the order of the integrations of email or sms', {
    description:
      'The first one becomes primary, unless it has conditions; the next ones are tried in order when it fails. ' +
      'Returns all integrations of the environment.',
    type: [IntegrationDto],
  })
  setOrder(@Owner() owner: KeyOwner, @Body() { ids }: IntegrationOrderDto) {
    return this.operations.setOrder(owner, ids);
  }

  @Post(':integrationId/check')
  @Operation('Try out the stored credentials of an integration', {
    description:
      "Checks that the credentials are complete and asks the provider, if it has a call for that. The provider's " +
      'rejection is a 200 with `ok: false` and its words.',
    type: IntegrationCheckDto,
  })
  check(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.operations.check(owner, integrationId);
  }

  @Post(':integrationId/auto-configure')
  @Operation('Let the provider report delivery events to this service', {
    description:
      "Registers the inbound webhook through the provider's API and stores the signing key. A provider that refuses, " +
      'or that has no API for it, is a 200 with `success: false` and the reason.',
    type: AutoConfigureDto,
  })
  autoConfigure(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.eventSetUp.autoConfigure(owner, integrationId);
  }

  @ReadRoute(':integrationId/usage')
  @Operation('Show what uses an integration', {
    description: 'Read it before a deletion: subscribers with credentials, workflows of its channel, waiting steps.',
    type: IntegrationUsageDto,
  })
  usage(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.operations.usage(owner, integrationId);
  }

  @ReadRoute(':integrationId/health')
  @Operation('Show the health of an integration and its last states', {
    description: 'A state changes when the circuit breaker opens or closes, or when the provider asks for a pause.',
    type: IntegrationHealthListDto,
  })
  health(@Owner() owner: KeyOwner, @IdParam('integrationId') integrationId: string) {
    return this.operations.health(owner, integrationId);
  }
}
