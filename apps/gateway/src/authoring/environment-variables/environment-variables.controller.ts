import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateEnvironmentVariableDto,
  EnvironmentVariableDto,
  EnvironmentVariableUsageDto,
  ListEnvironmentVariablesQuery,
  UpdateEnvironmentVariableDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { AcrossEnvironments, RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { EnvironmentVariablesService } from './environment-variables.service';

const ENVIRONMENTS =
  'A key of the scope `admin` reads and changes the values of all environments of its organization, any other key ' +
  'only that of its environment.';

@ApiTags('environment variables')
@RateCategory('configuration')
@AcrossEnvironments()
@Controller('v1/environment-variables')
export class EnvironmentVariablesController {
  constructor(private readonly variables: EnvironmentVariablesService) {}

  @Post()
  @Operation('Create an environment variable', {
    description: `Templates read it as \`{{ env.KEY }}\`, from the next message on. ${ENVIRONMENTS}`,
    type: EnvironmentVariableDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateEnvironmentVariableDto) {
    return this.variables.create(owner, body);
  }

  @ReadRoute()
  @Operation('List environment variables', {
    description: `Sorted by key. ${ENVIRONMENTS}`,
    type: [EnvironmentVariableDto],
  })
  list(@Owner() owner: KeyOwner, @Query() query: ListEnvironmentVariablesQuery) {
    return this.variables.list(owner, query);
  }

  @ReadRoute(':variableKey')
  @Operation('Retrieve an environment variable', { description: ENVIRONMENTS, type: EnvironmentVariableDto })
  retrieve(@Owner() owner: KeyOwner, @Param('variableKey') key: string) {
    return this.variables.retrieve(owner, key);
  }

  @Patch(':variableKey')
  @Operation('Update an environment variable', {
    description: `The change is effective from the next message on. ${ENVIRONMENTS}`,
    type: EnvironmentVariableDto,
  })
  update(@Owner() owner: KeyOwner, @Param('variableKey') key: string, @Body() body: UpdateEnvironmentVariableDto) {
    return this.variables.update(owner, key, body);
  }

  @Delete(':variableKey')
  @Operation('Delete an environment variable', {
    description:
      'Templates that still read it write an empty text, and the issues of their steps say so. `usage` lists them ' +
      `before. ${ENVIRONMENTS}`,
    status: 204,
  })
  delete(@Owner() owner: KeyOwner, @Param('variableKey') key: string) {
    return this.variables.delete(owner, key);
  }

  @ReadRoute(':variableKey/usage')
  @Operation('List the workflows and layouts that use an environment variable', {
    description: 'Those of the environment of the key whose templates, rules or translations name it.',
    type: EnvironmentVariableUsageDto,
  })
  usage(@Owner() owner: KeyOwner, @Param('variableKey') key: string) {
    return this.variables.usage(owner, key);
  }
}
