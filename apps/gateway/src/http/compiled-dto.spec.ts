import fc from 'fast-check';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import {
  BulkTriggerDto,
  CreateSubscriberDto,
  RecipientDto,
  TopicRecipientDto,
  TriggerEventDto,
} from '@clarion/contracts';
import { readDto } from './compiled-dto';

/** What the slow lane says: the cleaned object, or nothing when it finds a fault. */
function slowly<T extends object>(type: new () => T, plain: object): T | undefined {
  const value = plainToInstance(type, plain);
  return validateSync(value, { whitelist: true, forbidUnknownValues: true }).length === 0 ? value : undefined;
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
/** A body that suits every class below; the test leaves out some of it and breaks some of it. */
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
  other: 'dropped',
};
const breakage = fc.dictionary(fc.constantFrom(...Object.keys(VALID)), anything, { maxKeys: 2 });
const channels = fc.oneof(fc.array(fc.oneof(channel, anything), { maxLength: 2 }), anything);
const body = fc
  .tuple(fc.subarray(Object.keys(VALID), { minLength: 12 }), breakage, fc.option(channels, { nil: VALID['channels'] }))
  .map(([kept, broken, given]) => ({
    ...Object.fromEntries(kept.map((field) => [field, field === 'channels' ? given : VALID[field]])),
    ...broken,
  }));

describe('readDto', () => {
  it.each([RecipientDto, CreateSubscriberDto, TopicRecipientDto, TriggerEventDto, BulkTriggerDto])(
    'agrees with class-validator on %p',
    (type: new () => object) => {
      const verdicts = { accepted: 0, refused: 0 };
      fc.assert(
        fc.property(body, (plain) => {
          const expected = slowly(type, plain);
          verdicts[expected ? 'accepted' : 'refused'] += 1;
          expect(readDto(type, plain)).toEqual(expected);
        }),
        { numRuns: 1500 },
      );
      // Both lanes were taken often enough for their agreement to mean something.
      expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(50);
    },
  );

  it('does not copy what it does not look into', () => {
    const payload = { deep: { er: 1 } };
    expect(readDto(TriggerEventDto, { name: 'n', to: 't', payload })!.payload).toBe(payload);
  });

  it.each([null, undefined, 5, 'x', []])('refuses %p', (value) => {
    expect(readDto(TriggerEventDto, value)).toBeUndefined();
  });
});
