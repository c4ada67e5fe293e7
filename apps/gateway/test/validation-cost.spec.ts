import * as contracts from '@clarion/contracts';
import { canonicalJson, CreateSubscriberDto, LIMITS } from '@clarion/contracts';
import { corpus, runs } from '@clarion/testing';
import { checkEvent } from '../src/triggers/check-event';
import { checkElement, FaultBudget } from '../src/edge/http/check-element';
import type { DtoClass } from '../src/edge/http/compiled-dto';
import { parseJsonBody } from '../src/edge/http/json-body';
import { ValidationPipe } from '../src/edge/http/validation';
import { startGateway, type TestGateway } from './harness';
import {
  bodySchema,
  fetchDocument,
  type OpenApiDocument,
  operationsOf,
  resolve,
  sampleOf,
  type Schema,
} from './openapi-document';

/**
 * Measures the CPU time of a body with many small elements before the handler runs: the checks of any body, and the
 * validation of every list, every free-form object and every other object in every body of the interface.
 */
const BODY_BYTES = 1_000_000;
/**
 * The highest allowed ratio of validation time to parsing time. In a new process it is at most 3; the heap and the
 * compiled code of specs that ran before in the same process, and other work on the machine, make it larger (6.2 was
 * seen). A check that walks over all elements for each element is a hundred times as slow.
 */
const MAX_COST = 10;
/** The first runs are slower, because V8 compiles the code meanwhile. After so many without a shorter one it has. */
const STEADY_RUNS = 10;
/** In the first tier. */
const FEW_BODIES = 30;

/** A list or object in a body, named by its class and field. `wrap` builds the body around its JSON text. */
type BodyValue = { name: string; kind: 'list' | 'map' | 'object'; wrap: (text: string) => string };

/** As many elements as fit into a body, up to `most`. */
function many(element: (index: number) => string, most = Infinity): string {
  const elements: string[] = [];
  for (let bytes = 0; bytes < BODY_BYTES - 5_000 && elements.length < most; bytes += elements.at(-1)!.length + 1) {
    elements.push(element(elements.length));
  }
  return elements.join();
}
const member = (index: number): string => `"${index.toString(36)}":0`;
/** Below the limit for the values of a body, so that the rules of the field apply. */
const SOME = 15_000;

const FILLINGS: Record<BodyValue['kind'], Record<string, string>> = {
  list: {
    'empty objects': `[${many(() => '{}', SOME)}]`,
    'empty texts': `[${many(() => '""', SOME)}]`,
    nulls: `[${many(() => 'null', SOME)}]`,
  },
  map: {
    'distinct keys': `{${many(member, SOME)}}`,
    numbers: `{"a":[${many(() => '0', SOME)}]}`,
    'deep lists': `{"a":[${many(() => `${'['.repeat(25)}${']'.repeat(25)}`, SOME / 25)}]}`,
  },
  object: { 'unknown keys': many(member, SOME) },
};
/** Above the limit for the values of a body: no rule of a field applies. */
const TOO_MANY = {
  'a megabyte of numbers': `[${many(() => '0')}]`,
  'a megabyte of distinct keys': `{${many(member)}}`,
};

/** Lists every list and object of a body once. Values of classes in `known` are left out. */
function valuesOf(document: OpenApiDocument, given: Schema, known: Set<string>, owner = ''): BodyValue[] {
  const schema = resolve(document, given);
  const self = given.$ref ?? given.allOf?.[0]?.$ref;
  const name = self ? self.split('/').at(-1)! : owner;
  if (schema.oneOf) return schema.oneOf.flatMap((form, index) => valuesOf(document, form, known, `${name}|${index}`));
  if (schema.type === 'array') {
    const inside = valuesOf(document, schema.items ?? {}, known, `${name}[]`);
    return [
      ...once(known, { name, kind: 'list', wrap: (text) => text }),
      ...inside.map((value): BodyValue => ({ ...value, wrap: (text) => `[${value.wrap(text)}]` })),
    ];
  }
  if (schema.type && schema.type !== 'object') return [];
  if (!schema.properties) return once(known, { name, kind: 'map', wrap: (text) => text });
  const sample = sampleOf(document, schema) as Record<string, unknown>;
  const object = once(known, {
    name,
    kind: 'object',
    wrap: (text) => `${JSON.stringify(sample).slice(0, -1)},${text}}`,
  });
  // The fields of a known class are already in the list.
  if (object.length === 0) return [];
  return [
    ...object,
    ...Object.entries(schema.properties).flatMap(([field, property]) => {
      const { [field]: _, ...others } = sample;
      const rest = JSON.stringify(others).slice(1, -1);
      return valuesOf(document, property, known, `${name}.${field}`).map((value): BodyValue => ({
        ...value,
        wrap: (text) => `{${rest}${rest === '' ? '' : ','}"${field}":${value.wrap(text)}}`,
      }));
    }),
  ];
}

function once(known: Set<string>, value: BodyValue): BodyValue[] {
  const key = `${value.kind} ${value.name}`;
  if (known.has(key)) return [];
  known.add(key);
  return [value];
}

/** Nested lists of the maximal length, with empty objects in the innermost, within `bytes`. */
function fullLists(document: OpenApiDocument, given: Schema, bytes = BODY_BYTES, depth = 0): string[] {
  const schema = resolve(document, given);
  if (depth > 12) return [];
  if (schema.oneOf) return schema.oneOf.flatMap((form) => fullLists(document, form, bytes, depth + 1));
  if (schema.type === 'array') {
    const most = schema.maxItems ?? LIMITS.listElements;
    const inner = fullLists(document, schema.items ?? {}, Math.floor(bytes / most), depth + 1);
    return ['{}', ...inner].map((element) => {
      const count = Math.max(1, Math.min(most, Math.floor(bytes / (element.length + 1))));
      return `[${Array<string>(count).fill(element).join()}]`;
    });
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const { [name]: _, ...others } = sampleOf(document, schema) as Record<string, unknown>;
    const rest = depth === 0 ? JSON.stringify(others).slice(1, -1) : '';
    return fullLists(document, property, bytes - rest.length, depth + 1).map(
      (list) => `{${rest}${rest === '' ? '' : ','}"${name}":${list}}`,
    );
  });
}

/** Validates a parsed body as the gateway does before the handler. A rejection counts like an acceptance. */
function validate(name: string, type: DtoClass<object>, body: unknown, bytes: number): void {
  try {
    if (name === 'TriggerEventDto' || name === 'BroadcastEventDto') {
      checkEvent(body, bytes, name === 'BroadcastEventDto');
    } else if (name in ELEMENT_LISTS) {
      const checked = checkElement(type, body);
      if (checked.valid) checkElements(name, Object.values(checked.value)[0] as unknown[], bytes);
    } else new ValidationPipe().transform(body, { type: 'body', metatype: type });
  } catch (error) {
    if (!(error instanceof contracts.DomainError)) throw error;
  }
}

/** Undefined when the gateway rejects the body as a whole. */
function parsed(text: string, name = ''): unknown {
  try {
    return parseJsonBody(text, ELEMENT_LISTS[name]);
  } catch (error) {
    if (error instanceof contracts.DomainError) return undefined;
    throw error;
  }
}

/** Bodies with a list whose elements are validated one by one. */
const ELEMENT_LISTS: Record<string, { list: string; id: string }> = {
  BulkTriggerDto: { list: 'events', id: 'transactionId' },
  BulkCreateSubscribersDto: { list: 'subscribers', id: 'subscriberId' },
};

function checkElements(name: string, elements: unknown[], bytes: number): void {
  const budget = new FaultBudget();
  for (const element of elements) {
    if (name === 'BulkTriggerDto') checkEvent(element, bytes, false, budget);
    else checkElement(CreateSubscriberDto, element, budget);
  }
}

/** CPU time of this process, which other processes on the machine do not affect. */
function cpuTime(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}

/**
 * The time of the work divided by the time of parsing, each the shortest of several runs. A body that limits keep below
 * `size` is compared with a body of that size, because the gateway rejects the rest.
 */
function costOf(text: string, work: () => void, size = text.length): number {
  let parsing = Infinity;
  let working = Infinity;
  const cost = (): number => working / (parsing * Math.max(1, size / text.length));
  for (let steady = 0; steady < STEADY_RUNS && !(cost() <= MAX_COST); steady += 1) {
    const before = working;
    parsing = Math.min(
      parsing,
      cpuTime(() => JSON.parse(text)),
    );
    working = Math.min(working, cpuTime(work));
    if (working < before) steady = 0;
  }
  return cost();
}

function validationCost(name: string, type: DtoClass<object>, text: string, size?: number): number {
  const body = parsed(text, name);
  return body === undefined ? 0 : costOf(text, () => validate(name, type, body, text.length), size);
}

jest.setTimeout(300_000);

describe('validation of a body with many small elements', () => {
  let gateway: TestGateway;
  let document: OpenApiDocument;
  /** The schema of every body, by the name of its class. */
  const bodies = new Map<string, Schema>();
  const classOf = (name: string): DtoClass<object> => (contracts as unknown as Record<string, DtoClass<object>>)[name]!;

  beforeAll(async () => {
    gateway = await startGateway();
    document = await fetchDocument(gateway.url);
    for (const operation of operationsOf(document)) {
      const schema = bodySchema(operation);
      if (schema) bodies.set(schema.$ref!.split('/').at(-1)!, schema);
    }
  });
  afterAll(() => gateway.close());

  // Before the tests that measure: while these run, the gateway cannot serve its idle connections.
  it.each([
    ['/v2/workflows', `{"name":"W","workflowId":"w","steps":[${many(() => '{}', SOME)}]}`, 422, ['steps']],
    ['/v2/workflows', `{"name":"W","workflowId":"w","steps":[${many(() => '{}')}]}`, 400, ['body']],
    ['/v2/workflows', `{"name":"W","workflowId":"w","steps":[],${many(member, SOME)}}`, 201, undefined],
    ['/v2/subscribers', `{"subscriberId":"many","data":{${many(member, SOME)}}}`, 422, ['data']],
    ['/v2/topics/t/subscriptions', `{"subscriptions":[${many(() => '""', SOME)}]}`, 422, ['subscriptions']],
    ['/v1/subscribers/bulk', `{"subscribers":[${many(() => '{}', SOME)}]}`, 422, ['subscribers']],
    ['/v1/events/trigger/bulk', `{"events":[${many(() => '{}', SOME)}]}`, 422, ['events']],
    ['/v1/events/trigger/bulk', `{"events":[${`{"a":[${'[],'.repeat(900_000)}0]},`.repeat(4)}0]}`, 400, ['body']],
  ])('gets the expected status and fields from %s (%#)', async (path, body, status, fields) => {
    const answer = await gateway.call<{ errors?: Record<string, unknown> | { field: string }[] }>('POST', path, body);
    expect(answer.status).toBe(status);
    const { errors } = answer.body;
    if (fields) expect(Array.isArray(errors) ? errors.map(({ field }) => field) : Object.keys(errors!)).toEqual(fields);
  });

  it('reports a bounded number of errors when every element is invalid', async () => {
    const variants = `"variants":[${Array(20)
      .fill(`{"filters":[${Array(50).fill('{"children":[{},{},{}]}').join()}]}`)
      .join()}]`;
    const step = `{"name":"S","type":"email",${variants}}`;
    const body = `{"name":"W","workflowId":"w","steps":[${Array(4).fill(step).join()}]}`;
    const answer = await gateway.call<{ errors: object }>('POST', '/v2/workflows', body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors).length).toBe(LIMITS.describedFaults);
  });

  it('costs at most ten times as much as parsing, for every list and object of every body', () => {
    expect(bodies.size).toBeGreaterThan(25);
    const measured: { value: string; cost: number }[] = [];
    const known = new Set<string>();
    for (const [name, schema] of corpus([...bodies], FEW_BODIES)) {
      for (const value of valuesOf(document, schema, known)) {
        for (const [filling, text] of Object.entries(FILLINGS[value.kind])) {
          const body = value.wrap(text);
          const cost = validationCost(name, classOf(name), body);
          measured.push({ value: `${value.name}: ${filling}`, cost });
        }
      }
    }
    expect(measured.length).toBeGreaterThan(runs(200, 50));
    expect(measured.filter(({ cost }) => cost > MAX_COST)).toEqual([]);
  });

  it.each(Object.entries({ ...FILLINGS.list, ...FILLINGS.map, ...TOO_MANY }))(
    'checks and fingerprints %s for at most ten times the cost of parsing',
    (_, text) => {
      expect(costOf(text, () => parsed(text))).toBeLessThanOrEqual(MAX_COST);
      const value: unknown = JSON.parse(text);
      expect(costOf(text, () => canonicalJson(value))).toBeLessThanOrEqual(MAX_COST);
    },
  );

  it('costs at most ten times as much as parsing when every list has its maximal length', () => {
    const measured: { body: string; cost: number }[] = [];
    for (const [name, schema] of corpus([...bodies], FEW_BODIES)) {
      for (const text of fullLists(document, schema)) {
        const cost = validationCost(name, classOf(name), text, BODY_BYTES);
        measured.push({ body: `${name} ${text.length} ${text.slice(0, 200)}`, cost });
      }
    }
    expect(measured.length).toBeGreaterThan(runs(40, 10));
    expect(measured.filter(({ cost }) => cost > MAX_COST)).toEqual([]);
  });
});
