import { LIMITS } from '../limits';
import { STEP_TYPES, type StepType } from '../step-types';
import { STEP_STATUSES, type StepStatus } from '../vocabulary';
import { Children, Choice, Text, Whole } from './fields';

const TRIGGER_STATES = ['accepted', 'running', 'done', 'canceled', 'failed'] as const;

export class SummaryLineDto {
  @Choice(STEP_TYPES, 'The channel, or the type of a step that sends nothing.') channel!: StepType;
  @Choice(STEP_STATUSES) status!: StepStatus;

  @Text('Of steps that failed, were canceled or skipped: the last execution detail, as the filter `detail` finds it.', {
    optional: true,
  })
  reason?: string;

  @Whole() count!: number;
}

export class EventSummaryDto {
  @Text() transactionId!: string;

  @Choice(TRIGGER_STATES, 'Of the event itself: while it is accepted or running, more notifications may follow.')
  state!: (typeof TRIGGER_STATES)[number];

  @Text('Why the event failed.', { optional: true }) error?: string;
  @Whole('Subscribers with at least one notification.') recipients!: number;
  @Whole() notifications!: number;

  @Children(
    () => SummaryLineDto,
    `Steps by channel, status and reason, the most frequent first; at most ${LIMITS.summaryLines} lines.`,
  )
  steps!: SummaryLineDto[];
}
