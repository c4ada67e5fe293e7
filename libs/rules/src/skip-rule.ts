import { isJsonObject, type Json, type JsonObject, LIMITS } from '@clarion/contracts/core';
import jsonLogic from 'json-logic-js';
import { boundsOf, isAbsent, isBetween, isSame, listOf, numberOf, orderOf, timeOf } from './comparing';
import { DAY_MS, durationMs } from './durations';
import { valueAt, type Variables } from './variables';
import { TooMuchWork, Work } from './work';

/**
 * Evaluates JSON-Logic rules, which tenants write.
 *
 * A rule is rewritten first: unknown operators are refused, and loops and large values count as work (`Work`), so
 * that every rule ends.
 */
export type RunDecision = { run: boolean } | { fault: string };

export function evaluateRunRule(
  rule: Json | undefined,
  variables: Variables,
  now: Date,
  work = new Work(),
): RunDecision {
  if (isAbsent(rule) || rule === '' || (isJsonObject(rule) && Object.keys(rule).length === 0)) return { run: true };
  if (!isJsonObject(rule) || Object.keys(rule).length !== 1) {
    return { fault: 'a rule is an object with one operator, such as {"==": [{"var": "payload.plan"}, "pro"]}' };
  }
  try {
    const prepared = prepare(rule, new Evaluation(now, work), 0) as Parameters<typeof jsonLogic.apply>[0];
    return { run: jsonLogic.truthy(jsonLogic.apply(prepared, dataOf(variables))) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      fault:
        error instanceof RuleFault || error instanceof TooMuchWork ? reason : `the rule cannot be evaluated: ${reason}`,
    };
  }
}

/** The number of operators in one rule: preparing an operator takes longer than a step. */
const MOST_PARTS = 5_000;

class RuleFault extends Error {}

/** The library registers operators globally, and would treat an object with one member as a rule. */
class Evaluation {
  parts = 0;

  constructor(
    readonly now: Date,
    readonly work: Work,
  ) {}
}

function dataOf(variables: Variables): JsonObject {
  const { subscriber } = variables;
  return { ...variables, subscriber: { ...subscriber, isOnline: subscriber['isOnline'] ?? false } } as JsonObject;
}

/** Operators of the library. EAGER ones evaluate all operands, LAZY ones only those that they need. */
const EAGER = new Set(['===', '!==', '!', '!!', '%', '+', '*', '-', '/', 'min', 'max', 'substr']);
const LAZY = new Set(['if', '?:', 'and', 'or']);
const LOOPS = new Set(['map', 'filter', 'reduce', 'all', 'some', 'none']);

function prepare(rule: Json, evaluation: Evaluation, depth: number): unknown {
  evaluation.work.spend(1);
  if (depth > LIMITS.jsonDepth) throw new RuleFault('the rule is nested too deeply');
  if (Array.isArray(rule)) return rule.map((item) => prepare(item, evaluation, depth + 1));
  if (!isJsonObject(rule)) return rule;
  if ((evaluation.parts += 1) > MOST_PARTS) throw new TooMuchWork();
  const [operator, ...others] = Object.keys(rule);
  // An object with another number of keys is a value, such as {amount, unit}.
  if (operator === undefined || others.length > 0) return rule;
  const given = rule[operator]!;
  const operands = (Array.isArray(given) ? given : [given]).map((operand) => {
    const before = evaluation.work.done;
    return { value: prepare(operand, evaluation, depth + 1), size: evaluation.work.done - before };
  });
  const paid = ({ value, size }: { value: unknown; size: number }) => ({ [PAID]: [evaluation, size, value] });
  if (EAGER.has(operator)) return { [operator]: operands.map(paid) };
  const values = operands.map(({ value }) => value);
  if (LAZY.has(operator)) return { [operator]: values };
  if (LOOPS.has(operator)) {
    const [list, , ...more] = values;
    return { [operator]: [list, operands[1] && paid(operands[1]), ...more] };
  }
  if (Object.hasOwn(OPERATORS, operator)) return { [ownName(operator)]: [evaluation, ...values] };
  throw new RuleFault(`there is no operator "${operator}"`);
}

type Value = Json | undefined;
type Operator = (this: Json, evaluation: Evaluation, ...operands: Value[]) => Json;
type Test = (evaluation: Evaluation, ...operands: Value[]) => boolean;

const not =
  (test: Test): Test =>
  (...operands) =>
    !test(...operands);

const inOrder =
  (accepts: (order: number) => boolean): Test =>
  (_evaluation, ...operands) => {
    const ordered = (left: Value, right: Value): boolean => {
      const order = orderOf(left, right);
      return order !== undefined && accepts(order);
    };
    const [first, second, third] = operands;
    return ordered(first, second) && (third === undefined || ordered(second, third));
  };

const same: Test = (_evaluation, left, right) => isSame(left, right);

const inText =
  (accepts: (text: string, part: string) => boolean): Test =>
  (evaluation, value, part) => {
    const [text, sought] = [textOf(value), textOf(part)];
    if (text === undefined || sought === undefined) return false;
    evaluation.work.spendOnSearch(text, sought);
    return accepts(text, sought);
  };

/** Numbers and booleans as text; lists and objects have no text. */
const textOf = (value: Value): string | undefined =>
  isAbsent(value) || typeof value === 'object' ? undefined : String(value);

const startsWith = inText((text, part) => text.startsWith(part));
const endsWith = inText((text, part) => text.endsWith(part));
const hasPart = inText((text, part) => text.includes(part));

/** A list contains its items, a text its parts. */
const contains: Test = (evaluation, value, part) => {
  if (!Array.isArray(value)) return hasPart(evaluation, value, part);
  evaluation.work.spend(value.length);
  return value.some((item) => isSame(item, part));
};

const containsAny: Test = (evaluation, value, parts) => listOf(parts).some((part) => contains(evaluation, value, part));

const isNull: Test = (_evaluation, value) => isAbsent(value);

const between: Test = (_evaluation, value, ...given) => {
  const bounds = boundsOf(given.length > 1 ? given.map((bound) => bound ?? null) : given[0]);
  if (!bounds) throw new RuleFault('between needs two bounds, as in [3, 7]');
  return isBetween(value, bounds);
};

type Ago = { elapsed: number; length: number; unitLength: number };

/** False for a value that is not a date. */
const ago =
  (accepts: (ago: Ago) => boolean): Test =>
  ({ now }, value, given) => {
    const { amount, unit } = isJsonObject(given) ? given : {};
    const count = numberOf(amount);
    const unitLength = unit === 'years' ? 365 * DAY_MS : durationMs(1, unit);
    if (count === undefined || count < 0 || unitLength === undefined) {
      throw new RuleFault('a time ago is given as {"amount": 3, "unit": "days"}');
    }
    const time = timeOf(value);
    return time !== undefined && accepts({ elapsed: now.getTime() - time, length: count * unitLength, unitLength });
  };

const withinLast = ago(({ elapsed, length }) => elapsed >= 0 && elapsed <= length);

function missing(data: Json, keys: Value[]): Json[] {
  return keys
    .map((key) => textOf(key) ?? '')
    .filter((key) => {
      const value = valueAt(data, key);
      return isAbsent(value) || value === '';
    });
}

const OPERATORS: Record<string, Operator> = {
  // Reads only the data itself; the library would also read inherited properties of JavaScript objects.
  var(_evaluation, path, otherwise) {
    if (isAbsent(path) || path === '') return this;
    return valueAt(this, String(path)) ?? otherwise ?? null;
  },
  // The library would evaluate a key from the data as a rule.
  missing(_evaluation, ...keys) {
    return missing(this, Array.isArray(keys[0]) ? keys[0] : keys);
  },
  missing_some(_evaluation, needed, keys) {
    const named = listOf(keys);
    const absent = missing(this, named);
    return named.length - absent.length >= (numberOf(needed) ?? 0) ? [] : absent;
  },
  cat(evaluation, ...parts) {
    const texts = parts.map((part) => (isAbsent(part) ? '' : String(part)));
    for (const text of texts) evaluation.work.spend(text.length);
    return texts.join('');
  },
  merge(evaluation, ...parts) {
    const lists = parts.map((part) => (Array.isArray(part) ? part : [part ?? null]));
    for (const list of lists) evaluation.work.spend(list.length);
    return lists.flat();
  },
  '==': same,
  '=': same,
  '!=': not(same),
  '<': inOrder((order) => order < 0),
  '<=': inOrder((order) => order <= 0),
  '>': inOrder((order) => order > 0),
  '>=': inOrder((order) => order >= 0),
  in: (evaluation, part, value) => contains(evaluation, value, part),
  notIn: (evaluation, part, value) => !contains(evaluation, value, part),
  startsWith,
  endsWith,
  doesNotBeginWith: not(startsWith),
  doesNotEndWith: not(endsWith),
  contains,
  doesNotContain: not(contains),
  containsAny,
  doesNotContainAny: not(containsAny),
  null: isNull,
  notNull: not(isNull),
  between,
  notBetween: not(between),
  moreThanXAgo: ago(({ elapsed, length }) => elapsed > length),
  lessThanXAgo: ago(({ elapsed, length }) => elapsed >= 0 && elapsed < length),
  // In whole units: exactly three days ago is at least three and less than four days ago.
  exactlyXAgo: ago(({ elapsed, length, unitLength }) => elapsed >= length && elapsed < length + unitLength),
  withinLast,
  notWithinLast: not(withinLast),
};

export const RULE_OPERATOR_NAMES: readonly string[] = [...EAGER, ...LAZY, ...LOOPS, ...Object.keys(OPERATORS)];

const PAID = ownName('paid');

/** The prefix keeps the operators of the library unchanged. */
function ownName(operator: string): string {
  return `clarion:${operator}`;
}

for (const [operator, code] of Object.entries(OPERATORS)) {
  jsonLogic.add_operation(ownName(operator), function (this: Json, evaluation: Evaluation, ...operands: Value[]): Json {
    for (const operand of operands) evaluation.work.spendOn(operand);
    return code.call(this, evaluation, ...operands);
  });
}

/** Returns the value of an operand after its work is counted. */
jsonLogic.add_operation(PAID, ({ work }: Evaluation, steps: number, value: Value): Value => {
  work.spend(steps);
  work.spendOn(value);
  return value;
});
