import * as contracts from '@clarion/contracts';
import { canonicalJson, CreateSubscriberDto, LIMITS } from '@clarion/contracts';
import { checkEvent } from '../src/events/check-event';
import { checkElement, FaultBudget } from '../src/http/check-element';
import type { DtoClass } from '../src/http/compiled-dto';
import { parseJsonBody } from '../src/http/json-body';
import { ValidationPipe } from '../src/http/validation';
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
 * What a body of many cheap elements costs before a handler sees it: the checks of any body, and the validation of every list,
 * every free-form object and every other object in every body of the interface.
 */
const BODY = 1_000_000;
const MOST = 3;
const ATTEMPTS = 6;

/** A place in a body, by the class and field that describe it; `around` completes what stands there to a body. */
type Place = { name: string; kind: 'list' | 'map' | 'object'; around: (text: string) => string };

/** As many elements as fit into a body, or fewer. */
function many(element: (index: number) => string, most = Infinity): string {
  const elements: string[] = [];
  for (let bytes = 0; bytes < BODY - 5_000 && elements.length < most; bytes += elements.at(-1)!.length + 1) {
    elements.push(element(elements.length));
  }
  return elements.join();
}
const member = (index: number): string => `"${index.toString(36)}":0`;
/** Below the limit for the values of a body, so that these come to the rules of the field. */
const SOME = 45_000;

const FILLINGS: Record<Place['kind'], Record<string, string>> = {
  list: {
    'a megabyte of numbers': `[${many(() => '0')}]`,
    'empty objects': `[${many(() => '{}', SOME)}]`,
    'empty texts': `[${many(() => '""', SOME)}]`,
    nulls: `[${many(() => 'null', SOME)}]`,
  },
  map: {
    'a megabyte of distinct keys': `{${many(member)}}`,
    'distinct keys': `{${many(member, SOME)}}`,
    numbers: `{"a":[${many(() => '0', SOME)}]}`,
    'deep lists': `{"a":[${many(() => `${'['.repeat(25)}${']'.repeat(25)}`, SOME / 25)}]}`,
  },
  object: { 'unknown keys': many(member, SOME) },
};

/** Every place once, although many bodies hold objects of the same class. */
function placesOf(document: OpenApiDocument, given: Schema, known: Set<string>, owner = ''): Place[] {
  const schema = resolve(document, given);
  const self = given.$ref ?? given.allOf?.[0]?.$ref;
  const name = self ? self.split('/').at(-1)! : owner;
  if (schema.oneOf) return schema.oneOf.flatMap((form, index) => placesOf(document, form, known, `${name}|${index}`));
  if (schema.type === 'array') {
    const inside = placesOf(document, schema.items ?? {}, known, `${name}[]`);
    return [
      ...once(known, { name, kind: 'list', around: (text) => text }),
      ...inside.map((place): Place => ({ ...place, around: (text) => `[${place.around(text)}]` })),
    ];
  }
  if (schema.type && schema.type !== 'object') return [];
  if (!schema.properties) return once(known, { name, kind: 'map', around: (text) => text });
  const sample = sampleOf(document, schema) as Record<string, unknown>;
  const object = once(known, {
    name,
    kind: 'object',
    around: (text) => `${JSON.stringify(sample).slice(0, -1)},${text}}`,
  });
  // Its fields were measured where it was met first.
  if (object.length === 0) return [];
  return [
    ...object,
    ...Object.entries(schema.properties).flatMap(([field, property]) => {
      const { [field]: _, ...others } = sample;
      const rest = JSON.stringify(others).slice(1, -1);
      return placesOf(document, property, known, `${name}.${field}`).map((place): Place => ({
        ...place,
        around: (text) => `{${rest}${rest === '' ? '' : ','}"${field}":${place.around(text)}}`,
      }));
    }),
  ];
}

function once(known: Set<string>, place: Place): Place[] {
  const key = `${place.kind} ${place.name}`;
  if (known.has(key)) return [];
  known.add(key);
  return [place];
}

/** Lists in lists, each with as many elements as it may have, and empty objects in the innermost; cut off at the body limit. */
function fullLists(document: OpenApiDocument, given: Schema, room = BODY, depth = 0): string[] {
  const schema = resolve(document, given);
  if (depth > 12) return [];
  if (schema.oneOf) return schema.oneOf.flatMap((form) => fullLists(document, form, room, depth + 1));
  if (schema.type === 'array') {
    const most = schema.maxItems ?? LIMITS.listElements;
    const inner = fullLists(document, schema.items ?? {}, Math.floor(room / most), depth + 1);
    return ['{}', ...inner].map((element) => {
      const count = Math.max(1, Math.min(most, Math.floor(room / (element.length + 1))));
      return `[${Array<string>(count).fill(element).join()}]`;
    });
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const { [name]: _, ...others } = sampleOf(document, schema) as Record<string, unknown>;
    const rest = depth === 0 ? JSON.stringify(others).slice(1, -1) : '';
    return fullLists(document, property, room - rest.length, depth + 1).map(
      (list) => `{${rest}${rest === '' ? '' : ','}"${name}":${list}}`,
    );
  });
}

/** What happens to a parsed body before its handler; refusals are as good as acceptance. */
function validate(name: string, type: DtoClass<object>, body: unknown, bytes: number): void {
  try {
    if (name === 'TriggerEventDto' || name === 'BroadcastEventDto') {
      checkEvent(body, bytes, name === 'BroadcastEventDto');
    } else if (name in JUDGED) {
      const checked = checkElement(type, body);
      if (checked.valid) checkElements(name, Object.values(checked.value)[0] as unknown[], bytes);
    } else new ValidationPipe().transform(body, { type: 'body', metatype: type });
  } catch (error) {
    if (!(error instanceof contracts.DomainError)) throw error;
  }
}

/** Undefined when the body is refused as a whole. */
function parsed(text: string, name = ''): unknown {
  try {
    return parseJsonBody(text, JUDGED[name]);
  } catch (error) {
    if (error instanceof contracts.DomainError) return undefined;
    throw error;
  }
}

const JUDGED: Record<string, { list: string; id: string }> = {
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

/** Time of this process on a processor: other processes on the machine do not count. */
function processorTime(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return user + system;
}

/**
 * The time of the work by the time of parsing, each the shortest of several runs. A body that limits keep below a megabyte is
 * compared with a megabyte of the same elements, which costs no more: the rest is refused.
 */
function costOf(text: string, work: () => void, size = text.length): number {
  let parsing = Infinity;
  let working = Infinity;
  const cost = (): number => working / (parsing * Math.max(1, size / text.length));
  for (let attempt = 0; attempt < ATTEMPTS && !(cost() <= MOST); attempt += 1) {
    parsing = Math.min(
      parsing,
      processorTime(() => JSON.parse(text)),
    );
    working = Math.min(working, processorTime(work));
  }
  return cost();
}

function validationCost(name: string, type: DtoClass<object>, text: string, size?: number): number {
  const body = parsed(text, name);
  return body === undefined ? 0 : costOf(text, () => validate(name, type, body, text.length), size);
}

jest.setTimeout(300_000);

describe('a body of many cheap elements', () => {
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

  it('costs at most three times what parsing it costs, in every place of every body', () => {
    expect(bodies.size).toBeGreaterThan(25);
    const measured: { place: string; cost: number }[] = [];
    const known = new Set<string>();
    for (const [name, schema] of bodies) {
      for (const place of placesOf(document, schema, known)) {
        for (const [filling, text] of Object.entries(FILLINGS[place.kind])) {
          const body = place.around(text);
          const cost = validationCost(name, classOf(name), body);
          measured.push({ place: `${place.name}: ${filling}`, cost });
        }
      }
    }
    expect(measured.length).toBeGreaterThan(200);
    expect(measured.filter(({ cost }) => cost > MOST)).toEqual([]);
  });

  it.each(Object.entries({ ...FILLINGS.list, ...FILLINGS.map }))(
    'of %s is checked and fingerprinted for at most three times what parsing costs',
    (_, text) => {
      expect(costOf(text, () => parsed(text))).toBeLessThanOrEqual(MOST);
      const value: unknown = JSON.parse(text);
      expect(costOf(text, () => canonicalJson(value))).toBeLessThanOrEqual(MOST);
    },
  );

  it('costs no more when every list is as long as it may be', () => {
    const measured: { body: string; cost: number }[] = [];
    for (const [name, schema] of bodies) {
      for (const text of fullLists(document, schema)) {
        const cost = validationCost(name, classOf(name), text, BODY);
        measured.push({ body: `${name} ${text.length} ${text.slice(0, 200)}`, cost });
      }
    }
    expect(measured.length).toBeGreaterThan(40);
    expect(measured.filter(({ cost }) => cost > MOST)).toEqual([]);
  });

  it.each([
    ['/v2/workflows', `{"name":"W","workflowId":"w","steps":[${many(() => '{}', SOME)}]}`, 422, ['steps']],
    ['/v2/workflows', `{"name":"W","workflowId":"w","steps":[${many(() => '{}')}]}`, 400, ['steps.99996']],
    ['/v2/workflows', `{"name":"W","workflowId":"w","steps":[],${many(member, SOME)}}`, 201, undefined],
    ['/v2/subscribers', `{"subscriberId":"many","data":{${many(member, SOME)}}}`, 201, undefined],
    ['/v2/topics/t/subscriptions', `{"subscriptions":[${many(() => '""', SOME)}]}`, 422, ['subscriptions']],
    ['/v1/subscribers/bulk', `{"subscribers":[${many(() => '{}')}]}`, 422, ['subscribers']],
    ['/v1/events/trigger/bulk', `{"events":[${many(() => '{}')}]}`, 422, ['events']],
    ['/v1/events/trigger/bulk', `{"events":[${`{"a":[${'[],'.repeat(900_000)}0]},`.repeat(4)}0]}`, 400, ['body']],
  ])('is answered by %s with the right status (%#)', async (path, body, status, fields) => {
    const answer = await gateway.call<{ errors?: Record<string, unknown> | { field: string }[] }>('POST', path, body);
    expect(answer.status).toBe(status);
    const { errors } = answer.body;
    if (fields) expect(Array.isArray(errors) ? errors.map(({ field }) => field) : Object.keys(errors!)).toEqual(fields);
  });

  it('of which all are wrong is answered with a bounded list of faults', async () => {
    const variants = `"variants":[${Array(20)
      .fill(`{"filters":[${Array(50).fill('{"children":[{},{},{}]}').join()}]}`)
      .join()}]`;
    const step = `{"name":"S","type":"email",${variants}}`;
    const body = `{"name":"W","workflowId":"w","steps":[${Array(4).fill(step).join()}]}`;
    const answer = await gateway.call<{ errors: object }>('POST', '/v2/workflows', body);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors).length).toBe(LIMITS.describedFaults);
  });
});
