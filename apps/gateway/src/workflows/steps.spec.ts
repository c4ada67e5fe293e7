import type { WorkflowStep, WorkflowStepInputDto } from '@clarion/contracts';
import { buildSteps, workflowStatus } from './steps';

const sms = (input: Partial<WorkflowStepInputDto> = {}): WorkflowStepInputDto => ({
  name: 'Text them',
  type: 'sms',
  controlValues: { body: 'x' },
  ...input,
});
const ids = (steps: WorkflowStep[]) => steps.map(({ stepId }) => stepId);

describe('buildSteps', () => {
  it('makes stepIds from names and keeps the given ones', () => {
    const steps = buildSteps([], [sms(), sms(), sms({ stepId: 'text-them' }), sms({ name: '通知', type: 'in_app' })]);
    expect(ids(steps)).toEqual(['text-them-2', 'text-them-3', 'text-them', 'in-app']);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(4);
  });

  it('keeps the id of a step that is found by _id or stepId, and makes a new id otherwise', () => {
    const old = buildSteps([], [sms({ stepId: 'a' }), sms({ stepId: 'b' }), sms({ stepId: 'c' })]);
    const [a, b] = old;
    const steps = buildSteps(old, [
      sms({ stepId: 'b', name: 'B' }),
      sms({ _id: a!.id.toUpperCase() }),
      sms({ stepId: 'd' }),
      sms({ _id: '018f0000-0000-7000-8000-000000000000' }),
    ]);
    expect(ids(steps)).toEqual(['b', 'a', 'd', 'text-them']);
    expect(steps.slice(0, 2).map(({ id }) => id)).toEqual([b!.id, a!.id]);
    expect(old.map(({ id }) => id)).not.toContain(steps[2]!.id);
    expect(steps[3]!.id).not.toBe('018f0000-0000-7000-8000-000000000000');
  });

  it('returns the same steps for the same input', () => {
    const variant = { name: 'V', controlValues: { body: 'y' } };
    const old = buildSteps([], [sms({ stepId: 'a', variants: [variant] })]);
    const [{ id, variants }] = old as [WorkflowStep];
    expect(buildSteps(old, [sms({ _id: id, variants: [{ ...variant, _id: variants[0]!.id }] })])).toEqual(old);
  });

  it('rejects a repeated step and a repeated stepId', () => {
    const [{ id }] = buildSteps([], [sms()]) as [WorkflowStep];
    const faults = [
      () => buildSteps([], [sms({ _id: id }), sms({ _id: id })]),
      () => buildSteps([], [sms({ stepId: 'a' }), sms({ stepId: 'a' })]),
    ];
    for (const fault of faults) expect(fault).toThrow('Validation Error');
  });

  it('fills in the defaults', () => {
    expect(buildSteps([], [{ name: 'N', type: 'custom' }])[0]).toEqual({
      id: expect.any(String),
      stepId: 'n',
      name: 'N',
      type: 'custom',
      active: true,
      shouldStopOnFail: false,
      filters: [],
      variants: [],
      controlValues: {},
    });
  });
});

describe('workflowStatus', () => {
  it('is ERROR while a step has issues, and else depends on active', () => {
    const good = buildSteps([], [sms()]);
    const bad = buildSteps([], [sms({ controlValues: {} })]);
    expect(workflowStatus(true, good)).toBe('ACTIVE');
    expect(workflowStatus(false, good)).toBe('INACTIVE');
    expect(workflowStatus(true, bad)).toBe('ERROR');
    expect(workflowStatus(false, bad)).toBe('ERROR');
  });
});
