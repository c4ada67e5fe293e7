import { LIMITS } from '../limits';
import { STEP_TYPES, type StepType } from '../step-types';
import { SEVERITIES, type Severity } from '../vocabulary';
import { Choices, Flag, Ids, Text, Texts, Whole } from './fields';

/** Ends after which a step can be run again. */
export const REPLAYABLE_STATUSES = ['failed', 'canceled'] as const;
export type ReplayableStatus = (typeof REPLAYABLE_STATUSES)[number];

const MAX_VALUES = 100;

/** The filters of the events list, with the same meaning; what is left out does not restrict. */
export class ReplayDto {
  @Ids('Ids of events.', { optional: true, max: 1000 }) ids?: string[];

  @Choices(STEP_TYPES, 'Events with a step of any of these types.', { optional: true, max: MAX_VALUES })
  channels?: StepType[];

  @Ids('Ids of workflows.', { optional: true, max: MAX_VALUES }) templates?: string[];
  @Texts('Whole addresses.', { optional: true, max: MAX_VALUES, maxLength: 1000 }) emails?: string[];

  @Texts('Your identifiers of subscribers.', { optional: true, max: MAX_VALUES, maxLength: 512 })
  subscriberIds?: string[];

  @Choices(SEVERITIES, { optional: true, max: MAX_VALUES }) severity?: Severity[];
  @Texts({ optional: true, max: MAX_VALUES, maxLength: 512 }) transactionId?: string[];
  @Text({ optional: true, maxLength: LIMITS.filterText }) topicKey?: string;

  @Texts('Exactly these contexts, each `type:id`; empty: only events without context.', {
    optional: true,
    max: MAX_VALUES,
    maxLength: 256,
  })
  contextKeys?: string[];

  @Text('ISO 8601; created at this time or later.', { optional: true }) after?: string;
  @Text('ISO 8601; created at this time or earlier.', { optional: true }) before?: string;

  @Choices(
    REPLAYABLE_STATUSES,
    'Which steps run again; without it those that failed. Canceled ones are those that conditions, preferences,' +
      ' the schedule or a missing address kept from being sent, not those that were canceled by request.',
    { optional: true, max: REPLAYABLE_STATUSES.length },
  )
  statuses?: ReplayableStatus[];

  @Flag('Only count. True unless it is given as false.', { optional: true }) dryRun: boolean = true;

  @Whole('How many steps are due in each second.', { min: 1, max: 10_000, default: 100, optional: true })
  perSecond: number = 100;
}

export class ReplayResultDto {
  @Flag() dryRun!: boolean;
  @Whole(`Steps that match, up to ${LIMITS.replaySteps}.`) matched!: number;
  @Whole('Events that these steps belong to.') notifications!: number;
  @Whole('Steps that were queued again.') replayed!: number;
  @Flag(`True when more than ${LIMITS.replaySteps} match: the next call goes on with the others.`) hasMore!: boolean;
  @Whole('Over how many seconds they are spread.') seconds!: number;
}
