import type { FieldFilterPartDto, StepFilterDto } from '@clarion/contracts';
import type { FilterOperator, Json } from '@clarion/contracts/words';
import { boundsOf, isAbsent, isBetween, isSame, listOf, orderOf } from './comparing';
import { isLike } from './like';
import { valueAt, variableAt, type Variables } from './variables';

/** One comparison as it went, for the record. */
export type EvaluatedCondition = {
  /** The namespace it looked into. */
  filter: string;
  field: string;
  operator: string;
  expected: Json;
  actual?: Json;
  passed: boolean;
};

export type FilterMatch = { passed: boolean; faults: string[]; evaluated: EvaluatedCondition[] };

/**
 * The conditions of a step, a variant or an integration: of several groups one that holds is enough, none at all means
 * "always", and so does a group without comparisons. Groups after the first that holds are not looked at.
 *
 * A comparison that cannot be made is a fault, neither true nor false, so that a negation never turns a mistake into a yes.
 */
export function matchFilters(filters: StepFilterDto[], variables: Variables): FilterMatch {
  const match: FilterMatch = { passed: filters.length === 0, faults: [], evaluated: [] };
  for (const group of filters) {
    if (holds(group, variables, match) !== true) continue;
    match.passed = true;
    break;
  }
  return match;
}

function holds(group: StepFilterDto, variables: Variables, match: FilterMatch): boolean | undefined {
  if (group.children.length === 0) return true;
  const results = group.children.map((part) => compare(part, variables, match));
  // One true decides an OR, one false an AND; a fault counts only where nothing decides.
  const deciding = group.value === 'OR';
  const result = results.includes(deciding) ? deciding : results.includes(undefined) ? undefined : !deciding;
  return result === undefined || !group.isNegated ? result : !result;
}

/** Undefined when the comparison cannot be made; either way it is written down. */
function compare(part: FieldFilterPartDto, variables: Variables, match: FilterMatch): boolean | undefined {
  const { on, field, operator, value } = part;
  const source = SOURCES.find((name) => name === on);
  const actual = source && valueAt(variables[source], field);
  const expected = filledIn(value, variables);
  const result =
    source === undefined
      ? { fault: `there are no variables of "${on as string}"` }
      : 'fault' in expected
        ? expected
        : testOf(operator)(actual, expected.value);
  match.evaluated.push({
    filter: on,
    field,
    operator,
    expected: 'fault' in expected ? value : expected.value,
    ...(actual !== undefined && { actual }),
    passed: result === true,
  });
  if (typeof result === 'boolean') return result;
  match.faults.push(`${on}.${field} ${operator} "${value}": ${result.fault}`);
  return undefined;
}

/** The interface names the first two; the others may stand in data that came from elsewhere. */
const SOURCES = ['payload', 'subscriber', 'tenant', 'context', 'actor'] as const;

type Fault = { fault: string };
type Test = (actual: Json | undefined, expected: Json) => boolean | Fault;

const opposite =
  (test: Test): Test =>
  (actual, expected) => {
    const result = test(actual, expected);
    return typeof result === 'boolean' ? !result : result;
  };

const inOrder =
  (accepts: (order: number) => boolean): Test =>
  (actual, expected) => {
    const order = orderOf(actual, expected);
    return order !== undefined && accepts(order);
  };

const isAmong = (value: Json, list: Json[]): boolean => !isAbsent(value) && list.some((item) => isSame(value, item));

/** What has several values is in the list when one of them is. */
const anyIn: Test = (actual, expected) => {
  const list = listOf(expected);
  return (Array.isArray(actual) ? actual : [actual ?? null]).some((value) => isAmong(value, list));
};

/** Nothing is not in any list. */
const allIn: Test = (actual, expected) => {
  const list = listOf(expected);
  const values = Array.isArray(actual) ? actual : [actual ?? null];
  return values.length > 0 && values.every((value) => isAmong(value, list));
};

const between: Test = (actual, expected) => {
  const bounds = boundsOf(expected);
  return bounds ? isBetween(actual, bounds) : { fault: 'needs two bounds, as in "3,7"' };
};

const like: Test = (actual, expected) => {
  let tooLong = false;
  const found = (Array.isArray(actual) ? actual : [actual]).some((value) => {
    if (isAbsent(value) || typeof value === 'object') return false;
    const result = isLike(String(value), String(expected));
    tooLong ||= result === undefined;
    return result === true;
  });
  return found || !tooLong ? found : { fault: 'takes too long to compare' };
};

/** Whatever is absent equals nothing, is in no list and has no order; each NOT_ is the opposite of its other half. */
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

/** `{{ path }}` in what a condition compares with. Alone it stands for the value itself, in a text for its text. */
function filledIn(text: string, variables: Variables): { value: Json } | Fault {
  if (text.includes('{%')) return { fault: 'tags cannot be used here, only {{ path }}' };
  const [before = '', ...rest] = text.split('{{');
  const pieces: Json[] = [before];
  for (const piece of rest) {
    const end = piece.indexOf('}}');
    const path = piece.slice(0, end).trim();
    if (end < 0 || !PATH.test(path)) return { fault: 'only {{ path }} can be used here' };
    pieces.push(variableAt(variables, path) ?? '', piece.slice(end + 2));
  }
  const filled = pieces.filter((piece) => piece !== '');
  if (filled.length === 1) return { value: filled[0]! };
  return { value: filled.map((piece) => (typeof piece === 'object' ? JSON.stringify(piece) : String(piece))).join('') };
}
