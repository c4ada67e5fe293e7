import { renderText } from './templates';
import { templateVariables, type VariableSources } from './variables';

const SUBSCRIBER = {
  subscriberId: 'ada',
  firstName: 'Ada',
  lastName: null,
  email: 'ada@example.com',
  phone: null,
  avatar: null,
  locale: 'en',
  timezone: null,
  data: { plan: 'pro' },
  isOnline: true,
  lastOnlineAt: new Date('2030-01-01T00:00:00Z'),
};

const SOURCES: VariableSources = {
  payload: { order: 7 },
  // A complete row: templates must not see its other columns.
  subscriber: { ...SUBSCRIBER, id: 'secret', environmentId: 'secret' } as VariableSources['subscriber'],
  workflow: { workflowId: 'w', name: 'W', description: null, tags: ['t'], severity: 'high' },
  environment: { name: 'Development', type: 'dev' },
};

describe('templateVariables', () => {
  it('contains every namespace, even an empty one', () => {
    expect(templateVariables({ ...SOURCES, payload: null })).toEqual({
      payload: {},
      subscriber: { ...SUBSCRIBER, lastOnlineAt: '2030-01-01T00:00:00.000Z' },
      actor: {},
      tenant: {},
      context: {},
      steps: {},
      workflow: { workflowId: 'w', name: 'W', description: '', tags: ['t'], severity: 'high' },
      env: { name: 'Development', type: 'dev' },
      step: { digest: false, events: [], total_count: 0 },
    });
  });

  it.each([
    ['{{payload.order}} {{subscriber.data.plan}} [{{subscriber.lastName}}] [{{subscriber.id}}]', '7 pro [] []'],
    ['{{actor.firstName}} {{tenant.identifier}} {{tenant.data.color}}', 'Grace acme red'],
    ['{{context.shop.id}} {{context.shop.data.city}} {{context.team.id}}', 's1 Rome t1'],
    ['{{steps.wait.duration}} {{steps.d.eventCount}} {{steps.d.events[1].payload.n}}', '5 2 2'],
    ['{{step.total_count}} {{step.digest}} {% for e in step.events %}{{e.n}};{% endfor %}', '2 true 1;2;'],
    ['{{workflow.name}} {{env.type}}', 'W dev'],
  ])('provides the variables of %s', (template, expected) => {
    const variables = templateVariables({
      ...SOURCES,
      actor: { ...SUBSCRIBER, firstName: 'Grace' },
      tenant: { identifier: 'acme', name: 'Acme', data: { color: 'red' } },
      contexts: [
        { type: 'shop', contextId: 's1', data: { city: 'Rome' } },
        { type: 'team', contextId: 't1', data: null },
      ],
      steps: [
        { stepId: 'wait', type: 'delay', output: { duration: 5 } },
        {
          stepId: 'd',
          type: 'digest',
          output: { events: [{ payload: { n: 1 } }, { payload: { n: 2 } }], eventCount: 2 },
        },
        { stepId: 'mail', type: 'email', output: null },
      ],
    });
    expect(renderText(template, variables)).toBe(expected);
  });
});
