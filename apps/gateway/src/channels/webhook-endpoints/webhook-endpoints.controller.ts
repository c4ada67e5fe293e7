import { Body, Controller, Delete, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreatedWebhookEndpointDto,
  CreateWebhookEndpointDto,
  LIMITS,
  ListWebhookDeliveriesQuery,
  PatchWebhookEndpointDto,
  ReplayWebhooksDto,
  WebhookDeliveryDto,
  WebhookDeliveryListDto,
  WebhookEndpointDto,
  WebhookEndpointListDto,
  WebhookReplayDto,
  WebhookSecretDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { WebhookEndpointsService } from './webhook-endpoints.service';
import { WebhookReplays } from './webhook-replays.service';

@ApiTags('webhook endpoints')
@RateCategory('configuration')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly replays: WebhookReplays,
  ) {}

  @Post()
  @StrictInput()
  @Operation('Create a webhook endpoint', {
    description:
      'It gets what happens from now on: a POST for each entry of the event log, signed as Standard Webhooks ' +
      `specifies. The response has the secret, once. An environment has at most ${LIMITS.webhookEndpoints} endpoints.`,
    status: 201,
    type: CreatedWebhookEndpointDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateWebhookEndpointDto) {
    return this.endpoints.create(owner, body);
  }

  @ReadRoute()
  @Operation('List the webhook endpoints', {
    description: 'All of them, with their state and what they have not got yet.',
    type: WebhookEndpointListDto,
  })
  list(@Owner() owner: KeyOwner) {
    return this.endpoints.list(owner);
  }

  @ReadRoute(':endpointId')
  @Operation('Retrieve a webhook endpoint', {
    description: 'With its state and what it has not got yet; never with its secret.',
    type: WebhookEndpointDto,
  })
  retrieve(@Owner() owner: KeyOwner, @IdParam('endpointId') endpointId: string) {
    return this.endpoints.retrieve(owner, endpointId);
  }

  @Patch(':endpointId')
  @StrictInput()
  @Operation('Update a webhook endpoint, or switch it on or off', {
    description:
      'A filter applies to the entries that the endpoint has not yet reached. `active: true` also switches an ' +
      'endpoint on that Clarion switched off after days of failures; it continues where it stopped.',
    type: WebhookEndpointDto,
  })
  patch(@Owner() owner: KeyOwner, @IdParam('endpointId') endpointId: string, @Body() body: PatchWebhookEndpointDto) {
    return this.endpoints.patch(owner, endpointId, body);
  }

  @Delete(':endpointId')
  @Operation('Delete a webhook endpoint', {
    description: 'With its deliveries. A call that is in flight is finished.',
    status: 204,
  })
  delete(@Owner() owner: KeyOwner, @IdParam('endpointId') endpointId: string) {
    return this.endpoints.delete(owner, endpointId);
  }

  @Post(':endpointId/rotate-secret')
  @Operation('Replace the secret of a webhook endpoint', {
    description: `For ${LIMITS.webhookSecretOverlapHours} hours calls have a signature of both secrets.`,
    type: WebhookSecretDto,
  })
  rotateSecret(@Owner() owner: KeyOwner, @IdParam('endpointId') endpointId: string) {
    return this.endpoints.rotateSecret(owner, endpointId);
  }

  @Post(':endpointId/test')
  @Operation('Send a test to a webhook endpoint', {
    description:
      'Sends an entry of the type `webhook_endpoint.test`, which is in no event log. The list of deliveries shows ' +
      'the result.',
    status: 202,
    type: WebhookDeliveryDto,
  })
  test(@Owner() owner: KeyOwner, @IdParam('endpointId') endpointId: string) {
    return this.replays.test(owner, endpointId);
  }

  @Post(':endpointId/replay')
  @StrictInput()
  @Operation('Send entries to a webhook endpoint again', {
    description:
      'Failed deliveries (`failedOnly`), or a range of the event log by numbers (`after`, `to`) or by times ' +
      '(`since`, `until`). Entries keep their ids, so a receiver recognizes those that it has. They are added in ' +
      'small steps between new entries. One replay of an endpoint runs at a time.',
    status: 202,
    type: WebhookReplayDto,
  })
  replay(@Owner() owner: KeyOwner, @IdParam('endpointId') endpointId: string, @Body() body: ReplayWebhooksDto) {
    return this.replays.replay(owner, endpointId, body);
  }

  @ReadRoute(':endpointId/deliveries')
  @Operation('List the deliveries of a webhook endpoint', {
    description: `With their last attempt and the next one. Ended ones are kept ${LIMITS.webhookDeliveryDays} days.`,
    type: WebhookDeliveryListDto,
  })
  listDeliveries(
    @Owner() owner: KeyOwner,
    @IdParam('endpointId') endpointId: string,
    @Query() query: ListWebhookDeliveriesQuery,
  ) {
    return this.endpoints.listDeliveries(owner, endpointId, query);
  }
}
