import { LIMITS } from '../limits';
import { Amount, Children, Choice, Text, Whole } from './fields';

const MOST = 1_000_000_000;

const LIMIT_NAMES = ['eventsPerSecond', 'messagesPerDay', 'renderMsPerSecond'] as const;

const LIMIT_COUNTS = ['environment', 'organization'] as const;

export class LimitSourceDto {
  @Choice(LIMIT_NAMES) limit!: (typeof LIMIT_NAMES)[number];
  @Text({ description: '`operator`, or the name of the API key. What the operator set, only the operator changes.' })
  setBy!: string;
  @Text({ nullable: true }) reason!: string | null;
  @Text({ nullable: true, format: 'date-time' }) setAt!: string | null;
}

export class LimitsDto {
  @Text() environmentId!: string;
  @Text() environment!: string;
  @Whole({ nullable: true, description: 'Events a second across all gateways; null is no limit.' })
  eventsPerSecond!: number | null;
  @Whole({ nullable: true, description: 'Messages a day, from midnight UTC; null is no limit.' })
  messagesPerDay!: number | null;
  @Whole({ nullable: true, description: 'Milliseconds of a render process a second; null is the default of 250.' })
  renderMsPerSecond!: number | null;
  @Choice(LIMIT_COUNTS, {
    description: 'Whose events, messages and render time count: of the environment, or of all of its organization.',
  })
  counts!: (typeof LIMIT_COUNTS)[number];
  @Amount({ description: 'Channel steps of the notifications of today that were not skipped, of all that count.' })
  messagesToday!: number;
  @Text({
    nullable: true,
    description: '`operator` if the operator set any of the limits, or the name of the API key that set the last one.',
  })
  setBy!: string | null;
  @Text({ nullable: true, description: 'Why, of the same limit.' }) reason!: string | null;
  @Children(() => LimitSourceDto, { description: 'Who set which of the limits.' }) sources!: LimitSourceDto[];
}

export class LimitsListDto {
  @Children(() => LimitsDto) data!: LimitsDto[];
}

export class SetLimitsDto {
  @Text({ optional: true, description: 'An environment of the organization; default: that of the API key.' })
  environmentId?: string;

  @Text({
    optional: true,
    trim: true,
    maxLength: LIMITS.holdReason,
    description: 'Shown with the limit, and to callers that it refuses.',
    example: 'a flood of events on Monday',
  })
  reason?: string;

  @Whole({
    nullable: true,
    optional: true,
    min: 1,
    max: MOST,
    description: 'null removes the limit; without the field it stays.',
  })
  eventsPerSecond?: number | null;

  @Whole({ nullable: true, optional: true, min: 1, max: MOST }) messagesPerDay?: number | null;
  @Whole({ nullable: true, optional: true, min: 1, max: 1_000 }) renderMsPerSecond?: number | null;

  @Choice(LIMIT_COUNTS, {
    optional: true,
    description:
      '`organization`: the limits of this environment count all environments of its organization together, also ' +
      'those that are created later. Without the field it stays; it begins as `environment`.',
  })
  counts?: (typeof LIMIT_COUNTS)[number];
}
