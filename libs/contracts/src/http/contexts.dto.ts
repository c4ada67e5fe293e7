import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { Children, Choice, DATA_LIMIT, DATA_SIZE, JsonMap, Text } from './fields';
import { CURSOR_ORDER, CursorEnvelope, type CursorOrder, CursorQuery } from './lists.dto';

export class CreateContextDto {
  @Text('Kind of context, such as workspace or region.', { minLength: 1, maxLength: LIMITS.contextType }) type!: string;
  @Text('Unique among the contexts of its type.', { minLength: 1, maxLength: LIMITS.contextId }) id!: string;
  @JsonMap(`Data that templates can read. ${DATA_SIZE}`, { ...DATA_LIMIT, optional: true }) data?: JsonObject;
}

export class UpdateContextDto {
  @JsonMap(`Replaces the data that is there. ${DATA_SIZE}`, { ...DATA_LIMIT }) data!: JsonObject;
}

export class ListContextsQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, 'Default _id.', { optional: true }) orderBy: CursorOrder = '_id';
  @Text('The whole id, of any type.', { optional: true, maxLength: LIMITS.filterText }) id?: string;
  @Text('Part of `type:id`, in any case.', { optional: true, maxLength: LIMITS.filterText }) search?: string;
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
