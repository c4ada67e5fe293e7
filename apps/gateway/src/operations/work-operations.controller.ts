import { Controller, Get, Header, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ErrorListDto,
  ErrorsQuery,
  invalidField,
  LIMITS,
  OperationsLookupDto,
  OperationsLookupQuery,
  StuckListDto,
  StuckQuery,
  TailQuery,
  TENANT_LIMITS,
  TopQuery,
  UsageListDto,
} from '@clarion/contracts';
import type { Environment } from '@clarion/persistence';
import type { FastifyRequest } from 'fastify';
import { toActivityFilter } from '../activity/activity-filter';
import { type Caller, NO_ENVIRONMENT, Operator } from '../edge/auth/operator';
import { CalledBy } from '../edge/http/request-context';
import { AcrossEnvironments, Scope } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { OperatedEnvironments } from './operated-environments';
import { Tails } from './tails';
import { type SeenRoles, WorkOperationsService } from './work-operations.service';

const SAME = (command: string): string =>
  `Requires a key of the scope \`admin\`. The key of the operator, and \`clarion ${command}\` on the command line, ` +
  'get the answer for all organizations.';

const HOUR_MS = 3600_000;
const TAILS = TENANT_LIMITS.tails();

/** Which processes run is a matter of the installation. */
const rolesFor = (caller: Caller): SeenRoles => (caller instanceof Operator ? 'all' : 'none');

@ApiTags('operations')
@Scope('admin', 'operator')
@AcrossEnvironments()
@Controller('v1/operations')
export class WorkOperationsController {
  constructor(
    private readonly operations: WorkOperationsService,
    private readonly environments: OperatedEnvironments,
    private readonly tails: Tails,
  ) {}

  @Get('top')
  @Operation('List who and what uses the system now', {
    description:
      'What was accepted in the last minutes, and the open work, by environment, workflow, integration or channel. ' +
      `${SAME('top')}`,
    type: UsageListDto,
  })
  async top(@CalledBy() caller: Caller, @Query() query: TopQuery) {
    return this.operations.top(await this.environments.idsOf(caller, query.environmentId), query);
  }

  @Get('stuck')
  @Operation('List open work that waits longer than expected, with the reason', {
    description:
      'Each row says what the step or the trigger waits for, since when, and what to do. A delay or a digest whose ' +
      `time has not come does not wait too long. ${SAME('stuck')}`,
    type: StuckListDto,
  })
  async stuck(@CalledBy() caller: Caller, @Query() query: StuckQuery) {
    return this.operations.stuck(await this.environments.idsOf(caller, query.environmentId), query, rolesFor(caller));
  }

  @Get('errors')
  @Operation('Group the failed and in-doubt steps of all environments by reason', {
    description:
      'By provider, kind of error and reason, with the messages and people that each group touches, and a sample. ' +
      `Looks at the newest ${LIMITS.searchedHistory} failed steps of each environment. ${SAME('errors')}`,
    type: ErrorListDto,
  })
  async errors(@CalledBy() caller: Caller, @Query() query: ErrorsQuery) {
    const since = query.since === undefined ? new Date(Date.now() - HOUR_MS) : new Date(query.since);
    if (Number.isNaN(since.getTime())) throw invalidField('since', 'since must be an ISO 8601 time', query.since);
    return this.operations.errors(await this.environments.of(caller, query.environmentId), since);
  }

  @Get('lookup')
  @Operation('Find what has an id in any environment', {
    description:
      'Like `GET /v1/lookup`, with the environment and the outcome of the notification. Trace ids and request ids ' +
      `are looked for in environments that accepted something in the last day. ${SAME('lookup')}`,
    type: OperationsLookupDto,
  })
  async lookup(@CalledBy() caller: Caller, @Query() query: OperationsLookupQuery) {
    const environments = await this.environments.of(caller, query.environmentId);
    return this.operations.lookup(environments, query.id, rolesFor(caller));
  }

  @Get('tail')
  @Header('X-Accel-Buffering', 'no')
  @Operation('Follow the activity of all environments by server-sent events', {
    description:
      'Event `activity`: a notification that matches the filters of the activity and is new, or whose steps changed, ' +
      'with its environment. A comment is sent every 15 seconds. The stream ends when the key is revoked. It follows ' +
      `the ${LIMITS.tailedEnvironments} environments with the most activity of late and, with \`after\` or a past ` +
      `\`before\`, as many of that time; of each the newest notifications in flight. A past \`before\` alone ` +
      `begins an hour earlier. A gateway has at most ${TAILS.gateway} of these streams, and ` +
      `${TAILS.organization} of one organization; more get 429. ${SAME('tail')}`,
    isEventStream: true,
  })
  async tail(
    @CalledBy() caller: Caller,
    @Query() query: TailQuery,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const type = 'text/event-stream';
    const filter = toActivityFilter(query);
    const environments = (): Promise<Environment[]> => this.environments.of(caller, query.environmentId);
    await environments();
    // The response to a HEAD has no body, so no stream would ever end it.
    if (request.method === 'HEAD') return new StreamableFile(Buffer.alloc(0), { type });
    const environmentId = caller instanceof Operator ? NO_ENVIRONMENT : caller.environmentId;
    const checkAccess = () => request.server.authenticateAgain(request);
    const stream = await this.tails.open({ environmentId, environments, filter, checkAccess });
    // The stream has its own checks of callers that do not read.
    request.raw.socket.setTimeout(0);
    return new StreamableFile(stream, { type });
  }
}
