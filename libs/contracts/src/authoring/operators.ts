import type { JsonObject } from '../json';
import { FILTER_OPERATORS, type FilterOperator } from '../vocabulary';
import type { DescribedOperator } from './described';

type Row = [description: string, field: string, value: string, result: boolean];

/** The operators of step filters and of integration conditions. */
const FILTERS: Record<FilterOperator, Row> = {
  EQUAL: ['Both are the same; numbers, dates and booleans may be text.', 'order.id', '42', true],
  NOT_EQUAL: ['The opposite of EQUAL.', 'plan', 'gold', false],
  LARGER: ['The value is larger, or later.', 'count', '2', true],
  LARGER_EQUAL: ['The value is larger or the same.', 'count', '3', true],
  SMALLER: ['The value is smaller, or earlier.', 'at', '2030-01-01', false],
  SMALLER_EQUAL: ['The value is smaller or the same.', 'count', '3', true],
  IN: ['The value, or one of its items, is in the list.', 'plan', 'gold,silver', true],
  ANY_IN: ['The same as IN.', 'tags', '["a","z"]', true],
  ALL_IN: ['Every item of the value is in the list.', 'tags', 'a,b', true],
  NOT_IN: ['The opposite of IN.', 'plan', 'gold,silver', false],
  BETWEEN: ['The value is between two bounds; both are included.', 'count', '[3,7]', true],
  NOT_BETWEEN: ['The opposite of BETWEEN.', 'count', '3,7', false],
  LIKE: ['The text contains the value; `%` and `_` as in SQL.', 'order.status', 'ship%', true],
  NOT_LIKE: ['The opposite of LIKE.', 'name', 'A_a', false],
};

export const CONDITION_OPERATORS: readonly DescribedOperator[] = FILTER_OPERATORS.map((name) => {
  const [description, field, value, result] = FILTERS[name];
  return { name, description, example: { on: 'payload', field, operator: name, value }, result };
});

const of = (path: string): JsonObject => ({ var: path });

/** The operators of the rules in `runIf` and `skip`, each with a rule and whether the step runs. */
const RULES: [name: string, description: string, rule: JsonObject, result: boolean][] = [
  ['var', 'The value of a variable, or the second operand if it is absent.', { var: 'payload.name' }, true],
  ['==', 'Both are the same; numbers, dates and booleans may be text.', { '==': [of('payload.plan'), 'gold'] }, true],
  ['=', 'The same as ==.', { '=': [of('payload.count'), 3] }, true],
  ['!=', 'The opposite of ==.', { '!=': [of('payload.plan'), 'gold'] }, false],
  ['===', 'Both are the same and of the same type.', { '===': [of('payload.count'), '3'] }, false],
  ['!==', 'The opposite of ===.', { '!==': [of('payload.count'), '3'] }, true],
  [
    '<',
    'Smaller or earlier. A third operand asks for a value between the others.',
    { '<': [1, of('payload.count'), 5] },
    true,
  ],
  ['<=', 'Smaller or the same.', { '<=': [of('payload.count'), 3] }, true],
  ['>', 'Larger or later.', { '>': [of('payload.at'), '2030-01-01'] }, true],
  ['>=', 'Larger or the same.', { '>=': [of('payload.count'), 4] }, false],
  ['!', 'The opposite.', { '!': [of('payload.missing')] }, true],
  ['!!', 'Whether a value is true: not absent, empty or 0.', { '!!': [of('payload.tags')] }, true],
  ['and', 'All operands are true.', { and: [of('payload.name'), { '>': [of('payload.count'), 1] }] }, true],
  ['or', 'One operand is true.', { or: [of('payload.missing'), of('payload.name')] }, true],
  [
    'if',
    'The second operand if the first is true, otherwise the third.',
    { if: [of('payload.missing'), true, false] },
    false,
  ],
  ['?:', 'The same as if.', { '?:': [of('payload.name'), true, false] }, true],
  [
    'in',
    'The second operand contains the first: an item of a list, a part of a text.',
    { in: ['a', of('payload.tags')] },
    true,
  ],
  ['notIn', 'The opposite of in.', { notIn: ['z', of('payload.tags')] }, true],
  ['contains', 'The first operand contains the second.', { contains: [of('payload.order.status'), 'ship'] }, true],
  ['doesNotContain', 'The opposite of contains.', { doesNotContain: [of('payload.tags'), 'a'] }, false],
  [
    'containsAny',
    'The first operand contains an item of the second.',
    { containsAny: [of('payload.tags'), ['a', 'z']] },
    true,
  ],
  ['doesNotContainAny', 'The opposite of containsAny.', { doesNotContainAny: [of('payload.tags'), ['y', 'z']] }, true],
  ['startsWith', 'The text begins with the second operand.', { startsWith: [of('payload.name'), 'A'] }, true],
  ['doesNotBeginWith', 'The opposite of startsWith.', { doesNotBeginWith: [of('payload.name'), 'B'] }, true],
  ['endsWith', 'The text ends with the second operand.', { endsWith: [of('payload.name'), 'a'] }, true],
  ['doesNotEndWith', 'The opposite of endsWith.', { doesNotEndWith: [of('payload.name'), 'a'] }, false],
  ['null', 'The value is absent.', { null: [of('payload.missing')] }, true],
  ['notNull', 'The value is present.', { notNull: [of('payload.name')] }, true],
  ['between', 'The value is between two bounds; both are included.', { between: [of('payload.count'), [3, 7]] }, true],
  ['notBetween', 'The opposite of between.', { notBetween: [of('payload.count'), [3, 7]] }, false],
  [
    'moreThanXAgo',
    'The date is longer ago than the amount of time.',
    { moreThanXAgo: [of('subscriber.lastOnlineAt'), { amount: 1, unit: 'days' }] },
    false,
  ],
  [
    'lessThanXAgo',
    'The date is past and less long ago.',
    { lessThanXAgo: [of('subscriber.lastOnlineAt'), { amount: 1, unit: 'days' }] },
    true,
  ],
  [
    'exactlyXAgo',
    'The date is that long ago, in whole units.',
    { exactlyXAgo: [of('subscriber.lastOnlineAt'), { amount: 12, unit: 'hours' }] },
    true,
  ],
  [
    'withinLast',
    'The date is past and at most that long ago.',
    { withinLast: [of('subscriber.lastOnlineAt'), { amount: 1, unit: 'hours' }] },
    false,
  ],
  [
    'notWithinLast',
    'The opposite of withinLast.',
    { notWithinLast: [of('subscriber.lastOnlineAt'), { amount: 1, unit: 'hours' }] },
    true,
  ],
  [
    'missing',
    'The list of the named variables that are absent or empty.',
    { missing: ['payload.name', 'payload.email'] },
    true,
  ],
  [
    'missing_some',
    'The same, or an empty list if the number of variables is present.',
    { missing_some: [1, ['payload.name', 'payload.email']] },
    false,
  ],
  ['+', 'The sum.', { '==': [{ '+': [of('payload.count'), 1] }, 4] }, true],
  ['-', 'The difference.', { '==': [{ '-': [of('payload.count'), 1] }, 2] }, true],
  ['*', 'The product.', { '==': [{ '*': [of('payload.count'), 2] }, 6] }, true],
  ['/', 'The quotient.', { '==': [{ '/': [of('payload.count'), 2] }, 1.5] }, true],
  ['%', 'The rest of a division.', { '==': [{ '%': [of('payload.count'), 2] }, 1] }, true],
  ['min', 'The smallest operand.', { '==': [{ min: [of('payload.count'), 9] }, 3] }, true],
  ['max', 'The largest operand.', { '==': [{ max: [of('payload.count'), 9] }, 9] }, true],
  ['cat', 'The operands as one text.', { '==': [{ cat: [of('payload.name'), '!'] }, 'Ada!'] }, true],
  [
    'substr',
    'A part of a text: the start, then the number of characters.',
    { '==': [{ substr: [of('payload.name'), 0, 2] }, 'Ad'] },
    true,
  ],
  ['merge', 'The operands as one list.', { in: ['z', { merge: [of('payload.tags'), ['z']] }] }, true],
  [
    'map',
    'A list with the result of a rule for each item.',
    { in: ['Bob', { map: [of('payload.people'), of('name')] }] },
    true,
  ],
  [
    'filter',
    'The items for which a rule is true.',
    { '!!': [{ filter: [of('payload.people'), { '>': [of('age'), 40] }] }] },
    true,
  ],
  [
    'reduce',
    'One value from a list: `current` is the item, `accumulator` the value so far.',
    { '==': [{ reduce: [of('payload.people'), { '+': [of('current.age'), of('accumulator')] }, 0] }, 113] },
    true,
  ],
  ['all', 'A rule is true for every item.', { all: [of('payload.people'), { '>': [of('age'), 40] }] }, false],
  ['some', 'A rule is true for an item.', { some: [of('payload.people'), { '>': [of('age'), 40] }] }, true],
  ['none', 'A rule is true for no item.', { none: [of('payload.people'), { '>': [of('age'), 50] }] }, true],
];

export const RULE_OPERATORS: readonly DescribedOperator[] = RULES.map(([name, description, example, result]) => ({
  name,
  description,
  example,
  result,
}));
