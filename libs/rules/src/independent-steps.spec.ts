import type { WorkflowStep } from '@clarion/contracts';
import { independentSteps } from './independent-steps';

const step = (type: WorkflowStep['type'], stepId: string, more: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id: `id-of-${stepId}`,
  stepId,
  name: stepId,
  type,
  active: true,
  shouldStopOnFail: false,
  filters: [],
  variants: [],
  controlValues: {},
  ...more,
});

describe('the steps that run while an earlier one waits for a retry', () => {
  const mail = step('email', 'mail');
  const note = step('in_app', 'note');
  const text = step('sms', 'text');
  const names = (steps: WorkflowStep[], whileRetrying: 'continue' | 'wait' = 'continue', retried = steps[0]!) =>
    independentSteps({ whileRetrying, steps }, retried).filter((key) => !key.startsWith('id-of-'));

  it('returns the channel steps behind it', () => {
    expect(names([mail, note, text])).toEqual(['note', 'text']);
    expect(names([mail, note, text], 'continue', note)).toEqual(['text']);
  });

  it('returns none when the workflow waits, or the step stops it when it fails', () => {
    expect(names([mail, note], 'wait')).toEqual([]);
    expect(names([{ ...mail, shouldStopOnFail: true }, note])).toEqual([]);
  });

  it.each([
    ['a delay', step('delay', 'later')],
    ['a digest', step('digest', 'collect')],
    ['a step that stops the workflow when it fails', step('push', 'strict', { shouldStopOnFail: true })],
    ['a template that reads it', step('push', 'reader', { controlValues: { body: '{{steps.mail.status}}' } })],
    [
      'a condition on it',
      step('push', 'reader', { controlValues: { skip: { '==': [{ var: 'steps.mail.status' }, 'sent'] } } }),
    ],
    ['a template that reads all steps', step('push', 'all', { controlValues: { body: '{% for s in steps %}' } })],
  ])('ends before %s', (_, barrier) => {
    expect(names([mail, note, barrier, text])).toEqual(['note']);
  });

  it('includes steps that read other steps, and passes those that are switched off', () => {
    const reader = step('push', 'reader', { controlValues: { body: '{{steps.note.status}}, not an email' } });
    expect(names([mail, note, step('delay', 'off', { active: false }), reader])).toEqual(['note', 'reader']);
  });
});
