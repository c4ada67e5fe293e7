import type { JsonObject } from '@clarion/contracts';
import { compilePayloadSchema, payloadSchemaFault } from './payload-schema';

const check = (schema: JsonObject, payload: JsonObject) => compilePayloadSchema(schema)(payload);

describe('payload schema', () => {
  it('lists every fault with its field, value and place in the schema', () => {
    const schema = {
      type: 'object',
      required: ['name', 'user'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        count: { type: 'integer' },
        user: { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } },
      },
    };
    const result = check(schema, { count: 'x', user: { email: 'nope' }, extra: 1 });
    expect(result.valid).toBe(false);
    expect(!result.valid && result.errors.map(({ field, value }) => [field, value])).toEqual([
      ['name', undefined],
      ['extra', undefined],
      ['count', 'x'],
      ['user.email', 'nope'],
    ]);
    expect(!result.valid && result.errors[2]).toEqual({
      field: 'count',
      message: 'must be integer',
      value: 'x',
      schemaPath: '#/properties/count/type',
    });
  });

  it('applies defaults to a copy and leaves the payload of the caller alone', () => {
    const payload = { user: {} };
    const schema = {
      properties: {
        plan: { default: 'free' },
        user: { type: 'object', properties: { locale: { type: 'string', default: 'en' } } },
      },
    };
    expect(check(schema, payload)).toEqual({ valid: true, payload: { plan: 'free', user: { locale: 'en' } } });
    expect(payload).toEqual({ user: {} });
  });

  it('asks for own properties, not inherited ones', () => {
    expect(check({ required: ['constructor'] }, {}).valid).toBe(false);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'draft 7 tuples',
      { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items: [{ type: 'string' }] } } },
      { a: [1] },
    ],
    ['tuples without a stated draft', { properties: { a: { items: [{ type: 'string' }] } } }, { a: [1] }],
    [
      '2020-12 tuples',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        properties: { a: { prefixItems: [{ type: 'string' }] } },
      },
      { a: [1] },
    ],
    ['2020-12 words without a stated draft', { properties: { a: { prefixItems: [{ type: 'string' }] } } }, { a: [1] }],
    ['references', { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } }, { a: 'x' }],
  ])('understands %s', (_, schema, bad) => {
    expect(check(schema, bad).valid).toBe(false);
    expect(check(schema, {}).valid).toBe(true);
  });

  it('keeps schemas apart, also under one $id', () => {
    const first = compilePayloadSchema({ $id: 'same', required: ['a'] });
    const second = compilePayloadSchema({ $id: 'same', required: ['b'] });
    expect(first({ a: 1 }).valid).toBe(true);
    expect(second({ a: 1 }).valid).toBe(false);
  });

  it.each<[string, JsonObject]>([
    ['an unknown type', { type: 'nonsense' }],
    ['a keyword of the wrong kind', { required: 'name' }],
    ['a reference to nowhere', { $ref: 'https://example.com/other.json' }],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }],
    ['a schema that would answer later', { $async: true }],
  ])('says what is wrong with %s', (_, schema) => {
    expect(payloadSchemaFault(schema)).toEqual(expect.stringMatching(/\w+/));
  });

  it('finds nothing wrong with a good schema', () => {
    expect(payloadSchemaFault({ type: 'object', properties: { at: { format: 'no-such-format' } } })).toBeUndefined();
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a pattern that backtracks', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(60)}b` }],
    ['a schema that refers to itself', { $ref: '#' }, { a: 1 }],
    ['choices inside choices', choices(40), { a: 1 }],
  ])('refuses %s quickly, and at once the next time', (_, schema, payload) => {
    const validate = compilePayloadSchema(schema);
    expect(validate(payload)).toMatchObject({ valid: false, errors: [{ field: 'payload' }] });
    const start = performance.now();
    expect(validate({}).valid).toBe(false);
    expect(performance.now() - start).toBeLessThan(200);
  });
});

/** Every level tries the next one twice. */
function choices(depth: number): JsonObject {
  const $defs: JsonObject = { [`d${depth}`]: { required: ['never'] } };
  for (let level = 0; level < depth; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
}
