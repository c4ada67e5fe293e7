import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type EnvironmentId, EnvironmentTagDto, LIMITS } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { AcrossEnvironments, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { EnvironmentsService } from './environments.service';

@ApiTags('environments')
@Controller('v2/environments')
@AcrossEnvironments()
export class EnvironmentTagsController {
  constructor(private readonly environments: EnvironmentsService) {}

  @ReadRoute(':environmentId/tags')
  @Operation('List the tags of the workflows of an environment', {
    description:
      `In alphabetical order, ${LIMITS.environmentTags} at most. A key of the scope \`admin\` reads every ` +
      'environment of its organization, any other key the one it belongs to.',
    type: [EnvironmentTagDto],
  })
  list(@Owner() owner: KeyOwner, @IdParam('environmentId') environmentId: EnvironmentId) {
    return this.environments.tags(owner, environmentId);
  }
}
