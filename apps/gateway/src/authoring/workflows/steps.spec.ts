import type { DomainError, WorkflowStep, WorkflowStepInputDto } from '@clarion/contracts';
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

  describe('references to earlier steps', () => {
    const faultsOf = (...inputs: WorkflowStepInputDto[]): string[] => {
      try {
        buildSteps([], inputs);
        return [];
      } catch (error) {
        const { errors } = (error as DomainError).extra as { errors: Record<string, { messages: string[] }> };
        return Object.entries(errors).map(([field, { messages }]) => `${field}: ${messages.join()}`);
      }
    };
    const mail = sms({ stepId: 'mail', type: 'email' });
    const when = (field: string, on = 'steps'): WorkflowStepInputDto['filters'] =>
      [{ children: [{ on, field, operator: 'EQUAL', value: 'true' }] }] as WorkflowStepInputDto['filters'];
    const rule = (name: string) => ({ and: [true, { '!': { var: [name, false] } }] });
    const wait = (step: string): WorkflowStepInputDto =>
      sms({ type: 'delay', controlValues: { type: 'until_read', step, amount: 1, unit: 'hours' } });

    it('accepts earlier steps, and outputs of any name', () => {
      const reading = sms({ filters: when('mail.read'), controlValues: { body: 'x', runIf: rule('steps.mail.read') } });
      const output = sms({
        filters: when('mial.read', 'payload'),
        controlValues: { skip: rule('steps.x.eventCount') },
      });
      expect(faultsOf(mail, wait('mail'), reading, output)).toEqual([]);
      expect(faultsOf(mail, wait(' '))).toEqual([]);
    });

    it.each([
      [{ filters: when('mial.read') }, 'steps.1.filters.0.children.0.field'],
      [{ variants: [{ filters: when('mial.read') }] }, 'steps.1.variants.0.filters.0.children.0.field'],
      [{ controlValues: { skip: rule('steps.mial.status') } }, 'steps.1.controlValues.skip'],
      [{ controlValues: { runIf: rule('steps.mial.clicked') } }, 'steps.1.controlValues.runIf'],
      [wait('mial'), 'steps.1.controlValues.step'],
    ])('rejects an unknown step and names the field (%#)', (input, field) => {
      const fault = `${field}: there is no earlier step "mial"; did you mean "mail"?`;
      expect(faultsOf(mail, sms(input as Partial<WorkflowStepInputDto>))).toEqual([fault]);
    });

    it('rejects a later step, and a delay for a step without a message', () => {
      expect(faultsOf(sms({ controlValues: { runIf: rule('steps.mail.read') } }), mail)).toHaveLength(1);
      const fault = 'steps.1.controlValues.step: the step "quiet" sends no message that can be read';
      expect(faultsOf(sms({ stepId: 'quiet', type: 'custom' }), wait('quiet'))).toEqual([fault]);
    });
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
