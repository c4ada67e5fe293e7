import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ExplainDto, ExplanationDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { Scope, TenantWork } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { ExplanationService } from './explanation.service';

@ApiTags('subscribers')
@Controller('v1/subscribers/:subscriberId/explain')
export class ExplanationController {
  constructor(private readonly explanations: ExplanationService) {}

  @Post()
  @Scope('read')
  @TenantWork('always')
  @Operation('Explain whether a workflow would reach a subscriber, and why not', {
    description:
      'Evaluates the rules that a trigger for this subscriber would meet, in their order: the workflow, the payload, ' +
      'and for each step its conditions, preferences, schedule, integrations, content, addresses, suppressions and ' +
      'the state of the providers. Each rule is shown with its values and whether it passed. Nothing is stored or ' +
      'sent. For a time in the past, the response also lists what was really sent in that hour.',
    type: ExplanationDto,
  })
  explain(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: ExplainDto) {
    return this.explanations.explain(owner, subscriberId, body);
  }
}
