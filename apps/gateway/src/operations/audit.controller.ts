import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuditDto, AuditQuery, AuditRangeDto, AuditRangeQuery, LIMITS } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { Caller } from '../edge/auth/operator';
import { CalledBy, Owner } from '../edge/http/request-context';
import { AcrossEnvironments, ReadRoute, Scope } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { AuditService } from './audit.service';
import { OperatedEnvironments } from './operated-environments';

@ApiTags('operations')
@Controller('v1')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly environments: OperatedEnvironments,
  ) {}

  @ReadRoute('audit')
  @Operation('Reconcile one transaction with its records', {
    description:
      'Counts the channel steps of the transaction from the notifications, steps, open work and messages themselves: ' +
      'accepted = delivered + failed + skipped + in flight + in doubt. Each check looks for rows that cannot be, ' +
      'such as a step that has neither ended nor is open.',
    type: AuditDto,
  })
  transaction(@Owner() owner: KeyOwner, @Query() { transactionId }: AuditQuery) {
    return this.audit.transaction(owner.environmentId, transactionId);
  }

  @Get('operations/audit')
  @Scope('admin', 'operator')
  @AcrossEnvironments()
  @Operation('Reconcile the records of a time range', {
    description:
      'The same as `GET /v1/audit` for all notifications that were made in the range, in all environments of the ' +
      'organization. The figures are also compared with those of the overview. The range has at most ' +
      `${LIMITS.auditDays} day; \`npm run clarion -- audit\` has no limit and lists all ids.`,
    type: AuditRangeDto,
  })
  async range(@CalledBy() caller: Caller, @Query() query: AuditRangeQuery) {
    return this.audit.ofEnvironments(await this.environments.idsOf(caller, query.environmentId), query);
  }
}
