import {
  type FieldFilterPartDto,
  FILTER_OPERATORS,
  type FilterOperator,
  type Json,
  type JsonObject,
  type StepFilterDto,
} from '@clarion/contracts';
import fc from 'fast-check';
import { matchFilters } from './conditions';

const part = (operator: string, value: string, more: JsonObject = {}): FieldFilterPartDto =>
  ({ on: 'payload', field: 'x', operator, value, ...more }) as FieldFilterPartDto;

const group = (children: FieldFilterPartDto[], more: Partial<StepFilterDto> = {}): StepFilterDto => ({
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children,
  ...more,
});

const payloadOf = (x: Json | undefined): JsonObject => (x === undefined ? {} : { x });

const passes = (x: Json | undefined, operator: FilterOperator, value: string): boolean =>
  matchFilters([group([part(operator, value)])], { payload: payloadOf(x), subscriber: {} }).passed;

describe('operators of conditions', () => {
  const rows: [FilterOperator, [Json | undefined, string, boolean][]][] = [
    [
      'EQUAL',
      [
        [5, '5', true],
        [5, '5.0', true],
        [5, '6', false],
        [5, 'five', false],
        [true, 'true', true],
        [true, 'false', false],
        [false, 'false', true],
        ['gold', 'gold', true],
        ['gold', 'Gold', false],
        ['007', '7', false],
        ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00Z', true],
        [['a', 'b'], '["a","b"]', true],
        ['', '', true],
        [undefined, '', false],
        [undefined, 'undefined', false],
        [null, 'null', false],
      ],
    ],
    [
      'LARGER',
      [
        [10, '9', true],
        [9, '9', false],
        ['10', '9', true],
        ['2026-02-01', '2026-01-31T23:59:00Z', true],
        ['b', 'a', true],
        [10, 'x', false],
        [undefined, '1', false],
      ],
    ],
    [
      'LARGER_EQUAL',
      [
        [9, '9', true],
        [8, '9', false],
        [undefined, '0', false],
      ],
    ],
    [
      'SMALLER',
      [
        [8, '9', true],
        [9, '9', false],
        ['9', '10', true],
        [undefined, '1', false],
        [null, '1', false],
      ],
    ],
    [
      'SMALLER_EQUAL',
      [
        [9, '9', true],
        [10, '9', false],
        [undefined, '1', false],
      ],
    ],
    [
      'IN',
      [
        ['b', 'a,b', true],
        ['b', '["a", "b"]', true],
        ['c', 'a,b', false],
        ['a,b', '["a,b"]', true],
        [2, '1, 2', true],
        [2, '[1,2]', true],
        [true, 'true', true],
        [['a', 'z'], 'a,b', true],
        [['y', 'z'], 'a,b', false],
        [[], 'a', false],
        [undefined, 'undefined', false],
        [null, '[null]', false],
      ],
    ],
    [
      'ANY_IN',
      [
        [['a', 'z'], 'a,b', true],
        [['y', 'z'], 'a,b', false],
        ['a', 'a,b', true],
        [[1, 9], '[9]', true],
        [[], 'a', false],
        [undefined, 'a', false],
      ],
    ],
    [
      'ALL_IN',
      [
        [['a', 'b'], 'a,b,c', true],
        [['a', 'z'], 'a,b', false],
        ['a', 'a,b', true],
        [[], 'a', false],
        [undefined, 'a', false],
      ],
    ],
    [
      'BETWEEN',
      [
        [3, '3,7', true],
        [7, '[3,7]', true],
        [8, '3,7', false],
        ['5', ' 3 , 7 ', true],
        ['2026-01-15', '2026-01-01,2026-02-01', true],
        ['2026-03-15', '["2026-01-01","2026-02-01"]', false],
        [5, '7,3', false],
        [undefined, '3,7', false],
      ],
    ],
    [
      'LIKE',
      [
        ['gold plan', 'ld p', true],
        ['gold', 'g%d', true],
        ['gold', 'o%', false],
        ['gold', '_old', true],
        [1234, '23', true],
        [['x', 'gold'], 'gol', true],
        [{ gold: 1 }, 'gold', false],
        [undefined, 'undefined', false],
        [undefined, '%', false],
      ],
    ],
  ];

  it.each(rows)('compares with %s', (operator, cases) => {
    for (const [x, value, expected] of cases) {
      expect([x, value, passes(x, operator, value)]).toEqual([x, value, expected]);
    }
  });

  it.each([
    ['EQUAL', 'NOT_EQUAL'],
    ['IN', 'NOT_IN'],
    ['BETWEEN', 'NOT_BETWEEN'],
    ['LIKE', 'NOT_LIKE'],
  ] as const)('evaluates %s and %s to opposite values, also for absent values', (operator, opposite) => {
    const cases = rows.find(([name]) => name === operator)![1];
    for (const [x, value, expected] of cases) expect(passes(x, opposite, value)).toBe(!expected);
    fc.assert(
      fc.property(fc.option(fc.jsonValue(), { nil: undefined }), fc.integer(), fc.string(), (x, low, text) => {
        const value = operator === 'BETWEEN' ? `${low},${low + 5}` : text.replaceAll(/[{}]/g, '');
        expect(passes(x as Json, opposite, value)).toBe(!passes(x as Json, operator, value));
      }),
    );
  });

  it('never throws for any pair of values', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FILTER_OPERATORS),
        fc.option(fc.jsonValue(), { nil: undefined }),
        fc.string(),
        (operator, x, value) => {
          const match = matchFilters([group([part(operator, value)])], {
            payload: payloadOf(x as Json),
            subscriber: {},
          });
          expect(match.evaluated).toHaveLength(1);
          expect(match.evaluated[0]!.passed).toBe(match.passed);
        },
      ),
    );
  });

  it('reports a fault for a text that takes too much work to compare', () => {
    const filters = [group([part('NOT_LIKE', `%${'a'.repeat(2000)}b%`)])];
    const match = matchFilters(filters, { payload: { x: 'a'.repeat(500_000) }, subscriber: {} });
    expect(match.passed).toBe(false);
    expect(match.faults[0]).toMatch(/takes too much work to compare$/);
  });
});

describe('groups of conditions', () => {
  const variables = { payload: { x: 1 }, subscriber: { firstName: 'Ada' } };
  const yes = part('EQUAL', '1');
  const no = part('EQUAL', '2');
  const faulty = part('BETWEEN', '3');
  const passed = (...filters: StepFilterDto[]): boolean => matchFilters(filters, variables).passed;

  it('passes when there are no conditions', () => {
    expect(passed()).toBe(true);
    expect(passed(group([]))).toBe(true);
    expect(passed(group([], { isNegated: true }))).toBe(true);
    expect(passed(group([no]), group([]))).toBe(true);
  });

  it('passes when one group matches', () => {
    expect(passed(group([no]), group([yes]))).toBe(true);
    expect(passed(group([no]), group([no]))).toBe(false);
  });

  it('requires all comparisons of an AND group and one of an OR group', () => {
    expect(passed(group([yes, yes]))).toBe(true);
    expect(passed(group([yes, no]))).toBe(false);
    expect(passed(group([yes, no], { value: 'OR' }))).toBe(true);
    expect(passed(group([no, no], { value: 'OR' }))).toBe(false);
    expect(passed(group([no], { value: 'OR' }))).toBe(false);
  });

  it('inverts a group with a negation', () => {
    expect(passed(group([yes], { isNegated: true }))).toBe(false);
    expect(passed(group([no], { isNegated: true }))).toBe(true);
    expect(passed(group([yes, no], { isNegated: true }))).toBe(true);
    expect(passed(group([yes, no], { isNegated: true, value: 'OR' }))).toBe(false);
  });

  it('reports a fault instead of a match or a mismatch', () => {
    for (const isNegated of [false, true]) {
      expect(matchFilters([group([faulty], { isNegated })], variables)).toMatchObject({
        passed: false,
        faults: ['payload.x BETWEEN "3": needs two bounds, as in "3,7"'],
      });
    }
    // Where the rest decides, the fault does not matter for the answer.
    expect(passed(group([faulty, yes], { value: 'OR' }))).toBe(true);
    expect(passed(group([faulty, no], { value: 'OR' }))).toBe(false);
    expect(passed(group([faulty, no], { isNegated: true }))).toBe(true);
    expect(passed(group([faulty, yes], { isNegated: true }))).toBe(false);
    expect(passed(group([faulty]), group([yes]))).toBe(true);
  });

  it('records the comparisons up to the group that decided', () => {
    const subscriber = { ...part('LIKE', 'A%'), on: 'subscriber', field: 'firstName' } as const;
    const match = matchFilters(
      [group([no, part('EQUAL', '1', { field: 'gone' })]), group([subscriber]), group([yes])],
      variables,
    );
    expect(match).toEqual({
      passed: true,
      faults: [],
      evaluated: [
        { filter: 'payload', field: 'x', operator: 'EQUAL', expected: '2', actual: 1, passed: false },
        { filter: 'payload', field: 'gone', operator: 'EQUAL', expected: '1', passed: false },
        { filter: 'subscriber', field: 'firstName', operator: 'LIKE', expected: 'A%', actual: 'Ada', passed: true },
      ],
    });
  });
});

describe('sources of the compared values', () => {
  const variables = {
    payload: { x: 'gold', plan: { level: 3 }, list: ['silver', 'gold'] },
    subscriber: { data: { tier: 'gold' } },
    tenant: { identifier: 'acme' },
    context: { region: { id: 'eu' } },
    actor: { subscriberId: 'bob' },
  };
  const match = (...children: FieldFilterPartDto[]) => matchFilters([group(children)], variables);

  it.each<JsonObject>([
    { on: 'payload', field: 'plan.level', value: '3' },
    { on: 'payload', field: 'list[1]', value: 'gold' },
    { on: 'subscriber', field: 'data.tier', value: 'gold' },
    { on: 'tenant', field: 'identifier', value: 'acme' },
    { on: 'context', field: 'region.id', value: 'eu' },
    { on: 'actor', field: 'subscriberId', value: 'bob' },
  ])('reads the value of %j', (condition) => {
    expect(match(part('EQUAL', '', condition))).toMatchObject({ passed: true, faults: [] });
  });

  it('reads nothing from an empty namespace and reports a fault for an unknown one', () => {
    const condition = [group([part('EQUAL', 'acme', { on: 'tenant', field: 'identifier' })])];
    expect(matchFilters(condition, { payload: {}, subscriber: {} })).toMatchObject({ passed: false, faults: [] });
    expect(match(part('NOT_EQUAL', 'x', { on: 'webhook' }))).toMatchObject({
      passed: false,
      faults: ['webhook.x NOT_EQUAL "x": there are no variables of "webhook"'],
    });
    expect(match(part('NOT_EQUAL', 'x', { on: 'constructor', field: 'name' })).faults).toHaveLength(1);
  });

  it('does not read inherited properties of JavaScript objects', () => {
    expect(match(part('LIKE', '%', { field: 'constructor.name' })).passed).toBe(false);
  });

  it.each([
    ['EQUAL', '{{subscriber.data.tier}}', 'gold'],
    ['EQUAL', '{{ payload.list[1] }}', 'gold'],
    ['NOT_EQUAL', '{{payload.missing}}', ''],
    ['IN', '{{payload.list}}', ['silver', 'gold']],
    ['NOT_EQUAL', 'a-{{payload.plan.level}}-{{payload.list.0}}', 'a-3-silver'],
    ['NOT_EQUAL', '{{payload.plan}}!', '{"level":3}!'],
    ['NOT_EQUAL', 'a } b }} c { d', 'a } b }} c { d'],
  ])('replaces the variables: %s %s compares with %j', (operator, value, expected) => {
    const result = match(part(operator, value));
    expect(result.evaluated[0]!.expected).toEqual(expected);
    expect(result).toMatchObject({ passed: true, faults: [] });
  });

  it.each([
    '{{payload.x | upcase}}',
    '{{payload.x',
    '{{}}',
    '{% if x %}gold{% endif %}',
    '{{ a b }}',
    '{{payload..x}}',
  ])('reports a fault for the value %s', (value) => {
    const result = match(part('NOT_EQUAL', value));
    expect(result.passed).toBe(false);
    expect(result.faults[0]).toContain(`payload.x NOT_EQUAL "${value}": `);
  });

  it('does not render templates in the value of a variable', () => {
    const result = matchFilters([group([part('EQUAL', '{{payload.y}}')])], {
      payload: { x: '{{payload.z}}', y: '{{payload.z}}' },
      subscriber: {},
    });
    expect(result).toMatchObject({ passed: true, faults: [] });
  });

  it('reports a fault for an unknown operator', () => {
    expect(match(part('toString', 'x')).faults).toEqual(['payload.x toString "x": there is no such operator']);
  });
});

describe('state of earlier steps', () => {
  const steps = { mail: { status: 'delivered', seen: true, read: false, clicked: false } };
  const matches = (field: string, value: string): boolean =>
    matchFilters([group([part('EQUAL', value, { on: 'steps', field })])], { payload: {}, subscriber: {}, steps })
      .passed;

  it('compares the state of a step, and finds nothing for a step that did not run', () => {
    expect(matches('mail.status', 'delivered')).toBe(true);
    expect(matches('mail.read', 'false')).toBe(true);
    expect(matches('mail.read', 'true')).toBe(false);
    expect(matches('text.read', 'false')).toBe(false);
  });
});
