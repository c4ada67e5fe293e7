import fc from 'fast-check';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import {
  BroadcastEventDto,
  BulkTriggerDto,
  CreateTopicSubscriptionsDto,
  CreateSubscriberDto,
  type FieldErrors,
  RecipientDto,
  StepVariantDto,
  TopicRecipientDto,
  TriggerEventDto,
} from '@clarion/contracts';
import { runs } from '@clarion/testing';
import { readDto } from './compiled-dto';

/** Reads an object with class-transformer and class-validator: the cleaned object, and the messages by path. */
function byTheLibraries<T extends object>(type: new () => T, plain: object): { value: T; errors: Messages } {
  const value = plainToInstance(type, plain);
  return { value, errors: messagesOf(validateSync(value, { whitelist: true, forbidUnknownValues: true })) };
}

type Messages = Record<string, string[]>;

function messagesOf(faults: ValidationError[], parent = ''): Messages {
  const errors: Messages = {};
  for (const { property, constraints, children } of faults) {
    const path = `${parent}${property}`;
    if (constraints) errors[path] = Object.values(constraints);
    Object.assign(errors, messagesOf(children ?? [], `${path}.`));
  }
  return errors;
}

/**
 * The libraries also check the inside of a value that is already invalid; readDto stops there. So readDto reports fewer
 * faults, but no others: each path that it names has the same messages (if a length limit is exceeded, only that
 * message), and each path that it leaves out lies under a path that it names. The order of the paths is the same.
 */
function expectSameFaults(errors: FieldErrors, expected: Messages): void {
  for (const [path, { messages }] of Object.entries(errors)) {
    if (messages[0] === 'must be an object') continue;
    const all = (expected[path] ?? []).filter((message) => !/nested property/.test(message));
    const tooLong = all.filter((message) => /must be shorter|no more than/.test(message));
    expect([all, all.filter((message) => !message.startsWith('each value')), tooLong]).toContainEqual(messages);
  }
  for (const path of Object.keys(expected)) {
    const isNamed = Object.keys(errors).some((named) => path === named || path.startsWith(`${named}.`));
    expect({ path, isNamed }).toEqual({ path, isNamed: true });
  }
  const inBoth = Object.keys(errors).filter((path) => path in expected);
  expect(inBoth).toEqual(Object.keys(expected).filter((path) => path in errors));
}

const text = fc.oneof(
  fc.constantFrom('', ' ', ' a ', 'x@example.com', 'Europe/Berlin', 'en_US', 'slack', 'novu-slack', 'Topic'),
  fc.string(),
);
const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined));
const anything = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.string(), scalar, { maxKeys: 3 }),
);
const channel = fc.record(
  {
    providerId: fc.oneof(fc.constantFrom('slack', 'fcm', 'novu-slack'), anything),
    integrationIdentifier: anything,
    credentials: fc.oneof(
      fc.record(
        { webhookUrl: anything, deviceTokens: fc.oneof(fc.array(anything, { maxLength: 2 }), anything) },
        { requiredKeys: [] },
      ),
      anything,
    ),
    extra: anything,
  },
  { requiredKeys: [] },
);
/** A body that is valid for every class below. The test removes some fields and breaks others. */
const VALID: Record<string, unknown> = {
  subscriberId: ' u1 ',
  firstName: 'A',
  email: 'a@example.com',
  phone: null,
  avatar: '',
  locale: 'en_US',
  timezone: 'Europe/Berlin',
  data: { a: 1 },
  channels: [{ providerId: 'novu-slack', credentials: { deviceTokens: ['t'], other: 1 } }],
  name: 'workflow',
  to: ['a'],
  payload: { a: { b: 1 } },
  overrides: {},
  transactionId: 't',
  actor: 'a',
  tenant: { identifier: 'x' },
  context: { a: 'b' },
  type: 'Topic',
  topicKey: 'news',
  exclude: ['a'],
  events: [{}],
  filters: [{ children: [{ field: 'a', value: 'b', operator: 'EQUAL', on: 'payload' }] }],
  subscriptions: ['a', { subscriberId: 'b', other: 1 }],
  subscriberIds: ['c'],
  other: 'dropped',
};
const BROKEN = Object.fromEntries(Object.keys(VALID).map((field) => [field, 7]));
const breakage = fc.dictionary(fc.constantFrom(...Object.keys(VALID)), anything, { maxKeys: 2 });
const channels = fc.oneof(fc.array(fc.oneof(channel, anything), { maxLength: 2 }), anything);
const body = fc
  .tuple(fc.subarray(Object.keys(VALID), { minLength: 12 }), breakage, fc.option(channels, { nil: VALID['channels'] }))
  .map(([kept, broken, given]) => ({
    ...Object.fromEntries(kept.map((field) => [field, field === 'channels' ? given : VALID[field]])),
    ...broken,
  }));

describe('readDto', () => {
  it.each([
    RecipientDto,
    CreateSubscriberDto,
    TopicRecipientDto,
    TriggerEventDto,
    BroadcastEventDto,
    BulkTriggerDto,
    StepVariantDto,
    CreateTopicSubscriptionsDto,
  ])(
    'accepts and rejects the same bodies with the same messages as class-validator for %p',
    (type: new () => object) => {
      const verdicts = { accepted: 0, refused: 0 };
      fc.assert(
        fc.property(body, (plain) => {
          const { value, errors } = byTheLibraries(type, plain);
          const isRefused = Object.keys(errors).length > 0;
          verdicts[isRefused ? 'refused' : 'accepted'] += 1;
          const read = readDto(type, plain);
          if ('errors' in read) expectSameFaults(read.errors, errors);
          else expect({ value: read.value, isRefused }).toEqual({ value, isRefused: false });
        }),
        { numRuns: runs(500, 100), examples: [[VALID], [BROKEN]] },
      );
      // Both verdicts occurred, at least for the examples: otherwise the agreement proves nothing.
      expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(0);
    },
  );

  it('does not read the elements of a list that is too long', () => {
    const looked = jest.fn();
    const element = new Proxy({}, { get: looked, ownKeys: looked as never, has: looked });
    const read = readDto(StepVariantDto, { filters: Array(51).fill(element) });
    expect(read).toEqual({ errors: { filters: { messages: ['filters must contain no more than 50 elements'] } } });
    expect(looked).not.toHaveBeenCalled();
  });

  it('reports at most 100 faults', () => {
    const filters = Array(50).fill({ children: Array(50).fill({}) });
    const read = readDto(StepVariantDto, { filters });
    expect('errors' in read && Object.keys(read.errors).length).toBe(100);
  });

  it('returns free-form objects such as the payload without copying them', () => {
    const payload = { deep: { er: 1 } };
    const read = readDto(TriggerEventDto, { name: 'n', to: 't', payload });
    expect('value' in read && read.value.payload).toBe(payload);
  });

  it.each([null, undefined, 5, 'x', []])('rejects %p because it is not an object', (value) => {
    expect(readDto(TriggerEventDto, value)).toEqual({ errors: { general: { messages: ['must be an object'] } } });
  });
});
