import { Body, Controller, Delete, Get, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiKeyDto,
  CreateApiKeyDto,
  CreatedApiKeyDto,
  CreateEnvironmentDto,
  DeletedEnvironmentDto,
  EnvironmentDto,
  type EnvironmentId,
  InboxSecretDto,
  LIMITS,
  RotateInboxSecretDto,
  UpdateEnvironmentDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { FastifyRequest } from 'fastify';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { AcrossEnvironments, ReadRoute, Scope, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { EnvironmentsService } from './environments.service';

const OWN_ENVIRONMENT =
  'A key of the scope `full` manages the environment it belongs to, a key of the scope `admin` every environment of ' +
  'its organization. Any other environment gets the same 404 as a missing one.';

@ApiTags('environments')
@Controller('v1/environments')
@AcrossEnvironments()
export class EnvironmentsController {
  constructor(private readonly environments: EnvironmentsService) {}

  @ReadRoute()
  @Operation('List environments', {
    description:
      'A key of the scope `admin` gets all environments of its organization, any other key only the one it belongs to.',
    type: [EnvironmentDto],
  })
  list(@Owner() owner: KeyOwner) {
    return this.environments.list(owner);
  }

  @ReadRoute('me')
  @Operation('Retrieve the environment of the API key', { type: EnvironmentDto })
  current(@Owner() owner: KeyOwner) {
    return this.environments.current(owner);
  }

  @Post()
  @Scope('admin')
  @Operation('Create an environment with its first API key, shown once', {
    description:
      'Requires a key of the scope `admin`. The first key of the new environment has the scope `full`, and the ' +
      'expiry and the addresses of the key that creates it. The operator limits the environments of an organization ' +
      '(`CLARION_MAX_ENVIRONMENTS`, 403).',
    status: 201,
    type: EnvironmentDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateEnvironmentDto) {
    return this.environments.create(owner, body);
  }

  @Put(':environmentId')
  @Operation('Change the name, color or settings of an environment', {
    description: OWN_ENVIRONMENT,
    type: EnvironmentDto,
  })
  update(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @Body() body: UpdateEnvironmentDto,
  ) {
    return this.environments.update(owner, environmentId, body);
  }

  @Delete(':environmentId')
  @StrictInput()
  @Scope('admin')
  @Operation('Delete an environment with everything in it', {
    description:
      'Requires a key of the scope `admin`. The environment is hidden and its keys are refused at once (by other ' +
      'gateways within 15 seconds), and nothing of it is sent any more. Its rows are deleted in the background, in ' +
      'small steps; the audit log keeps its entries. The environment of the key itself and the last environment of ' +
      'an organization are not deleted (409), nor is one with a key that outlives the key of the request or has more ' +
      'addresses (403).',
    type: DeletedEnvironmentDto,
  })
  delete(@Owner() owner: KeyOwner, @IdParam('environmentId') environmentId: EnvironmentId) {
    return this.environments.delete(owner, environmentId);
  }

  @Get(':environmentId/api-keys')
  @Operation('List the API keys of an environment; the keys themselves are not shown', {
    description:
      `${OWN_ENVIRONMENT} At most ${LIMITS.listedKeys}: those that can be used, and the newest of those that were ` +
      'revoked or have expired.',
    type: [ApiKeyDto],
  })
  listKeys(@Owner() owner: KeyOwner, @IdParam('environmentId') environmentId: EnvironmentId) {
    return this.environments.listKeys(owner, environmentId);
  }

  @Post(':environmentId/api-keys')
  @StrictInput()
  @Operation('Create an API key; it is shown once', {
    description:
      `${OWN_ENVIRONMENT} A key cannot create one of a wider scope, a later expiry or more addresses (403). An ` +
      `environment has at most ${LIMITS.apiKeys} keys that can be used (409); revoked and expired ones do not count.`,
    status: 201,
    type: CreatedApiKeyDto,
  })
  createKey(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @Body() body: CreateApiKeyDto,
  ) {
    return this.environments.createKey(owner, environmentId, body);
  }

  @Delete(':environmentId/api-keys/:keyId')
  @Operation('Revoke an API key', {
    description:
      `${OWN_ENVIRONMENT} A key cannot revoke one of a wider scope, a later expiry or more addresses (403). The ` +
      'last key of an organization with the scope `admin` cannot be revoked here (409), only on the command line.',
    status: 204,
  })
  revokeKey(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @IdParam('keyId') keyId: string,
  ) {
    return this.environments.revokeKey(owner, environmentId, keyId);
  }

  @Get(':environmentId/inbox-secret')
  @Operation('Retrieve the secret that signs inbox sessions', {
    description:
      `${OWN_ENVIRONMENT} The secret is made when it is first read. A key that expires or is limited to addresses is ` +
      'refused (403), because the secret has no such limits. The audit log records who read it.',
    type: InboxSecretDto,
  })
  inboxSecret(
    @Owner() owner: KeyOwner,
    @Req() { session }: FastifyRequest,
    @IdParam('environmentId') environmentId: EnvironmentId,
  ): Promise<InboxSecretDto> {
    return this.environments.inboxSecret(owner, environmentId, session !== undefined);
  }

  @Post(':environmentId/inbox-secret/rotate')
  @StrictInput()
  @Operation('Replace the secret that signs inbox sessions', {
    description:
      `${OWN_ENVIRONMENT} The replaced secret and the sessions that it signed end at once, in other gateways within ` +
      `15 seconds; with \`overlapHours\` (${LIMITS.inboxSecretOverlapHours} at most) after that time. A key that ` +
      'expires or is limited to addresses is refused (403).',
    type: InboxSecretDto,
  })
  rotateInboxSecret(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: EnvironmentId,
    @Body() { overlapHours = 0 }: RotateInboxSecretDto,
  ): Promise<InboxSecretDto> {
    return this.environments.rotateInboxSecret(owner, environmentId, overlapHours);
  }
}
