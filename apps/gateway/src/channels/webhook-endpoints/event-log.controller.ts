import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventLogDto, EventLogQuery, invalidField, LIMITS, type LogEntryDto } from '@clarion/contracts';
import { EventLogRepository, type KeyOwner, type LogEntry } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { goneBefore } from './webhook-replays.service';

@ApiTags('events')
@Controller('v1/events/log')
export class EventLogController {
  constructor(private readonly entries: EventLogRepository) {}

  @ReadRoute()
  @Operation('Read the event log', {
    description:
      'What happened in the environment, in the order of its numbers, which have no gaps: a consumer that has read ' +
      'every number up to `next` has missed nothing. Entries appear about a second after they happen. `after` below ' +
      'the oldest entry gets 410 with `firstSequence`, because entries between them were deleted with the history. ' +
      `With a filter by type one page reads up to ${LIMITS.eventLogScan} entries, so it may be empty while ` +
      '`hasMore` is true.',
    type: EventLogDto,
  })
  async list(@Owner() owner: KeyOwner, @Query() { after, limit, type }: EventLogQuery): Promise<EventLogDto> {
    const result = await this.entries.read(owner.environmentId, after, type ? { types: type } : {}, {
      limit,
      scan: LIMITS.eventLogScan,
    });
    if ('gone' in result) throw goneBefore(result.gone.firstSequence);
    const { entries, next, firstSequence, lastSequence, isRecording } = result.page;
    if (after !== undefined && after > lastSequence) {
      throw invalidField('after', `after must not be greater than the last entry, ${lastSequence}`, after);
    }
    return {
      data: entries.map(toEntryDto),
      next,
      hasMore: next < lastSequence,
      firstSequence,
      lastSequence,
      isRecording,
    };
  }
}

const toEntryDto = ({ sequence, id, type, createdAt, data }: LogEntry): LogEntryDto => ({
  sequence,
  id,
  type,
  timestamp: createdAt.toISOString(),
  data,
});
