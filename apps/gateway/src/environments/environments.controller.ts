import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyDto, CreateApiKeyDto, CreatedApiKeyDto, CreateEnvironmentDto, EnvironmentDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../http/id-param';
import { Owner } from '../http/request-context';
import { Scope } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { EnvironmentsService } from './environments.service';

@ApiTags('environments')
@Controller('v1/environments')
export class EnvironmentsController {
  constructor(private readonly environments: EnvironmentsService) {}

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List the environments of the organization' })
  @Answers({ type: [EnvironmentDto] })
  list(@Owner() owner: KeyOwner) {
    return this.environments.list(owner);
  }

  @Get('me')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve the environment of the API key' })
  @Answers({ type: EnvironmentDto })
  current(@Owner() owner: KeyOwner) {
    return this.environments.current(owner);
  }

  @Post()
  @ApiOperation({ summary: 'Create an environment with its first API key, shown once' })
  @Answers({ status: 201, type: EnvironmentDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateEnvironmentDto) {
    return this.environments.create(owner, body);
  }

  @Get(':environmentId/api-keys')
  @Scope('read')
  @ApiOperation({ summary: 'List the API keys of an environment; the keys themselves are not shown' })
  @Answers({ type: [ApiKeyDto] })
  listKeys(@Owner() owner: KeyOwner, @IdParam('environmentId') environmentId: string) {
    return this.environments.listKeys(owner, environmentId);
  }

  @Post(':environmentId/api-keys')
  @ApiOperation({ summary: 'Create an API key; it is shown once' })
  @Answers({ status: 201, type: CreatedApiKeyDto })
  createKey(@Owner() owner: KeyOwner, @IdParam('environmentId') environmentId: string, @Body() body: CreateApiKeyDto) {
    return this.environments.createKey(owner, environmentId, body);
  }

  @Delete(':environmentId/api-keys/:keyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an API key' })
  @Answers({ status: 204, description: 'No Content' })
  revokeKey(
    @Owner() owner: KeyOwner,
    @IdParam('environmentId') environmentId: string,
    @IdParam('keyId') keyId: string,
  ) {
    return this.environments.revokeKey(owner, environmentId, keyId);
  }
}
