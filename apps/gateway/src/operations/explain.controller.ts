import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OperationsExplainQuery, OperationsExplanationDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { ExplanationService } from '../events/explanation.service';
import { Owner } from '../http/request-context';
import { AcrossEnvironments, Scope, TenantWork } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { explainEverywhere } from './explain-everywhere';
import { OperatedEnvironments } from './operated-environments';

@ApiTags('operations')
@Scope('admin')
@AcrossEnvironments()
@Controller('v1/operations/explain')
export class ExplainController {
  constructor(
    private readonly explanations: ExplanationService,
    private readonly environments: OperatedEnvironments,
  ) {}

  @Get()
  @TenantWork('always')
  @ApiOperation({
    summary: 'Explain whether a workflow would reach a subscriber, in any environment',
    description:
      'Like `POST /v1/subscribers/{subscriberId}/explain` with an empty payload, for each environment of the ' +
      'organization that has the subscriber and the workflow. Requires a key of the scope `admin`. `clarion explain` ' +
      'answers the same on the command line, for all organizations.',
  })
  @Answers({ type: OperationsExplanationDto })
  async explain(
    @Owner() owner: KeyOwner,
    @Query() { subscriberId, workflowId, at, environmentId }: OperationsExplainQuery,
  ): Promise<OperationsExplanationDto> {
    const environments = await this.environments.of(owner, environmentId);
    return { data: await explainEverywhere(this.explanations, environments, subscriberId, { workflowId, at }) };
  }
}
