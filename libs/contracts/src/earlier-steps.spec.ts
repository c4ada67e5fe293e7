import { readsEarlierSteps } from './earlier-steps';
import type { WorkflowStep } from './workflow-definition';

const step = (more: Partial<WorkflowStep>): WorkflowStep => ({
  id: 'i',
  stepId: 's',
  name: 'S',
  type: 'sms',
  active: true,
  shouldStopOnFail: false,
  filters: [],
  variants: [],
  controlValues: {},
  ...more,
});
const filters = [{ children: [{ on: 'steps', field: 'mail.read', operator: 'EQUAL', value: 'true' }] }] as never[];

describe('readsEarlierSteps', () => {
  it.each<[string, Partial<WorkflowStep>]>([
    ['conditions', { filters }],
    ['conditions of a variant', { variants: [{ id: 'v', active: true, filters, controlValues: {} }] }],
    ['a rule', { controlValues: { runIf: { '!': [{ var: 'steps.mail.read' }] } } }],
    ['a template', { controlValues: { body: '{% assign s = steps.mail %}{{ s.clicked }}' } }],
    ['a delay', { controlValues: { type: 'until_read', step: 'mail' } }],
  ])('finds a state in %s', (_name, more) => expect(readsEarlierSteps(step(more))).toBe(true));

  it.each<[string, Partial<WorkflowStep>]>([
    ['nothing', {}],
    ['the output of a digest', { controlValues: { body: '{{ steps.batch.eventCount }}' } }],
    ['other variables', { controlValues: { body: 'Your order has the status {{ payload.status }}' } }],
  ])('finds none in %s', (_name, more) => expect(readsEarlierSteps(step(more))).toBe(false));
});
