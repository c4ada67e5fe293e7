import { LIMITS } from '../limits';
import { Amount, Children, Choice, Text, Whole } from './fields';

const MOST = 1_000_000_000;

export const LIMIT_NAMES = ['eventsPerSecond', 'messagesPerDay', 'renderMsPerSecond'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

const LIMIT_COUNTS = ['environment', 'organization'] as const;

export class LimitSourceDto {
  @Choice(LIMIT_NAMES) limit!: LimitName;
  @Text('`operator`, or the name of the API key. What the operator set, only the operator changes.') setBy!: string;
  @Text({ nullable: true }) reason!: string | null;
  @Text({ nullable: true, format: 'date-time' }) setAt!: string | null;
}

export class LimitsDto {
  @Text() environmentId!: string;
  @Text() environment!: string;
  @Whole('Events a second across all gateways; null is no limit.', { nullable: true }) eventsPerSecond!: number | null;
  @Whole('Messages a day, from midnight UTC; null is no limit.', { nullable: true }) messagesPerDay!: number | null;
  @Whole('Milliseconds of a render process a second; null is the default of 250.', { nullable: true })
  renderMsPerSecond!: number | null;
  @Choice(
    LIMIT_COUNTS,
    'Whose events, messages and render time count: of the environment, or of all of its organization.',
  )
  counts!: (typeof LIMIT_COUNTS)[number];
  @Amount('Channel steps of the notifications of today that were not skipped, of all that count.')
  messagesToday!: number;
  @Text('`operator` if the operator set any of the limits, or the name of the API key that set the last one.', {
    nullable: true,
  })
  setBy!: string | null;
  @Text('Why, of the same limit.', { nullable: true }) reason!: string | null;
  @Children(() => LimitSourceDto, 'Who set which of the limits.') sources!: LimitSourceDto[];
}

export class LimitsListDto {
  @Children(() => LimitsDto) data!: LimitsDto[];
}

export class SetLimitsDto {
  @Text('An environment of the organization; default: that of the API key.', { optional: true }) environmentId?: string;

  @Text('Shown with the limit, and to callers that it refuses.', {
    optional: true,
    trim: true,
    maxLength: LIMITS.holdReason,
    example: 'a flood of events on Monday',
  })
  reason?: string;

  @Whole('null removes the limit; without the field it stays.', { nullable: true, optional: true, min: 1, max: MOST })
  eventsPerSecond?: number | null;

  @Whole({ nullable: true, optional: true, min: 1, max: MOST }) messagesPerDay?: number | null;
  @Whole({ nullable: true, optional: true, min: 1, max: 1_000 }) renderMsPerSecond?: number | null;

  @Choice(
    LIMIT_COUNTS,
    '`organization`: the limits of this environment count all environments of its organization together, also ' +
      'those that are created later. Without the field it stays; it begins as `environment`.',
    { optional: true },
  )
  counts?: (typeof LIMIT_COUNTS)[number];
}
