import type { JsonObject } from '@clarion/contracts';
import { renderText, variablesOfText } from './templates';

describe('renderText', () => {
  it.each<[string, JsonObject, string]>([
    ['[{{payload.missing.deep}}]', {}, '[]'],
    ['[{{payload.none}}]', { payload: { none: null } }, '[]'],
    ['{{payload.a | no_such_filter}}', { payload: { a: 'x' } }, 'x'],
    ['{{payload.o}}', { payload: { o: { a: 'b', list: [1] } } }, "{'a':'b','list':[1]}"],
    ['{{payload.l}}', { payload: { l: ['a', 'b'] } }, "['a','b']"],
    ['{{payload.o | json}}', { payload: { o: { a: 'b' } } }, '{"a":"b"}'],
    ['{{payload.n}} {{payload.f}}', { payload: { n: 0, f: false } }, '0 false'],
    [
      '{% for e in steps.digest.events %}{{e.payload.n}};{% endfor %}',
      { steps: { digest: { events: [{ payload: { n: 1 } }, { payload: { n: 2 } }] } } },
      '1;2;',
    ],
    ['{{ "2030-05-06T23:30:00Z" | date: "%Y-%m-%d %H:%M" }}', {}, '2030-05-06 23:30'],
    ['{{ steps.digest-me.eventCount }}', { steps: { 'digest-me': { eventCount: 3 } } }, '3'],
  ])('renders %s', (template, variables, expected) => {
    expect(renderText(template, variables)).toBe(expected);
  });

  it.each([
    '{{payload.constructor.name}}',
    '{{payload.toString}}',
    '{{payload.__proto__}}',
    '{{payload.list.constructor}}',
  ])('renders %s as an empty text', (template) => {
    expect(renderText(template, { payload: { list: [] } })).toBe('');
  });

  it('renders each of many cached templates correctly', () => {
    const variables = { a: 'x' };
    for (let round = 0; round < 2; round += 1) {
      for (let number = 0; number < 300; number += 1) {
        expect(renderText(`${'{{a}}'.repeat(200)}${number}`, variables)).toBe(`${'x'.repeat(200)}${number}`);
      }
    }
  });
});

describe('template filters', () => {
  const names: JsonObject = {
    list: ['A', 'B', 'C', 'D'],
    people: [{ payload: { n: 'Ada' } }, { payload: { n: 'Alan' } }, { payload: {} }],
  };

  it.each([
    ['{{list | digest}}', 'A, B and 2 others'],
    ['{{list | digest: 3}}', 'A, B, C and 1 other'],
    ['{{list | digest: 9}}', 'A, B, C, D'],
    ['{{list | digest: 0}}', '4 others'],
    ['{{people | digest: 1, "payload.n", " + "}}', 'Ada and 1 other'],
    ['{{nothing | digest}}', ''],
    ['{{list | toSentence}}', 'A, B, and 2 others'],
    ['{{list | toSentence: "", 1, "person"}}', 'A and 3 persons'],
    ['{{list | toSentence: "", 0}}', 'A, B, C, and D'],
    ['{{people | toSentence: "payload.n"}}', 'Ada and Alan'],
    ['{{people | toSentence: "payload.constructor"}}', ''],
    ['{{list | toSentence: "", 3, "more", "; ", " & ", "; & "}}', 'A; B; C; & 1 more'],
    ['{{1 | pluralize: "message"}}', '1 message'],
    ['{{3 | pluralize: "message"}}', '3 messages'],
    ['{{3 | pluralize: "reply", "replies"}}', '3 replies'],
    ['{{list | pluralize: "item", "items", false}}', 'items'],
    ['{{0 | pluralize: "message"}}', ''],
    ['{{"x" | pluralize: "message"}}', ''],
  ])('renders %s as %j', (template, expected) => {
    expect(renderText(template, names)).toBe(expected);
  });
});

describe('variablesOfText', () => {
  it.each<[string, string[][]]>([
    [
      '{{payload.order.id}} {{payload.order.id | upcase}} {% assign mine = payload.total %}{{mine}}',
      [
        ['payload', 'order', 'id'],
        ['payload', 'total'],
      ],
    ],
    [
      '{% for e in steps.digest.events %}{{e.payload.x}}{% endfor %}{{payload.lines[0].sku}}',
      [
        ['steps', 'digest', 'events'],
        ['payload', 'lines'],
      ],
    ],
    ['{{', []],
  ])('finds the outside variables of %s and not its local ones', (text, variables) => {
    expect(variablesOfText(text)).toEqual(variables);
  });
});
