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
  @Text({
    minLength: 1,
    maxLength: 256,
    description: 'Path inside the subscriber, the payload or the earlier steps, such as `mail.read`.',
  })
  field!: string;

  @Text({
    maxLength: 4096,
    description:
      'Lists are a JSON array or "a,b"; BETWEEN takes "[3,7]" or "3,7"; LIKE a substring, with % and _ as in SQL.',
  })
  value!: string;

  @Choice(FILTER_OPERATORS) operator!: FilterOperator;
  @Choice(FILTER_SOURCES) on!: FilterSource;
}

const CHILDREN = [() => FieldFilterPartDto, { max: LIMITS.filterChildren }] as const;

/**
 * A group of comparisons; of several groups one that holds is enough. Conditions of integrations and filters of
 * steps.
 */
export class StepFilterDto {
  @Flag() isNegated!: boolean;
  @Choice(FILTER_TYPES) type!: FilterType;
  @Choice(FILTER_GROUP_VALUES) value!: FilterGroupValue;
  @Children(...CHILDREN) children!: FieldFilterPartDto[];
}

/** The same in a request. */
export class StepFilterInputDto implements StepFilterDto {
  @Flag({ optional: true, description: 'Default false.' }) isNegated: boolean = false;

  @Choice(FILTER_TYPES, { optional: true, description: 'Default GROUP.' })
  type: FilterType = 'GROUP';

  @Choice(FILTER_GROUP_VALUES, { optional: true, description: 'Default AND.' })
  value: FilterGroupValue = 'AND';

  @Children(...CHILDREN) children!: FieldFilterPartDto[];
}
