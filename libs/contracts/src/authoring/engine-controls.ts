import type { JsonObject } from '../json';
import {
  DIGEST_TYPES,
  type DigestType,
  MONTHLY_TYPES,
  ORDINAL_VALUES,
  ORDINALS,
  TIME_UNITS,
  WEEK_DAYS,
} from '../vocabulary';
import { DELAY_TYPES, type DelayType, THROTTLE_TYPES, THROTTLE_UNITS, type ThrottleType } from '../workflow-definition';
import {
  AMOUNT,
  control,
  type ControlKind,
  FILLED,
  FLAG,
  object,
  oneOf,
  statedKind,
  type StepControls,
} from './control-schemas';

const RARE = { advanced: true } as const;
const PATH = { template: true, reference: 'variable' } as const;

const amount = control('Amount', 'A whole number of units.', { ...AMOUNT, default: 5 });
const unit = control('Unit', 'The unit of the amount.', { ...oneOf(TIME_UNITS), default: 'minutes' });

const schedule = {
  cron: control('Cron', 'A cron expression of five or six fields, in the time zone of the subscriber.', {
    type: 'string',
    format: 'cron',
  }),
  timed: control(
    'Times',
    'The time of day, and the days of the week or the month, in the time zone of the subscriber.',
    object({
      atTime: control('Time of day', 'Hours and minutes, such as 09:30.', { type: 'string', format: 'time-of-day' }),
      weekDays: control('Days of the week', 'The step goes on at one of these days.', {
        type: 'array',
        items: oneOf(WEEK_DAYS),
      }),
      monthDays: control('Days of the month', 'Numbers from 1 to 31.', {
        type: 'array',
        items: { type: ['string', 'integer'], format: 'day-of-month', minimum: 1, maximum: 31 },
      }),
      ordinal: control('Ordinal', 'Which of the days of a month, with "Day".', oneOf(ORDINALS)),
      ordinalValue: control('Day', 'The kind of day that the ordinal counts.', oneOf(ORDINAL_VALUES)),
      monthlyType: control(
        'Monthly',
        'each: the days of the month; on: the ordinal and its day.',
        oneOf(MONTHLY_TYPES),
      ),
    }),
    RARE,
  ),
};

const kindControl = (description: string, kinds: readonly string[]) =>
  control('Type', description, { ...oneOf(kinds), default: kinds[0]! });

const extendToSchedule = control(
  'Extend to the schedule',
  'A step that ends outside the schedule of the subscriber waits for its next opening.',
  { ...FLAG, default: false },
  RARE,
);

const isTimed = (values: JsonObject): boolean => 'cron' in values || 'timed' in values;

export const DELAY_CONTROLS: StepControls = {
  title: 'Delay',
  description: 'Waits before the next step starts.',
  controls: {
    type: kindControl(
      'regular: an amount of time; timed: the next time of a schedule; scheduled: a date in the payload; dynamic: a ' +
        'date or an amount of time in a variable; until_read: until the message of an earlier step is read, at most ' +
        'an amount of time.',
      DELAY_TYPES,
    ),
    amount,
    unit,
    ...schedule,
    delayPath: control('Path of the date', 'The path of an ISO 8601 date in the payload.', FILLED, PATH),
    dynamicKey: control('Path', 'The path of a date, or of an object with amount and unit.', FILLED, PATH),
    step: control('Step', 'The stepId of the earlier step whose message is awaited.', FILLED, { reference: 'step' }),
    extendToSchedule,
  },
  kinds: {
    regular: {
      title: 'An amount of time',
      controls: ['amount', 'unit', 'extendToSchedule'],
      needs: ['amount', 'unit'],
    },
    timed: {
      title: 'The next time of a schedule',
      controls: ['cron', 'timed', 'extendToSchedule'],
      needsOneOf: [['cron'], ['timed']],
    },
    scheduled: {
      title: 'A date in the payload',
      controls: ['delayPath', 'extendToSchedule'],
      needs: ['delayPath'],
    },
    dynamic: {
      title: 'A date or an amount in a variable',
      controls: ['dynamicKey', 'extendToSchedule'],
      needs: ['dynamicKey'],
    },
    until_read: {
      title: 'Until a message is read',
      controls: ['step', 'amount', 'unit', 'extendToSchedule'],
      needs: ['step', 'amount', 'unit'],
    },
  } satisfies Record<DelayType, ControlKind>,
  kindOf: (values) => statedKind(values, isTimed(values) ? 'timed' : 'regular'),
};

const DIGEST_COMMON = [
  'amount',
  'unit',
  'digestKey',
  'lookBackWindow',
  'backoff',
  'backoffAmount',
  'backoffUnit',
  'updateMode',
  'extendToSchedule',
];

export const DIGEST_CONTROLS: StepControls = {
  title: 'Digest',
  description: 'Collects the events of some time; the next step runs once for all of them.',
  controls: {
    type: kindControl(
      'regular: an amount of time from the first event on; backoff: the same, and an event after a quiet time is not ' +
        'delayed; timed: until the next time of a schedule.',
      DIGEST_TYPES,
    ),
    amount,
    unit,
    ...schedule,
    digestKey: control(
      'Separately for each',
      'The path of a value in the payload, or a template. Events with different values are collected separately.',
      FILLED,
      PATH,
    ),
    lookBackWindow: control(
      'Look-back window',
      'An event is collected only if there was another event within this time before it.',
      object({ amount, unit }, ['amount', 'unit']),
      RARE,
    ),
    backoff: control('Back off', 'Uses the look-back of the next two controls.', FLAG, RARE),
    backoffAmount: control('Look-back amount', 'Another way to write the look-back window.', AMOUNT, RARE),
    backoffUnit: control('Look-back unit', 'The unit of the look-back amount.', oneOf(TIME_UNITS), RARE),
    updateMode: control('Update mode', 'Shown in the activity; it changes nothing.', FLAG, RARE),
    extendToSchedule,
  },
  kinds: {
    regular: { title: 'An amount of time', controls: DIGEST_COMMON, needs: ['amount', 'unit'] },
    backoff: {
      title: 'An amount of time after a quiet time',
      controls: DIGEST_COMMON,
      needs: ['amount', 'unit'],
      needsOneOf: [['lookBackWindow'], ['backoffAmount', 'backoffUnit']],
    },
    timed: {
      title: 'Until the next time of a schedule',
      controls: [...DIGEST_COMMON, 'cron', 'timed'],
      needsOneOf: [['cron'], ['timed']],
    },
  } satisfies Record<DigestType, ControlKind>,
  kindOf: (values) => {
    const kind = statedKind(values, isTimed(values) ? 'timed' : 'regular');
    return kind === 'regular' && values['backoff'] === true ? 'backoff' : kind;
  },
};

export const THROTTLE_CONTROLS: StepControls = {
  title: 'Throttle',
  description: 'Lets a number of notifications through in a window of time; later ones end here.',
  controls: {
    type: kindControl('fixed: an amount of time; dynamic: a date or an amount of time in a variable.', THROTTLE_TYPES),
    amount,
    unit: control('Unit', 'The unit of the amount.', { ...oneOf(THROTTLE_UNITS), default: 'minutes' }),
    dynamicKey: control('Path', 'The path of a date, or of an object with amount and unit.', FILLED, PATH),
    threshold: control('Threshold', 'How many notifications the window lets through.', { ...AMOUNT, default: 1 }),
    throttleKey: control(
      'Separately for each',
      'The path of a value in the payload. Each value has a separate window.',
      FILLED,
      PATH,
    ),
  },
  kinds: {
    fixed: {
      title: 'An amount of time',
      controls: ['threshold', 'throttleKey', 'amount', 'unit'],
      needs: ['amount', 'unit'],
    },
    dynamic: {
      title: 'A window in a variable',
      controls: ['threshold', 'throttleKey', 'dynamicKey'],
      needs: ['dynamicKey'],
    },
  } satisfies Record<ThrottleType, ControlKind>,
  kindOf: (values) => statedKind(values, 'fixed'),
};
