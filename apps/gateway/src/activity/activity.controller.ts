import { Controller, Header, Headers, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ActivityFilterDto,
  ActivityGroupsDto,
  ActivityListDto,
  ActivityRowDto,
  ExportActivityQuery,
  LIMITS,
  ListActivityQuery,
  TENANT_LIMITS,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { FastifyRequest } from 'fastify';
import { Owner } from '../edge/http/request-context';
import { Exports, FromReplica, ReadRoute } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { ActivityStreams } from './activity-streams';
import { ActivityService } from './activity.service';

const EXPORT_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

const BOUND =
  'Filters by status, provider, reason, error group and payload look at ' +
  `${LIMITS.searchedHistory} notifications in one call; ` +
  'filters for `failed` and `in_doubt` look at the notifications of that many failed steps.';

const STREAMS = TENANT_LIMITS.activityStreams();
const EXPORTS = TENANT_LIMITS.exports();

@ApiTags('activity')
@Controller('v1/activity')
export class ActivityController {
  constructor(
    private readonly activity: ActivityService,
    private readonly streams: ActivityStreams,
  ) {}

  @ReadRoute()
  @FromReplica()
  @Operation('List notifications with the outcome of each channel step, newest first', {
    description:
      'Light rows without payloads and execution details, in pages by cursor: page 1,000 costs as much as page 1. ' +
      `${BOUND} A page that is not full because of it has \`isBounded\`, and its \`next\` goes on with the search.`,
    type: ActivityListDto,
  })
  list(@Owner() owner: KeyOwner, @Query() query: ListActivityQuery) {
    return this.activity.list(owner, query);
  }

  @ReadRoute('groups')
  @FromReplica()
  @Operation('Group the steps that were not delivered by reason, provider and channel', {
    description:
      'Takes the filters of the activity. Each step counts by its own outcome: without `status`, those that failed, ' +
      'were skipped or are in doubt. ' +
      'The reason is what the provider answered or, if no provider was called, the last execution detail. ' +
      `${BOUND} Without these filters, the newest ${LIMITS.searchedHistory} notifications that match are grouped.`,
    type: ActivityGroupsDto,
  })
  groups(@Owner() owner: KeyOwner, @Query() query: ActivityFilterDto) {
    return this.activity.groups(owner, query);
  }

  @ReadRoute('export')
  @FromReplica()
  @Exports('always')
  @Operation('Download the activity as CSV or JSON', {
    description:
      'Takes the filters of the activity and streams all rows that match, newest first, at most ' +
      `${LIMITS.activityExport}. It reads on at the speed of the caller and stops when the caller disconnects. ` +
      `An environment has at most ${EXPORTS.environment} exports at a time in each gateway; more wait, and get 503 ` +
      'after 5 seconds.',
    type: [ActivityRowDto],
    exportTypes: ['text/csv'],
  })
  async export(
    @Owner() owner: KeyOwner,
    @Query() query: ExportActivityQuery,
    @Req() { method }: FastifyRequest,
  ): Promise<StreamableFile> {
    const options = {
      type: EXPORT_TYPES[query.format],
      disposition: `attachment; filename="activity.${query.format}"`,
    };
    // For a HEAD, Fastify would read the whole export and discard it.
    if (method === 'HEAD') return new StreamableFile(Buffer.alloc(0), options);
    return new StreamableFile(await this.activity.export(owner, query), options);
  }

  @ReadRoute('stream')
  @Header('X-Accel-Buffering', 'no')
  @Operation('Follow the activity by server-sent events', {
    description:
      'Event `notifications`: `count` new notifications (at most ' +
      `${LIMITS.streamedIds} in one event) and the rows of the \`newest\` of them. Event \`changed\`: the ` +
      '`ids` and `rows` of notifications in flight whose steps changed. A comment is sent every 15 seconds. ' +
      'With the header `Last-Event-ID`, the id of a notification, the stream begins with what is newer. ' +
      `The stream ends when the key or the session is revoked. ` +
      `An environment has at most ${STREAMS.environment} streams in each gateway, an organization ` +
      `${STREAMS.organization}; more get 429.`,
    isEventStream: true,
  })
  async stream(
    @Owner() owner: KeyOwner,
    @Req() request: FastifyRequest,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<StreamableFile> {
    const type = 'text/event-stream';
    // The response to a HEAD has no body, so no stream would ever end it.
    if (request.method === 'HEAD') return new StreamableFile(Buffer.alloc(0), { type });
    const stream = await this.streams.open(owner, lastEventId, () => request.server.authenticateAgain(request));
    // The stream has its own checks of callers that do not read.
    request.raw.socket.setTimeout(0);
    return new StreamableFile(stream, { type });
  }
}
