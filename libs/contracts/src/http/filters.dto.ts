import { LIMITS } from '../limits';
import {
  FILTER_GROUP_VALUES,
  FILTER_OPERATORS,
  FILTER_SOURCES,
  FILTER_TYPES,
  type FilterGroupValue,
  type FilterOperator,
  type FilterSource,
  type FilterType,
} from '../vocabulary';
import { Children, Choice, Flag, Text } from './fields';

/** One comparison of a condition (spec 2.6). */
export class FieldFilterPartDto {
  @Text('Path inside the subscriber, the payload or the earlier steps, such as `mail.read`.', {
    minLength: 1,
    maxLength: 256,
  })
  field!: string;

  @Text('Lists are a JSON array or "a,b"; BETWEEN takes "[3,7]" or "3,7"; LIKE a substring, with % and _ as in SQL.', {
    maxLength: 4096,
  })
  value!: string;

  @Choice(FILTER_OPERATORS) operator!: FilterOperator;
  @Choice(FILTER_SOURCES) on!: FilterSource;
}

const CHILDREN = [() => FieldFilterPartDto, { max: LIMITS.filterChildren }] as const;

/** A group of comparisons; of several groups one that holds is enough. For integrations and steps. */
export class StepFilterDto {
  @Flag() isNegated!: boolean;
  @Choice(FILTER_TYPES) type!: FilterType;
  @Choice(FILTER_GROUP_VALUES) value!: FilterGroupValue;
  @Children(...CHILDREN) children!: FieldFilterPartDto[];
}

/** The same in a request. */
export class StepFilterInputDto implements StepFilterDto {
  @Flag('Default false.', { optional: true }) isNegated: boolean = false;
  @Choice(FILTER_TYPES, 'Default GROUP.', { optional: true }) type: FilterType = 'GROUP';
  @Choice(FILTER_GROUP_VALUES, 'Default AND.', { optional: true }) value: FilterGroupValue = 'AND';
  @Children(...CHILDREN) children!: FieldFilterPartDto[];
}
