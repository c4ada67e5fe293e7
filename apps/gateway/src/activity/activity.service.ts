import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import {
  type ActivityFilterDto,
  type ActivityGroupsDto,
  type ActivityListDto,
  type ActivityRowDto,
  type ExportActivityQuery,
  invalidField,
  isId,
  LIMITS,
  type ListActivityQuery,
  mapInSlices,
  type NotificationId,
} from '@clarion/contracts';
import { ActivityRepository, Database, type KeyOwner } from '@clarion/persistence';
import { ACTIVITY_CSV } from './activity-csv';
import { toActivityFilter } from './activity-filter';
import { toActivityRowDto, toErrorGroupDto } from './activity-rows';

const EXPORT_PAGE = 1_000;

@Injectable()
export class ActivityService {
  constructor(
    private readonly database: Database,
    private readonly activity: ActivityRepository,
  ) {}

  async list({ environmentId }: KeyOwner, query: ListActivityQuery): Promise<ActivityListDto> {
    const page = { limit: query.limit, cursor: readCursor(query.cursor) };
    const { rows, ...walk } = await this.activity.list(environmentId, toActivityFilter(query), page);
    return { data: rows.map(toActivityRowDto), hasMore: walk.next !== null, ...walk };
  }

  async groups({ environmentId }: KeyOwner, query: ActivityFilterDto): Promise<ActivityGroupsDto> {
    const { groups, ...walk } = await this.activity.groups(environmentId, toActivityFilter(query));
    return { data: groups.map(toErrorGroupDto), ...walk };
  }

  /** Streams all matching rows. The next page is read when the caller has read the previous one. */
  async export({ environmentId }: KeyOwner, { format, ...query }: ExportActivityQuery): Promise<Readable> {
    const filter = toActivityFilter(query);
    // The export continues after the handler, so it sets the rights of the tenant itself.
    const read = (cursor?: NotificationId) =>
      this.database.asTenant(environmentId, () =>
        this.database.onReplica(() => this.activity.list(environmentId, filter, { limit: EXPORT_PAGE, cursor })),
      );
    // The first page is read before the response begins, so that an error still gets its status.
    let page = await read();
    let isClosed = false;
    async function* rows(): AsyncGenerator<ActivityRowDto[]> {
      for (let count = 0; ; page = await read(page.next!)) {
        yield await mapInSlices(page.rows.slice(0, LIMITS.activityExport - count), toActivityRowDto);
        count += page.rows.length;
        if (page.next === null || count >= LIMITS.activityExport || isClosed) return;
      }
    }
    const stream = Readable.from(format === 'csv' ? toCsv(rows()) : toJson(rows()));
    // While no row matches, nothing is written, and the stream alone would not notice that the caller has gone.
    return stream.once('close', () => (isClosed = true));
  }
}

async function* toCsv(pages: AsyncIterable<ActivityRowDto[]>): AsyncGenerator<string> {
  yield ACTIVITY_CSV.head;
  for await (const rows of pages) if (rows.length > 0) yield (await mapInSlices(rows, ACTIVITY_CSV.line)).join('');
}

/** One list; each row is one line. */
async function* toJson(pages: AsyncIterable<ActivityRowDto[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + (await mapInSlices(rows, (row) => JSON.stringify(row))).join(',\n');
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}

function readCursor(cursor: string | undefined): NotificationId | undefined {
  if (cursor === undefined) return undefined;
  if (!isId(cursor)) throw invalidField('cursor', 'cursor is not a cursor of this list', cursor);
  return cursor as NotificationId;
}
