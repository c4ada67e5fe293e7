import { LIMITS } from '../limits';
import { STEP_TYPES, type StepType } from '../step-types';
import { STEP_STATUSES, type StepStatus } from '../vocabulary';
import { Children, Choice, Text, Whole } from './fields';

const TRIGGER_STATES = ['accepted', 'running', 'done', 'canceled', 'failed'] as const;

export class SummaryLineDto {
  @Choice(STEP_TYPES, { description: 'The channel, or the type of a step that sends nothing.' })
  channel!: StepType;

  @Choice(STEP_STATUSES) status!: StepStatus;

  @Text({
    optional: true,
    description:
      'Of steps that failed, were canceled or skipped: the last execution detail, as the filter `detail` finds it.',
  })
  reason?: string;

  @Whole() count!: number;
}

export class EventSummaryDto {
  @Text() transactionId!: string;

  @Choice(TRIGGER_STATES, {
    description: 'Of the event itself: while it is accepted or running, more notifications may follow.',
  })
  state!: (typeof TRIGGER_STATES)[number];

  @Text({ optional: true, description: 'Why the event failed.' }) error?: string;
  @Whole({ description: 'Subscribers with at least one notification.' }) recipients!: number;
  @Whole() notifications!: number;

  @Children(() => SummaryLineDto, {
    description: `Steps by channel, status and reason, the most frequent first; at most ${LIMITS.summaryLines} lines.`,
  })
  steps!: SummaryLineDto[];
}
