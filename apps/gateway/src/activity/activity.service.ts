import { Injectable } from '@nestjs/common';
import {
  type ActivityFilterDto,
  type ActivityGroupsDto,
  type ActivityListDto,
  invalidField,
  isId,
  type ListActivityQuery,
  type NotificationId,
} from '@clarion/contracts';
import { ActivityRepository, type KeyOwner } from '@clarion/persistence';
import { toActivityFilter } from './activity-filter';
import { toActivityRowDto, toErrorGroupDto } from './activity-rows';

@Injectable()
export class ActivityService {
  constructor(private readonly activity: ActivityRepository) {}

  async list({ environmentId }: KeyOwner, query: ListActivityQuery): Promise<ActivityListDto> {
    const page = { limit: query.limit, cursor: readCursor(query.cursor) };
    const { rows, ...walk } = await this.activity.list(environmentId, toActivityFilter(query), page);
    return { data: rows.map(toActivityRowDto), hasMore: walk.next !== null, ...walk };
  }

  async groups({ environmentId }: KeyOwner, query: ActivityFilterDto): Promise<ActivityGroupsDto> {
    const { groups, ...walk } = await this.activity.groups(environmentId, toActivityFilter(query));
    return { data: groups.map(toErrorGroupDto), ...walk };
  }
}

function readCursor(cursor: string | undefined): NotificationId | undefined {
  if (cursor === undefined) return undefined;
  if (!isId(cursor)) throw invalidField('cursor', 'cursor is not a cursor of this list', cursor);
  return cursor as NotificationId;
}
