import type { JsonObject } from '@clarion/contracts/core';
import { runRuleRefusal } from './run-rule';

const variables = { payload: { plan: 'free', note: 'x'.repeat(1_000), seats: 3 }, subscriber: { firstName: 'Ada' } };
const refusal = (controls: JsonObject) => runRuleRefusal({ controls, variables, now: new Date('2030-01-01') });

const isFree = { '==': [{ var: 'payload.plan' }, 'free'] };
const isPro = { '==': [{ var: 'payload.plan' }, 'pro'] };

describe('runRuleRefusal', () => {
  it('lets a step run when its rules are true, empty or absent', () => {
    const running: JsonObject[] = [{}, { runIf: null }, { runIf: {} }, { runIf: isFree }, { skip: isFree }];
    for (const controls of running) {
      expect(refusal(controls)).toBeUndefined();
    }
    expect(refusal({ skip: isFree, runIf: isFree })).toBeUndefined();
  });

  it('reports the rule that is false, with status Success and the values that it read', () => {
    expect(refusal({ runIf: isPro })).toEqual({
      isFault: false,
      line: {
        status: 'Success',
        detail: 'Step skipped: its runIf rule is false',
        raw: { rule: 'runIf', runIf: isPro, variables: { 'payload.plan': 'free' } },
      },
    });
    expect(refusal({ skip: isPro })?.line.detail).toBe('Step skipped: its skip rule is false');
    expect(refusal({ skip: isFree, runIf: isPro })?.line.detail).toBe('Step skipped: its runIf rule is false');
    expect(refusal({ skip: isPro, runIf: isFree })?.line.detail).toBe('Step skipped: its skip rule is false');
  });

  it('shows missing values as null, shortens long values and shows at most twenty', () => {
    const rule: JsonObject = {
      and: [{ '>': [{ var: 'payload.seats' }, 5] }, { var: ['payload.note'] }, { var: 'payload.missing' }],
    };
    const { variables: shown } = refusal({ runIf: rule })!.line.raw as { variables: JsonObject };
    expect(shown).toEqual({
      'payload.seats': 3,
      'payload.note': `${'x'.repeat(200)}…`,
      'payload.missing': null,
    });
    const many = { and: [false, ...Array.from({ length: 50 }, (_, n) => ({ var: `payload.v${n}` }))] };
    const { variables: first } = refusal({ runIf: many })!.line.raw as { variables: JsonObject };
    expect(Object.keys(first)).toHaveLength(20);
  });

  it('reports a rule that cannot be evaluated with status Failed', () => {
    expect(refusal({ runIf: { nonsense: [] } })).toMatchObject({
      isFault: true,
      line: { status: 'Failed', detail: 'Bridge execution failed', raw: { rule: 'runIf', fault: expect.any(String) } },
    });
  });
});
