import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { Children, Choice, DATA_LIMIT, DATA_SIZE, JsonMap, Text } from './fields';
import { CURSOR_ORDER, CursorEnvelope, type CursorOrder, CursorQuery } from './lists.dto';

export class CreateContextDto {
  @Text({ minLength: 1, maxLength: LIMITS.contextType, description: 'Kind of context, such as workspace or region.' })
  type!: string;

  @Text({ minLength: 1, maxLength: LIMITS.contextId, description: 'Unique among the contexts of its type.' })
  id!: string;

  @JsonMap({ ...DATA_LIMIT, optional: true, description: `Data that templates can read. ${DATA_SIZE}` })
  data?: JsonObject;
}

export class UpdateContextDto {
  @JsonMap({ ...DATA_LIMIT, description: `Replaces the data that is there. ${DATA_SIZE}` })
  data!: JsonObject;
}

export class ListContextsQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: CursorOrder = '_id';

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'The whole id, of any type.' })
  id?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'Part of `type:id`, in any case.' })
  search?: string;
}

export class ContextDto {
  @Text() type!: string;
  @Text() id!: string;
  @JsonMap() data!: JsonObject;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class ContextListDto extends CursorEnvelope {
  @Children(() => ContextDto) data!: ContextDto[];
}
