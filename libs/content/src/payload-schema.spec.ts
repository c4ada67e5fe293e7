import type { JsonObject } from '@clarion/contracts';
import { nestedChoices } from '@clarion/testing';
import { SchemaChecks } from './payload-schema';
import { TemplateRenderer } from './template-renderer';

const checks = new SchemaChecks();
const check = (schema: JsonObject, payload: JsonObject) => checks.checkPayload(JSON.stringify(schema), payload);
const faultOf = (schema: JsonObject) => checks.schemaFault(JSON.stringify(schema));

describe('SchemaChecks', () => {
  it('lists every fault with its field, value and schema path', () => {
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

  it('returns the payload with defaults when the schema has defaults', () => {
    const schema = {
      properties: {
        plan: { default: 'free' },
        user: { type: 'object', properties: { locale: { type: 'string', default: 'en' } } },
      },
    };
    expect(check(schema, { user: {} })).toEqual({ valid: true, payload: { plan: 'free', user: { locale: 'en' } } });
    expect(check({ type: 'object' }, { user: {} })).toEqual({ valid: true });
  });

  it.each<[string, (at: number) => JsonObject]>([
    ['levels', (at) => ({ next: { $ref: `#/$defs/${at + 1}`, default: {} } })],
    [
      'characters',
      (at) => ({
        one: { $ref: `#/$defs/${at + 1}`, default: {} },
        other: { $ref: `#/$defs/${at + 1}`, default: { text: 'x'.repeat(1_000) } },
      }),
    ],
  ])('rejects a payload that gets too many %s by defaults', (name, propertiesAt) => {
    const most = name === 'levels' ? 100 : 8;
    const at = (level: number): JsonObject => ({ properties: propertiesAt(level) });
    const $defs = Object.fromEntries(Array.from({ length: most }, (_, level) => [level, at(level)]));
    const result = check({ $defs: { ...$defs, [most]: {} }, ...at(0) }, {});
    expect(result).toMatchObject({
      valid: false,
      errors: [{ message: expect.stringContaining('too large or too deep') }],
    });
  });

  it('requires own properties, not inherited ones', () => {
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
    [
      '2020-12 keywords without a stated draft',
      { properties: { a: { prefixItems: [{ type: 'string' }] } } },
      { a: [1] },
    ],
    ['references', { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } }, { a: 'x' }],
  ])('validates with %s', (_, schema, bad) => {
    expect(check(schema, bad).valid).toBe(false);
    expect(check(schema, {}).valid).toBe(true);
  });

  it('keeps schemas with the same $id apart', () => {
    expect(check({ $id: 'same', required: ['a'] }, { a: 1 }).valid).toBe(true);
    expect(check({ $id: 'same', required: ['b'] }, { a: 1 }).valid).toBe(false);
  });

  it.each<[string, JsonObject]>([
    ['an unknown type', { type: 'nonsense' }],
    ['a keyword of the wrong kind', { required: 'name' }],
    ['an unresolvable reference', { $ref: 'https://example.com/other.json' }],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }],
    ['an asynchronous schema', { $async: true }],
  ])('reports why %s does not compile', (_, schema) => {
    expect(faultOf(schema)).toEqual(expect.stringMatching(/\w/));
  });

  it('accepts a valid schema', () => {
    expect(faultOf({ type: 'object', properties: { at: { format: 'no-such-format' } } })).toBeUndefined();
  });

  describe('in a render process', () => {
    const ENVIRONMENT = 'environment';
    const renderer = new TemplateRenderer({ timeLimitMs: 400 });
    afterAll(() => renderer.close());

    const costly = { valid: false, errors: [{ field: 'payload', message: expect.stringContaining('too long') }] };
    const checkAll = (schema: JsonObject, payloads: JsonObject[]) =>
      renderer.checkPayloads(
        ENVIRONMENT,
        payloads.map((payload) => ({ schema: JSON.stringify(schema), payload })),
      );

    it.each<[string, JsonObject, JsonObject]>([
      ['a pattern that backtracks', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(60)}b` }],
      ['nested choices', nestedChoices(40), { a: 1 }],
      [
        'items that are compared with each other',
        { properties: { a: { uniqueItems: true } } },
        { a: Array.from({ length: 40_000 }, (_, n) => ({ n })) },
      ],
    ])('rejects %s without blocking the event loop', async (_, schema, payload) => {
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 1);
      expect(await checkAll(schema, [payload])).toEqual([costly]);
      clearInterval(turning);
      expect(turns).toBeGreaterThan(3);
    });

    it('rejects each payload that is too costly and checks the others', async () => {
      const schema = { properties: { a: { pattern: '^(a+)+$' } } };
      const bad = { a: `${'a'.repeat(60)}b` };
      expect(await checkAll(schema, [{ a: 'aa' }, bad, { a: 'b' }, bad, bad, bad, bad])).toEqual([
        { valid: true },
        costly,
        { valid: false, errors: [expect.objectContaining({ field: 'a' })] },
        costly,
        costly,
        costly,
        costly,
      ]);
    });

    it('rejects a payload whose schema refers to itself', async () => {
      expect(await checkAll({ $ref: '#' }, [{ a: 1 }])).toEqual([costly]);
    });

    it('reports why a schema does not compile', async () => {
      expect(await renderer.schemaFault(ENVIRONMENT, { type: 'nonsense' })).toMatch(/type/);
      expect(await renderer.schemaFault(ENVIRONMENT, { type: 'object' })).toBeUndefined();
    });
  });
});
