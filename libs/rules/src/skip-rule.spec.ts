import type { Json, JsonObject } from '@clarion/contracts';
import fc from 'fast-check';
import jsonLogic from 'json-logic-js';
import { evaluateRunRule } from './skip-rule';

const NOW = new Date('2026-06-15T12:00:00Z');
const SECONDS = 1000;
const HOURS = 60 * 60 * SECONDS;
const DAYS = 24 * HOURS;

const before = (ms: number): string => new Date(NOW.getTime() - ms).toISOString();

const evaluate = (rule: Json | undefined, payload: JsonObject = {}, subscriber: JsonObject = {}) =>
  evaluateRunRule(rule, { payload, subscriber }, NOW);

/** The rule with the value `x` of the payload in the first place. */
const runs = (operator: string, x: Json | undefined, ...operands: Json[]): boolean => {
  const verdict = evaluate({ [operator]: [{ var: 'payload.x' }, ...operands] }, x === undefined ? {} : { x });
  if ('fault' in verdict) throw new Error(verdict.fault);
  return verdict.run;
};

describe('evaluateRunRule', () => {
  it.each([undefined, null, '', {}])('always runs the step with the rule %j', (rule) => {
    expect(evaluate(rule)).toEqual({ run: true });
  });

  it('runs the step when the rule is true and not when it is false', () => {
    const rule = { '==': [{ var: 'payload.plan' }, 'pro'] };
    expect(evaluate(rule, { plan: 'pro' })).toEqual({ run: true });
    expect(evaluate(rule, { plan: 'free' })).toEqual({ run: false });
    expect(evaluate(rule)).toEqual({ run: false });
  });

  it.each<[Json, boolean]>([
    [{ var: 'payload.empty' }, false],
    [{ var: 'payload.zero' }, false],
    [{ var: 'payload.list' }, false],
    [{ var: 'payload.missing' }, false],
    [{ var: 'payload.text' }, true],
    [{ var: ['payload.missing', 'otherwise'] }, true],
  ])('evaluates the rule %j to %s', (rule, run) => {
    expect(evaluate(rule, { empty: '', zero: 0, list: [], text: 'x' })).toEqual({ run });
  });

  it('reads variables of every namespace', () => {
    const variables = {
      payload: { a: 1 },
      subscriber: { a: 1 },
      steps: { digest: { eventCount: 1 } },
      context: { region: { id: 1 } },
      workflow: { a: 1 },
      tenant: { a: 1 },
      actor: { a: 1 },
      env: { a: 1 },
    };
    const paths = [
      'payload.a',
      'subscriber.a',
      'steps.digest.eventCount',
      'context.region.id',
      'workflow.a',
      'tenant.a',
    ];
    const rule = { and: [...paths, 'actor.a', 'env.a'].map((path) => ({ '===': [{ var: path }, 1] })) };
    expect(evaluateRunRule(rule, variables, NOW)).toEqual({ run: true });
  });

  it('treats a subscriber as offline unless it is known to be online', () => {
    const rule = { '===': [{ var: 'subscriber.isOnline' }, false] };
    expect(evaluate(rule)).toEqual({ run: true });
    expect(evaluate(rule, {}, { isOnline: null })).toEqual({ run: true });
    expect(evaluate(rule, {}, { isOnline: true })).toEqual({ run: false });
  });

  it('does not change the rule or the variables', () => {
    const rule: Json = { some: [{ var: 'payload.list' }, { withinLast: [{ var: '' }, { amount: 1, unit: 'days' }] }] };
    const payload = { list: [before(HOURS)] };
    const copy = structuredClone({ rule, payload });
    expect(evaluate(rule, payload)).toEqual({ run: true });
    expect({ rule, payload }).toEqual(copy);
  });
});

describe('operators of rules', () => {
  type Row = [operator: string, x: Json | undefined, operands: Json[], run: boolean];

  it.each<Row>([
    ['=', 'a', ['a'], true],
    ['=', 5, ['5'], true],
    ['==', 'true', [true], true],
    ['==', '2026-01-01', ['2026-01-01T00:00:00Z'], true],
    ['==', 'b', ['a'], false],
    ['==', undefined, [null], true],
    ['==', 0, [null], false],
    ['!=', 5, ['5'], false],
    ['!=', undefined, ['a'], true],
    ['===', 5, ['5'], false],
    ['!==', 5, ['5'], true],
    ['<', 9, ['10'], true],
    ['<', '9', ['10'], true],
    ['<', 10, [10], false],
    ['<', 5, [6, 7], true],
    ['<', 5, [6, 6], false],
    ['<', undefined, [10], false],
    ['<=', 10, [10], true],
    ['<=', 5, [5, 5], true],
    ['>', '2026-02-01', ['2026-01-31T23:00:00Z'], true],
    ['>', 'b', ['a'], true],
    ['>', undefined, [-1], false],
    ['>=', 10, ['10'], true],
    ['>=', 9, ['10'], false],
    ['>', true, [false], true],
  ])('evaluates %s of %j with %j to %s', (operator, x, operands, run) => {
    expect(runs(operator, x, ...operands)).toBe(run);
  });

  it.each<Row>([
    ['startsWith', 'hello', ['he'], true],
    ['startsWith', 'hello', ['lo'], false],
    ['startsWith', 1234, [12], true],
    ['startsWith', undefined, ['null'], false],
    ['endsWith', 'hello', ['lo'], true],
    ['endsWith', 'hello', ['he'], false],
    ['contains', 'hello', ['ell'], true],
    ['contains', 'hello', ['x'], false],
    ['contains', ['a', 5], ['5'], true],
    ['contains', ['ab'], ['a'], false],
    ['contains', undefined, ['x'], false],
    ['containsAny', 'hello', [['x', 'ell']], true],
    ['containsAny', 'hello', ['x,ell'], true],
    ['containsAny', 'hello', [['x', 'y']], false],
    ['containsAny', ['a', 'b'], [['b', 'c']], true],
    ['in', 'a', [['a', 'b']], true],
    ['in', 5, [['5']], true],
    ['in', 'c', [['a', 'b']], false],
    ['in', 'ell', ['hello'], true],
    ['in', undefined, [['a']], false],
    ['between', 5, [[3, 7]], true],
    ['between', '7', ['3,7'], true],
    ['between', 3, [3, 7], true],
    ['between', 8, [[3, 7]], false],
    ['between', undefined, [[3, 7]], false],
    ['between', '2026-01-15', [['2026-01-01', '2026-02-01']], true],
    ['null', undefined, [], true],
    ['null', null, [], true],
    ['null', '', [], false],
    ['withinLast', before(2 * DAYS), [{ amount: 3, unit: 'days' }], true],
    ['withinLast', before(3 * DAYS), [{ amount: 3, unit: 'days' }], true],
    ['withinLast', before(3 * DAYS + 1), [{ amount: 3, unit: 'days' }], false],
    ['withinLast', before(-1), [{ amount: 3, unit: 'days' }], false],
    ['withinLast', undefined, [{ amount: 3, unit: 'days' }], false],
  ])('evaluates %s of %j with %j to %s, and its opposite to the other value', (operator, x, operands, run) => {
    const opposites: Record<string, string> = {
      startsWith: 'doesNotBeginWith',
      endsWith: 'doesNotEndWith',
      contains: 'doesNotContain',
      containsAny: 'doesNotContainAny',
      in: 'notIn',
      between: 'notBetween',
      null: 'notNull',
      withinLast: 'notWithinLast',
    };
    expect(runs(operator, x, ...operands)).toBe(run);
    expect(runs(opposites[operator]!, x, ...operands)).toBe(!run);
  });

  it.each<Row>([
    ['moreThanXAgo', before(2 * HOURS + 1), [{ amount: 2, unit: 'hours' }], true],
    ['moreThanXAgo', before(2 * HOURS), [{ amount: 2, unit: 'hours' }], false],
    ['moreThanXAgo', NOW.getTime() - 3 * HOURS, [{ amount: '2', unit: 'hours' }], true],
    ['moreThanXAgo', 'never', [{ amount: 2, unit: 'hours' }], false],
    ['moreThanXAgo', before(31 * DAYS), [{ amount: 1, unit: 'months' }], true],
    ['moreThanXAgo', before(364 * DAYS), [{ amount: 1, unit: 'years' }], false],
    ['moreThanXAgo', before(8 * DAYS), [{ amount: 1, unit: 'weeks' }], true],
    ['lessThanXAgo', before(30 * SECONDS), [{ amount: 1, unit: 'minutes' }], true],
    ['lessThanXAgo', before(60 * SECONDS), [{ amount: 1, unit: 'minutes' }], false],
    ['lessThanXAgo', before(-1), [{ amount: 1, unit: 'minutes' }], false],
    ['lessThanXAgo', undefined, [{ amount: 1, unit: 'minutes' }], false],
    ['exactlyXAgo', before(3 * DAYS), [{ amount: 3, unit: 'days' }], true],
    ['exactlyXAgo', before(4 * DAYS - 1), [{ amount: 3, unit: 'days' }], true],
    ['exactlyXAgo', before(4 * DAYS), [{ amount: 3, unit: 'days' }], false],
    ['exactlyXAgo', before(3 * DAYS - 1), [{ amount: 3, unit: 'days' }], false],
    ['exactlyXAgo', before(0), [{ amount: 0, unit: 'days' }], true],
  ])('evaluates %s of %j with %j to %s', (operator, x, operands, run) => {
    expect(runs(operator, x, ...operands)).toBe(run);
  });

  it('compares with the current time inside loops', () => {
    const rule: Json = {
      all: [{ var: 'payload.logins' }, { withinLast: [{ var: 'at' }, { amount: 1, unit: 'hours' }] }],
    };
    expect(evaluate(rule, { logins: [{ at: before(5) }, { at: before(6) }] })).toEqual({ run: true });
    expect(evaluate(rule, { logins: [{ at: before(5) }, { at: before(2 * HOURS) }] })).toEqual({ run: false });
  });

  it.each<[JsonObject, boolean]>([
    [{ if: [{ var: 'payload.a' }, false, true] }, false],
    [{ '?:': [{ var: 'payload.none' }, false, true] }, true],
    [{ and: [true, { var: 'payload.a' }] }, true],
    [{ or: [false, { var: 'payload.none' }] }, false],
    [{ '!': { var: 'payload.none' } }, true],
    [{ '!!': [{ var: 'payload.list' }] }, true],
    [{ '===': [{ '+': [1, '2'] }, 3] }, true],
    [{ '===': [{ '-': [{ '*': [2, 3] }, { '/': [4, 2] }] }, 4] }, true],
    [{ '===': [{ '%': [7, 4] }, { min: [5, 3] }] }, true],
    [{ '===': [{ max: [1, { var: 'payload.a' }] }, 2] }, true],
    [{ '==': [{ cat: ['a', 1, { var: 'payload.none' }, 'b'] }, 'a1b'] }, true],
    [{ '==': [{ substr: ['hello', 1, 3] }, 'ell'] }, true],
    [{ '==': [{ merge: [[1], 2, { var: 'payload.list' }] }, [1, 2, 3, 4]] }, true],
    [{ '==': [{ map: [{ var: 'payload.list' }, { '*': [{ var: '' }, 2] }] }, [6, 8]] }, true],
    [{ '==': [{ filter: [{ var: 'payload.list' }, { '>': [{ var: '' }, 3] }] }, [4]] }, true],
    [
      { '==': [{ reduce: [{ var: 'payload.list' }, { '+': [{ var: 'current' }, { var: 'accumulator' }] }, 1] }, 8] },
      true,
    ],
    [{ some: [{ var: 'payload.list' }, { '==': [{ var: '' }, 4] }] }, true],
    [{ none: [{ var: 'payload.list' }, { '==': [{ var: '' }, 4] }] }, false],
    [{ '==': [{ missing: ['payload.a', 'payload.none', 'payload.empty'] }, ['payload.none', 'payload.empty']] }, true],
    [{ '==': [{ missing_some: [1, ['payload.a', 'payload.none']] }, []] }, true],
    [{ '==': [{ missing_some: [2, ['payload.a', 'payload.none']] }, ['payload.none']] }, true],
  ])('evaluates %j to %s', (rule, run) => {
    expect(evaluate(rule, { a: 2, list: [3, 4], empty: '' })).toEqual({ run });
  });
});

describe('invalid rules', () => {
  it.each<[Json, RegExp]>([
    ['yes', /a rule is an object with one operator/],
    [true, /a rule is an object with one operator/],
    [[{ '==': [1, 1] }], /a rule is an object with one operator/],
    [{ '==': [1, 1], '!=': [1, 2] }, /a rule is an object with one operator/],
    [{ explode: [1] }, /there is no operator "explode"/],
    [{ and: [true, { '===': [1, { nope: 1 }] }] }, /there is no operator "nope"/],
    [{ log: 'x' }, /there is no operator "log"/],
    [{ toString: [] }, /there is no operator "toString"/],
    [{ 'clarion:paid': [] }, /there is no operator/],
    [{ between: [1, [1]] }, /between needs two bounds/],
    [{ notBetween: [1, 'x'] }, /between needs two bounds/],
    [{ moreThanXAgo: [before(1), { amount: 3, unit: 'ages' }] }, /a time ago is given as/],
    [{ withinLast: [before(1), { amount: 'x', unit: 'days' }] }, /a time ago is given as/],
    [{ withinLast: [before(1), { amount: 1, unit: 'constructor' }] }, /a time ago is given as/],
    [JSON.parse('{"__proto__": [1]}') as Json, /there is no operator "__proto__"/],
  ])('reports a fault for the rule %j', (rule, message) => {
    expect(evaluate(rule)).toEqual({ fault: expect.stringMatching(message) as string });
  });

  it('reports an invalid operator in a branch that is not evaluated', () => {
    expect(evaluate({ or: [true, { nope: 1 }] })).toEqual({ fault: 'there is no operator "nope"' });
  });

  it('never throws for any rule', () => {
    const operators = [
      'var',
      'missing',
      'missing_some',
      'cat',
      'merge',
      'map',
      'reduce',
      'substr',
      'in',
      'between',
      'if',
      '<',
    ];
    const rule = fc.letrec<{ rule: Json }>((tie) => ({
      rule: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
        fc.dictionary(fc.constantFrom(...operators, 'withinLast', 'none'), fc.array(tie('rule'), { maxLength: 3 }), {
          minKeys: 1,
          maxKeys: 1,
        }),
      ),
    })).rule;
    fc.assert(
      fc.property(rule, fc.jsonValue(), (value, x) => {
        const verdict = evaluate(value, { x: x as Json });
        expect('run' in verdict ? typeof verdict.run : typeof verdict.fault).toMatch(/boolean|string/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('hostile rules', () => {
  it.each([
    'payload.constructor',
    'payload.__proto__',
    'constructor.constructor',
    'payload.list.map',
    'subscriber.toString',
  ])('does not read %s', (path) => {
    expect(evaluate({ notNull: [{ var: path }] }, { list: [] })).toEqual({ run: false });
  });

  it('does not evaluate data as a rule', () => {
    const payload: JsonObject = {
      keys: [{ 'clarion:cat': ['x'] }, { log: 'x' }],
      x: { or: [true] },
      list: [{ '!': [false] }],
    };
    expect(evaluate({ '==': [{ missing: { var: 'payload.keys' } }, ['', '']] }, payload)).toEqual({ run: true });
    expect(evaluate({ '===': [{ var: 'payload.x' }, true] }, payload)).toEqual({ run: false });
    expect(evaluate({ some: [{ var: 'payload.list' }, { '===': [{ var: '' }, true] }] }, payload)).toEqual({
      run: false,
    });
  });

  const tooMuch = { fault: 'the rule takes too much work on this data' };
  const ones = Array.from({ length: 40 }, () => 1);
  const nested = (depth: number): Json => (depth === 0 ? 1 : { map: [ones, nested(depth - 1)] });
  const many = (length: number): Json[] => Array.from({ length }, () => 1);
  const keep: Json = { if: [{ contains: [{ var: 'accumulator' }, 'z'] }, 1, { var: 'accumulator' }] };

  it.each<[string, JsonObject, JsonObject]>([
    ['loops in loops', nested(10) as JsonObject, {}],
    ['a text that doubles', { reduce: [many(60), { cat: [{ var: 'accumulator' }, { var: 'accumulator' }] }, 'x'] }, {}],
    [
      'a list that doubles',
      { reduce: [many(60), { merge: [{ var: 'accumulator' }, { var: 'accumulator' }] }, [1]] },
      {},
    ],
    ['a long text many times', { cat: many(10).map(() => ({ var: 'payload.text' })) }, { text: 'x'.repeat(200_000) }],
    [
      'a long text searched again and again',
      { reduce: [{ var: 'payload.list' }, keep, { var: 'payload.text' }] },
      { list: many(100_000), text: 'x'.repeat(200_000) },
    ],
    ['a long list many times', { merge: many(10).map(() => ({ var: 'payload.list' })) }, { list: many(100_000) }],
    [
      'a long path many times',
      { map: [{ var: 'payload.list' }, { var: 'a.'.repeat(25_000) }] },
      { list: many(10_000) },
    ],
    [
      'a long list for many parts',
      { containsAny: [{ var: 'payload.list' }, { var: 'payload.parts' }] },
      { list: many(10_000), parts: Array.from({ length: 10_000 }, (_, index) => `y${index}`) },
    ],
    [
      'a long text for a long part',
      { contains: [{ var: 'payload.text' }, { cat: [{ var: 'payload.part' }, 'b', { var: 'payload.part' }] }] },
      { text: 'a'.repeat(400_000), part: 'a'.repeat(3000) },
    ],
    [
      'arithmetic on a long list',
      { map: [{ var: 'payload.list' }, { '-': [0, 'x'.repeat(50_000)] }] },
      { list: many(10_000) },
    ],
    ['a rule without end', { and: many(1_100_000) }, {}],
  ])('ends a costly rule: %s', (_name, rule, payload) => {
    expect(evaluate(rule, payload)).toEqual(tooMuch);
  });

  it('ends a deeply nested rule', () => {
    let rule: JsonObject = { '!': [1] };
    for (let depth = 0; depth < 5000; depth++) rule = { '!': [rule] };
    expect(evaluate(rule)).toEqual({ fault: 'the rule is nested too deeply' });
  });

  it('evaluates large rules that stay within the budget', () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({ id: index }));
    expect(evaluate({ some: [{ var: 'payload.list' }, { '==': [{ var: 'id' }, 19_999] }] }, { list })).toEqual({
      run: true,
    });
    const ids = list.map(({ id }) => `user-${id}`);
    expect(evaluate({ in: [{ var: 'payload.x' }, ids] }, { x: 'user-19999' })).toEqual({ run: true });
    expect(evaluate({ contains: [{ var: 'payload.x' }, 'z'] }, { x: `${'x'.repeat(500_000)}z` })).toEqual({
      run: true,
    });
  });

  it('does not change the operators of the library', () => {
    expect(jsonLogic.apply({ '==': [1, '1'] })).toBe(true);
    expect(jsonLogic.apply({ '<': [{ var: 'a' }, 1] }, {})).toBe(true);
    expect(() => jsonLogic.apply({ startsWith: ['a', 'b'] } as never)).toThrow('Unrecognized operation startsWith');
  });
});
