import { ADDED_PROVIDERS } from '@clarion/contracts';
import { describeGateway } from '../src/describe-gateway';
import { ENUMS, type Fields, INPUTS, OPERATIONS, SCHEMAS, UNIONS } from './interface-tables';
import {
  answerSchema,
  bodySchema,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  resolve,
  type Schema,
} from './openapi-document';

/** Values that the service adds to a closed list of the interface; see `toInterface` of dialect.interceptor.ts. */
const ADDED_VALUES: Record<string, string[]> = {
  CHANNEL_PROVIDER: Object.keys(ADDED_PROVIDERS),
  PROVIDER: Object.keys(ADDED_PROVIDERS),
  FILTER_SOURCE: ['steps'],
};

describe('the OpenAPI document and the interface', () => {
  let document: OpenApiDocument;
  let operations: Map<string, Operation>;

  beforeAll(async () => {
    document = (await describeGateway()) as unknown as OpenApiDocument;
    operations = new Map(
      operationsOf(document).map((operation) => [`${operation.method} ${operation.path}`, operation]),
    );
  });

  it.each(Object.entries(OPERATIONS))('agree on %s', (route, { path = [], query = {}, body, status, answer }) => {
    const operation = operations.get(route)!;
    const faults = new Faults(document);
    const named = (place: string): Schema => {
      const found = operation.parameters.filter((parameter) => parameter.in === place);
      return {
        type: 'object',
        properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
        required: found.filter(({ required }) => required).map(({ name }) => name),
      };
    };
    expect(named('path').required).toEqual(path);
    faults.compareFields('query', query, named('query'), 'request');
    faults.compareFields('header', { 'idempotency-key': 'string?' }, named('header'), 'request');
    if (body) faults.compare('body', body, bodySchema(operation)!, 'request');
    else expect(bodySchema(operation)).toBeUndefined();
    faults.compare('response', answer, answerSchema(operation, status)!, 'response');
    expect(faults.found).toEqual([]);
  });
});

type Direction = 'request' | 'response';

/** Finds what a client that is generated from the interface could not send or parse. */
class Faults {
  readonly found: string[] = [];
  private readonly compared = new Set<string>();

  constructor(private readonly document: OpenApiDocument) {}

  compare(at: string, notation: string, given: Schema, direction: Direction): void {
    const [type = '', ...limits] = notation.replace(/\?(?= |$)/, '').split(' ');
    const schema = resolve(this.document, given);
    const isNullable = type.endsWith('|null');
    if (direction === 'response' && schema.nullable && !isNullable) this.add(at, 'may be null');
    if (direction === 'request' && isNullable && !schema.nullable) this.add(at, 'may not be null');
    this.compareLimits(at, limits, schema);
    this.compareType(at, type.replace('|null', ''), schema, direction);
  }

  compareFields(at: string, fields: Fields, given: Schema, direction: Direction): void {
    const schema = resolve(this.document, given);
    for (const [name, notation] of Object.entries(fields)) {
      const field = schema.properties?.[name];
      const path = `${at}.${name}`;
      if (!field) {
        this.add(path, 'is missing');
        continue;
      }
      const isOptional = /\?(?: |$)/.test(notation);
      const isRequired = schema.required?.includes(name) ?? false;
      if (direction === 'response' && !isOptional && !isRequired) this.add(path, 'is optional');
      if (direction === 'request' && isOptional && isRequired) this.add(path, 'is required');
      this.compare(path, notation, field, direction);
    }
  }

  private compareType(at: string, type: string, schema: Schema, direction: Direction): void {
    if (type.includes('/')) {
      const forms = schema.oneOf ?? [];
      for (const form of type.split('/')) this.compareSomeForm(at, form, forms, direction);
      return;
    }
    // A request may have more forms than the interface names.
    if (direction === 'request' && schema.oneOf) return this.compareSomeForm(at, type, schema.oneOf, direction);
    if (type.endsWith('[]')) {
      if (schema.type !== 'array') return this.add(at, 'is no list');
      return this.compare(`${at}[]`, type.slice(0, -2), schema.items ?? {}, direction);
    }
    const forms = UNIONS[type];
    if (forms) {
      for (const form of forms) this.compareSomeForm(at, form, schema.anyOf ?? [], direction);
      return;
    }
    const fields = SCHEMAS[type] ?? INPUTS[type];
    if (fields) return this.compareSchema(at, type, fields, schema, direction);
    const values = ENUMS[type];
    if (values) return this.compareEnum(at, type, values, schema, direction);
    const found = schema.type === 'integer' ? 'number' : schema.type;
    if (found !== type) this.add(at, `has the type ${found} and not ${type}`);
  }

  private compareSchema(at: string, type: string, fields: Fields, schema: Schema, direction: Direction): void {
    // Schemas recurse, and each is described once in the document.
    const key = `${type} ${Object.keys(schema.properties ?? {}).join()} ${direction}`;
    if (this.compared.has(key)) return;
    this.compared.add(key);
    this.compareFields(`${at}:${type}`, fields, schema, direction);
  }

  private compareSomeForm(at: string, type: string, forms: Schema[], direction: Direction): void {
    const results = forms.map((form) => {
      const faults = new Faults(this.document);
      faults.compare(at, type, form, direction);
      return faults.found;
    });
    const best = results.sort((one, other) => one.length - other.length)[0];
    this.found.push(...(best ?? [`${at} is not one of several forms`]));
  }

  private compareEnum(at: string, name: string, values: string[], schema: Schema, direction: Direction): void {
    const allowed = (schema.enum ?? []).map(String);
    const missing = values.filter((value) => !allowed.includes(value));
    const added = allowed.filter((value) => !values.includes(value) && !ADDED_VALUES[name]?.includes(value));
    if (missing.length > 0) this.add(at, `does not have ${missing.join(', ')}`);
    if (added.length > 0 && direction === 'response') this.add(at, `also has ${added.join(', ')}`);
  }

  private compareLimits(at: string, limits: string[], schema: Schema & { default?: unknown }): void {
    const [least, most] = [
      schema.minimum ?? schema.minLength ?? schema.minItems,
      schema.maximum ?? schema.maxLength ?? schema.maxItems,
    ];
    for (const limit of limits) {
      const [from, to] = limit.split('..');
      if (limit.startsWith('=')) {
        if (String(schema.default) !== limit.slice(1)) this.add(at, `has the default ${String(schema.default)}`);
        continue;
      }
      if (from && Number(from) !== (least ?? 0)) this.add(at, `has the minimum ${least}`);
      if (to && (to === '*' ? most === undefined : Number(to) !== most)) this.add(at, `has the maximum ${most}`);
    }
  }

  private add(at: string, fault: string): void {
    this.found.push(`${at} ${fault}`);
  }
}
