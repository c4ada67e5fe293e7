import type { DraftStep, StepTypes } from './draft';
import { wordsFor } from './words';

const variable = (name: string) => ({ name, description: '', example: '' });
const TYPES = {
  data: [{ type: 'email', isChannel: true }, { type: 'digest' }, { type: 'custom' }],
  variables: ['steps', 'steps.<stepId>.events', 'steps.<stepId>.read', 'subscriber.firstName'].map(variable),
  filters: [],
} as unknown as StepTypes;
const step = (type: string, values: object = {}) => ({ stepId: type, type, values }) as unknown as DraftStep;

const namesOf = (payload: Partial<Parameters<typeof wordsFor>[1]>, earlier: DraftStep[] = []): string[] =>
  wordsFor(TYPES, { schema: undefined, examples: [], steps: [], ...payload }, earlier)
    .variables.map(({ name }) => name)
    .filter((name) => name !== 'steps' && name !== 'subscriber.firstName');

describe('the words of a step', () => {
  it('has the names of the payload from its schema, from examples and from templates, each once', () => {
    const schema = { properties: { order: { properties: { id: {} } } } };
    const body = JSON.stringify({ content: [{ type: 'variable', attrs: { id: 'payload.name' } }] });
    const steps = [step('email', { subject: '{{payload.total | money}} {{ payload.unfin', body })];
    expect(namesOf({ schema, examples: [{ order: { id: 7, at: '' }, items: [1] }, 'none', undefined], steps })).toEqual(
      [...['payload.order', 'payload.order.id', 'payload.order.at', 'payload.items', 'payload.total', 'payload.name']],
    );
  });

  it('has the events of earlier digests, the state of earlier messages and the output of the others', () => {
    expect(
      namesOf(
        {},
        ['email', 'digest', 'custom'].map((type) => step(type)),
      ),
    ).toEqual([...['steps.email.read', 'steps.digest.events', 'steps.custom']]);
  });
});
