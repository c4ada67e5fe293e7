import type { FieldFilterPartDto, StepFilterDto } from '@clarion/contracts';
import type { FilterOperator, Json } from '@clarion/contracts/core';
import { boundsOf, isAbsent, isBetween, isSame, listOf, orderOf } from './comparing';
import { isLike } from './like';
import type { EvaluatedRule } from './rule-trace';
import { valueAt, variableAt, type Variables } from './variables';
import { TooMuchWork, Work } from './work';

/** One evaluated comparison, as the execution detail shows it. */
export type EvaluatedCondition = {
  filter: string;
  field: string;
  operator: string;
  expected: Json;
  actual?: Json;
  passed: boolean;
};

export type FilterMatch = { passed: boolean; faults: string[]; evaluated: EvaluatedCondition[] };

export const evaluatedConditions = ({ passed, faults, evaluated }: FilterMatch): EvaluatedRule => ({
  rule: 'conditions',
  passed: passed && faults.length === 0,
  values: { ...(evaluated.length > 0 && { conditions: evaluated }), ...(faults.length > 0 && { faults }) },
});

/**
 * Evaluates the conditions of a step, a variant or an integration. One matching group is enough. No groups, and a
 * group without comparisons, always match. Groups after the first match are not evaluated.
 *
 * A comparison that cannot be made is a fault, neither true nor false, so that a negation does not turn an error into
 * a match.
 */
export function matchFilters(filters: StepFilterDto[], variables: Variables, work = new Work()): FilterMatch {
  const match: FilterMatch = { passed: filters.length === 0, faults: [], evaluated: [] };
  for (const group of filters) {
    if (holds(group, variables, match, work) !== true) continue;
    match.passed = true;
    break;
  }
  return match;
}

function holds(group: StepFilterDto, variables: Variables, match: FilterMatch, work: Work): boolean | undefined {
  if (group.children.length === 0) return true;
  const results = group.children.map((part) => compare(part, variables, match, work));
  // One true value decides an OR, one false value an AND; a fault counts only when nothing else decides.
  const deciding = group.value === 'OR';
  const result = results.includes(deciding) ? deciding : results.includes(undefined) ? undefined : !deciding;
  return result === undefined || !group.isNegated ? result : !result;
}

/** Undefined when the comparison cannot be made. It is added to `evaluated` in both cases. */
function compare(part: FieldFilterPartDto, variables: Variables, match: FilterMatch, work: Work): boolean | undefined {
  const { on, field, operator, value } = part;
  const source = SOURCES.find((name) => name === on);
  const actual = source && valueAt(variables[source], field);
  const expected = filledIn(value, variables, work);
  const result =
    source === undefined
      ? { fault: `there are no variables of "${on as string}"` }
      : 'fault' in expected
        ? expected
        : paid(work, () => {
            work.spendOn(actual);
            work.spendOn(expected.value);
            return testOf(operator)(actual, expected.value, work);
          });
  if (match.evaluated.length < RECORDED) {
    match.evaluated.push({
      filter: on,
      field,
      operator,
      expected: shown('fault' in expected ? value : expected.value),
      ...(actual !== undefined && { actual: shown(actual) }),
      passed: result === true,
    });
  }
  if (typeof result === 'boolean') return result;
  if (match.faults.length < RECORDED) {
    match.faults.push(`${on}.${field} ${operator} "${cut(value)}": ${result.fault}`);
  }
  return undefined;
}

/** Limits of one execution detail: comparisons, and characters of one value. */
const RECORDED = 100;
const SHOWN_CHARACTERS = 200;

const cut = (text: string): string => (text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`);

/** The value as the execution detail shows it; a long value is shortened to the beginning of its text. */
export function shown(value: Json): Json {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (roomAfter(value, SHOWN_CHARACTERS) >= 0) return value;
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}

/** The characters that are left after the value; reads no more of the value than fits. */
function roomAfter(value: Json, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room - 1;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = roomAfter(value[index]!, left);
    return left;
  }
  for (const key in value) {
    if (left < 0) break;
    left = roomAfter(value[key]!, left - key.length);
  }
  return left;
}

/** The work is counted before it is done. */
function paid<T>(work: Work, test: () => T): T | Fault {
  try {
    work.spend(1);
    return test();
  } catch (error) {
    if (error instanceof TooMuchWork) return { fault: 'takes too much work to compare' };
    throw error;
  }
}

/** The interface names the first three sources; imported data may have the others. */
const SOURCES = ['payload', 'subscriber', 'steps', 'tenant', 'context', 'actor'] as const;

type Fault = { fault: string };
type Test = (actual: Json | undefined, expected: Json, work: Work) => boolean | Fault;

const opposite =
  (test: Test): Test =>
  (actual, expected, work) => {
    const result = test(actual, expected, work);
    return typeof result === 'boolean' ? !result : result;
  };

const inOrder =
  (accepts: (order: number) => boolean): Test =>
  (actual, expected) => {
    const order = orderOf(actual, expected);
    return order !== undefined && accepts(order);
  };

function isAmong(value: Json, list: Json[], work: Work): boolean {
  if (isAbsent(value)) return false;
  work.spend(list.length);
  return list.some((item) => isSame(value, item));
}

const valuesOf = (actual: Json | undefined): Json[] => (Array.isArray(actual) ? actual : [actual ?? null]);

/** A value that is a list is in the other list when one of its items is. */
const anyIn: Test = (actual, expected, work) => {
  const list = listOf(expected);
  const values = valuesOf(actual);
  return values.some((value) => isAmong(value, list, work));
};

/** An absent value is in no list. */
const allIn: Test = (actual, expected, work) => {
  const list = listOf(expected);
  const values = valuesOf(actual);
  return values.length > 0 && values.every((value) => isAmong(value, list, work));
};

const between: Test = (actual, expected) => {
  const bounds = boundsOf(expected);
  return bounds ? isBetween(actual, bounds) : { fault: 'needs two bounds, as in "3,7"' };
};

const like: Test = (actual, expected, work) =>
  valuesOf(actual).some(
    (value) => !isAbsent(value) && typeof value !== 'object' && isLike(String(value), String(expected), work),
  );

/** An absent value equals nothing, is in no list and has no order. NOT_ operators are opposites. */
const TESTS: Record<FilterOperator, Test> = {
  EQUAL: isSame,
  NOT_EQUAL: opposite(isSame),
  LARGER: inOrder((order) => order > 0),
  LARGER_EQUAL: inOrder((order) => order >= 0),
  SMALLER: inOrder((order) => order < 0),
  SMALLER_EQUAL: inOrder((order) => order <= 0),
  IN: anyIn,
  NOT_IN: opposite(anyIn),
  ANY_IN: anyIn,
  ALL_IN: allIn,
  BETWEEN: between,
  NOT_BETWEEN: opposite(between),
  LIKE: like,
  NOT_LIKE: opposite(like),
};

function testOf(operator: FilterOperator): Test {
  return Object.hasOwn(TESTS, operator) ? TESTS[operator] : () => ({ fault: 'there is no such operator' });
}

const PATH = /^[\w$-]+(?:\.[\w$-]+|\[\d+\])*$/;

/** Replaces `{{ path }}`. A value that is only a variable becomes the value of the variable. */
function filledIn(text: string, variables: Variables, work: Work): { value: Json } | Fault {
  return text.includes('{') ? paid(work, () => filled(text, variables, work)) : { value: text };
}

function filled(text: string, variables: Variables, work: Work): { value: Json } | Fault {
  if (text.includes('{%')) return { fault: 'tags cannot be used here, only {{ path }}' };
  const [before = '', ...rest] = text.split('{{');
  const pieces: Json[] = [before];
  for (const piece of rest) {
    const end = piece.indexOf('}}');
    const path = piece.slice(0, end).trim();
    if (end < 0 || !PATH.test(path)) return { fault: 'only {{ path }} can be used here' };
    const value = variableAt(variables, path) ?? '';
    work.spendOn(value);
    pieces.push(value, piece.slice(end + 2));
  }
  const parts = pieces.filter((piece) => piece !== '');
  if (parts.length === 1) return { value: parts[0]! };
  return { value: parts.map((piece) => (typeof piece === 'object' ? JSON.stringify(piece) : String(piece))).join('') };
}
