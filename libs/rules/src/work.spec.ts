import type { FieldFilterPartDto, StepFilterDto } from '@clarion/contracts';
import type { Json } from '@clarion/contracts/core';
import { matchFilters } from './conditions';
import { evaluateRunRule } from './skip-rule';
import type { Variables } from './variables';
import { Slices, Work } from './work';

const LONG = 'a'.repeat(400_000);
const LIST = Array.from({ length: 60_000 }, (_, index) => index);
const DATES = Array.from({ length: 400 }, (_, index) => new Date(1_900_000_000_000 + index).toISOString());

const group = (children: FieldFilterPartDto[]): StepFilterDto => ({
  isNegated: false,
  type: 'GROUP',
  value: 'AND',
  children,
});
const variables = (value: Json): Variables => ({ payload: { value }, subscriber: {} });
const part = (operator: FieldFilterPartDto['operator'], value: string): FieldFilterPartDto => ({
  on: 'payload',
  field: 'value',
  operator,
  value,
});

describe('Work', () => {
  /** Each of them took minutes of the event loop when every comparison was bounded alone. */
  it.each<[string, FieldFilterPartDto, Json]>([
    ['a pattern that goes back again and again', part('LIKE', '%aaaaaaaaab%'), LONG],
    ['two long lists', part('IN', 'x1,'.repeat(5_000)), LIST],
    ['a long list as JSON', part('EQUAL', '[1]'), LIST],
    ['dates in two lists', part('IN', DATES.map((date) => date.replace('20', '30')).join()), DATES],
    ['a value that is written again and again', part('EQUAL', '{{payload.value}} '.repeat(5_000)), LIST],
  ])('limits all comparisons of a step together: %s', (_name, comparison, value) => {
    const groups = Array.from({ length: 50 }, () => group(Array.from({ length: 50 }, () => comparison)));
    const before = Work.total;
    const match = matchFilters(groups, variables(value));
    expect(match.passed).toBe(false);
    expect(match.faults[0]).toMatch(/takes too much work to compare$/);
    // What is refused costs one step; what was done before it is bounded.
    expect(Work.total - before).toBeLessThan(400_000);
  });

  it('limits the execution detail for long values and many comparisons', () => {
    const groups = Array.from({ length: 50 }, () => group(Array.from({ length: 50 }, () => part('EQUAL', 'x'))));
    for (const value of [LONG, LIST, { LIST }]) {
      const { evaluated, faults } = matchFilters(groups, variables(value));
      expect(JSON.stringify({ evaluated, faults }).length).toBeLessThan(100_000);
    }
    const [first] = matchFilters([group([part('EQUAL', 'x')])], variables([1, 'a'])).evaluated;
    expect(first).toMatchObject({ actual: [1, 'a'], expected: 'x' });
  });

  it('shares one budget between the rules of a request', () => {
    const request = new Work(undefined, 50_000);
    const rule: Json = { some: [{ var: 'payload.value' }, { '==': [{ var: '' }, -1] }] };
    const verdicts = Array.from({ length: 20 }, () =>
      evaluateRunRule(rule, variables(LIST.slice(0, 2_000)), new Date(), new Work(request)),
    );
    expect(verdicts[0]).toEqual({ run: false });
    expect(verdicts.at(-1)).toEqual({ fault: 'the rule takes too much work on this data' });
  });

  it('rejects a rule with too many operators', () => {
    const rule = { and: Array.from({ length: 20_000 }, () => ({ '!': { var: 'payload.value' } })) };
    expect(evaluateRunRule(rule, variables(LIST), new Date())).toHaveProperty('fault');
  });
});

describe('Slices', () => {
  it('lets the event loop run during a loop over costly conditions', async () => {
    const slices = new Slices();
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (turns < 1_000) setImmediate(count);
    };
    setImmediate(count);
    let rests = 0;
    for (let step = 0; step < 20; step += 1) {
      if (slices.isOver) {
        rests += 1;
        await slices.rest();
      }
      matchFilters([group([part('IN', 'x1,'.repeat(500))])], variables(LIST.slice(0, 100)));
    }
    expect(rests).toBe(19);
    expect(turns).toBeGreaterThanOrEqual(rests);
  });

  it('does not pause when conditions cost almost nothing', () => {
    const slices = new Slices();
    for (let step = 0; step < 500; step += 1) matchFilters([group([part('EQUAL', 'x')])], variables('y'));
    expect(slices.isOver).toBe(false);
  });
});
