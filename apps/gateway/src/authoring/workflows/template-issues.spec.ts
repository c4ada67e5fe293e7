import { TemplateRenderer } from '@clarion/content';
import type { AuthoredStepType, EnvironmentId, JsonObject } from '@clarion/contracts';
import { readTemplates, templateIssues } from './template-issues';

describe('templateIssues', () => {
  const renderer = new TemplateRenderer();
  afterAll(() => renderer.close());

  const payloadSchema: JsonObject = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      order: { type: 'object', properties: { id: { type: 'string' } } },
      items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      open: { type: 'object', properties: { a: {} }, additionalProperties: true },
      composed: { allOf: [{ properties: {} }] },
    },
  };

  async function messagesOf(controlValues: JsonObject, schema: JsonObject | null = payloadSchema): Promise<string[]> {
    const step = { name: 's', type: 'email' as AuthoredStepType, controlValues };
    const [read] = await readTemplates(renderer, 'environment' as EnvironmentId, [step]);
    const found = templateIssues(read!, { payloadSchema: schema, earlier: ['digest-1'], suggestions: { left: 20 } });
    return found.map(([field, { message }]) => `${field}: ${message}`);
  }

  it.each([
    '{{payload.name}} {{payload.order.id}} {{payload.order}} {{payload.name.size}}',
    '{{payload.items[0].sku}} {{payload.items.first}} {% for item in payload.items %}{{item.sku}}{{forloop.index}}{% endfor %}',
    '{{payload.open.b}} {{payload.composed.c}} {{payload.attachments}}',
    '{{subscriber.firstName}} {{subscriber.data.anything}} {{actor.email}} {{tenant.data.x}} {{context.a.data.b}}',
    '{{steps.digest-1.eventCount}} {{workflow.name}} {{env.ANY}} {{step.total_count}}',
    '{% assign a = 1 %}{{a}}{% capture b %}x{% endcapture %}{{b}}{% increment c %}{{c}}',
    '{{ payload.name | upcase | digest: 2 | raw }}',
    '{{ t.a }} {{ t["b"] }} {% assign t = 1 %}{{ t }}',
    'no template at all',
  ])('reports no issue for %s', async (body) => {
    expect(await messagesOf({ body })).toEqual([]);
  });

  it('describes few of very many unknown variables, and compares fewer with the names of the schema', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `name${index}`);
    const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) };
    const variables = [{ path: 'body', variables: names.map((name) => ['payload', `${name}x`]) }];
    const facts = { payloadSchema: schema, earlier: [], suggestions: { left: 20 } };
    const messages = templateIssues({ faults: [], variables }, facts).map(([, { message }]) => message);
    expect(messages).toHaveLength(100);
    expect(messages[0]).toBe('the variable "payload.name0x" is unknown; did you mean "payload.name0"?');
    expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(20);
  });

  it.each([
    ['{{ payload.nme }}', 'body: the variable "payload.nme" is unknown; did you mean "payload.name"?'],
    ['{{ payload.order.no }}', 'body: the variable "payload.order.no" is unknown'],
    [
      '{{ subscriber.frstName }}',
      'body: the variable "subscriber.frstName" is unknown; did you mean "subscriber.firstName"?',
    ],
    ['{{ name }}', 'body: the variable "name" is unknown'],
    [
      '{{ steps.digest-2.events }}',
      'body: the variable "steps.digest-2.events" is unknown; did you mean "steps.digest-1"?',
    ],
    ['{{ payload.name | upcse }}', expect.stringContaining('body: undefined filter: upcse')],
    ['{% if %}', expect.stringContaining('body: ')],
    ['{{ t | json }}', 'body: "t" must be followed by a key: {{ t.greeting }}'],
    ['{% if payload.name %}{% render "x" %}{% endif %}', expect.stringContaining('tag "render" cannot be used')],
    ['{{ x', expect.stringContaining('body: output "{{ x" not closed')],
  ])('reports for %s: %s', async (body, expected) => {
    expect(await messagesOf({ body })).toEqual([expected]);
  });

  it('accepts every payload variable without a schema', async () => {
    expect(await messagesOf({ body: '{{payload.anything.at.all}}' }, null)).toEqual([]);
  });

  it('checks the nodes of a block-editor body, also inside repeated parts', async () => {
    const variable = (id: string) => ({ type: 'variable', attrs: { id } });
    const body = {
      type: 'doc',
      content: [
        variable('payload.nme'),
        {
          type: 'repeat',
          attrs: { each: 'payload.items' },
          content: [variable('payload.items.sku'), variable('current.sku'), variable('payload.items.price')],
        },
      ],
    };
    const expected = [
      'body: the variable "payload.nme" is unknown; did you mean "payload.name"?',
      'body: the variable "payload.items.price" is unknown',
    ];
    expect(await messagesOf({ body })).toEqual(expected);
    expect(await messagesOf({ body: JSON.stringify(body) })).toEqual(expected);
  });
});
