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
  @Ids({ optional: true, max: 1000, description: 'Ids of events.' }) ids?: string[];

  @Choices(STEP_TYPES, { optional: true, max: MAX_VALUES, description: 'Events with a step of any of these types.' })
  channels?: StepType[];

  @Ids({ optional: true, max: MAX_VALUES, description: 'Ids of workflows.' }) templates?: string[];

  @Texts({ optional: true, max: MAX_VALUES, maxLength: 1000, description: 'Whole addresses.' })
  emails?: string[];

  @Texts({ optional: true, max: MAX_VALUES, maxLength: 512, description: 'Your identifiers of subscribers.' })
  subscriberIds?: string[];

  @Choices(SEVERITIES, { optional: true, max: MAX_VALUES }) severity?: Severity[];
  @Texts({ optional: true, max: MAX_VALUES, maxLength: 512 }) transactionId?: string[];
  @Text({ optional: true, maxLength: LIMITS.filterText }) topicKey?: string;

  @Texts({
    optional: true,
    max: MAX_VALUES,
    maxLength: 256,
    description: 'Exactly these contexts, each `type:id`; empty: only events without context.',
  })
  contextKeys?: string[];

  @Text({ optional: true, description: 'ISO 8601; created at this time or later.' }) after?: string;

  @Text({ optional: true, description: 'ISO 8601; created at this time or earlier.' })
  before?: string;

  @Choices(REPLAYABLE_STATUSES, {
    optional: true,
    max: REPLAYABLE_STATUSES.length,
    description:
      'Which steps run again; without it those that failed. Canceled ones are those that conditions, preferences,' +
      ' the schedule or a missing address kept from being sent, not those that were canceled by request.',
  })
  statuses?: ReplayableStatus[];

  @Flag({ optional: true, description: 'Only count. True unless it is given as false.' })
  dryRun: boolean = true;

  @Whole({ min: 1, max: 10_000, default: 100, optional: true, description: 'How many steps are due in each second.' })
  perSecond: number = 100;
}

export class ReplayResultDto {
  @Flag() dryRun!: boolean;
  @Whole({ description: `Steps that match, up to ${LIMITS.replaySteps}.` }) matched!: number;
  @Whole({ description: 'Events that these steps belong to.' }) notifications!: number;
  @Whole({ description: 'Steps that were queued again.' }) replayed!: number;
  @Flag({ description: `True when more than ${LIMITS.replaySteps} match: the next call goes on with the others.` })
  hasMore!: boolean;
  @Whole({ description: 'Over how many seconds they are spread.' }) seconds!: number;
}
