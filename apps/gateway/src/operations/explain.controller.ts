import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OperationsExplainQuery, OperationsExplanationDto } from '@clarion/contracts';
import { ExplanationService } from '../triggers/explain/explanation.service';
import type { Caller } from '../edge/auth/operator';
import { CalledBy } from '../edge/http/request-context';
import { AcrossEnvironments, Scope, TenantWork } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { explainEverywhere } from './explain-everywhere';
import { OperatedEnvironments } from './operated-environments';

@ApiTags('operations')
@Scope('admin', 'operator')
@AcrossEnvironments()
@Controller('v1/operations/explain')
export class ExplainController {
  constructor(
    private readonly explanations: ExplanationService,
    private readonly environments: OperatedEnvironments,
  ) {}

  @Get()
  @TenantWork('always')
  @Operation('Explain whether a workflow would reach a subscriber, in any environment', {
    description:
      'Like `POST /v1/subscribers/{subscriberId}/explain` with an empty payload, for each environment of the ' +
      'organization that has the subscriber and the workflow. Requires a key of the scope `admin`. The key of the ' +
      'operator, and `clarion explain` on the command line, get the answer for all organizations.',
    type: OperationsExplanationDto,
  })
  async explain(
    @CalledBy() caller: Caller,
    @Query() { subscriberId, workflowId, at, environmentId }: OperationsExplainQuery,
  ): Promise<OperationsExplanationDto> {
    const environments = await this.environments.of(caller, environmentId);
    return { data: await explainEverywhere(this.explanations, environments, subscriberId, { workflowId, at }) };
  }
}
