import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { STEP_TYPES, type StepType } from '../step-types';
import { RULE_NAMES, type RuleName, STEP_STATUSES, type StepStatus } from '../vocabulary';
import { DryRunStepDto, EvaluatedRuleDto } from './dry-run.dto';
import { Child, Children, Choice, Flag, JsonMap, Text } from './fields';

/** wait: a message is sent later, or with a digest that is open. */
export const EXPLANATION_OUTCOMES = ['would_send', 'would_wait', 'would_not_send'] as const;
export type ExplanationOutcome = (typeof EXPLANATION_OUTCOMES)[number];

export class ExplainDto {
  @Text('The workflowId.', { minLength: 1, maxLength: 256, example: 'order-confirmed' }) workflowId!: string;

  @JsonMap('The payload of the trigger. Default: empty.', { optional: true, example: { order: 42 } })
  payload?: JsonObject;

  @Text(
    'The time of the trigger, in ISO 8601. Default: now. Conditions on the time and the schedule are evaluated at ' +
      'this time. The workflow, the preferences and the state of the providers are those of now.',
    { optional: true, format: 'date-time', example: '2030-01-01T03:12:00Z' },
  )
  at?: string;
}

export class SentStepDto {
  @Text() _id!: string;
  @Text() stepId!: string;
  @Choice(STEP_TYPES) type!: StepType;
  @Choice(STEP_STATUSES) status!: StepStatus;
  @Text('The last execution detail.', { optional: true }) reason?: string;
}

export class SentNotificationDto {
  @Text() _id!: string;
  @Text() transactionId!: string;
  @Text() createdAt!: string;
  @Children(() => SentStepDto) steps!: SentStepDto[];
}

/** What really happened around a time of the past. */
export class SentAroundDto {
  @Text() after!: string;
  @Text() before!: string;
  @Children(
    () => SentNotificationDto,
    'The notifications of the workflow to the subscriber, newest first, at most ' + `${LIMITS.explainedHistory}.`,
  )
  notifications!: SentNotificationDto[];
  @Flag('True when there are more of them.') hasMore!: boolean;
}

export class BlockerDto {
  @Text('The step that it blocks; absent when it refuses the trigger.', { optional: true }) stepId?: string;
  @Choice(RULE_NAMES) rule!: RuleName;
  @Text('What blocks, in words.') reason!: string;
  @Text('What to do about it.') action!: string;
}

export class ExplanationDto {
  @Text() subscriberId!: string;
  @Text() workflowId!: string;
  @Text('The time that the rules were evaluated at.') at!: string;
  @Choice(EXPLANATION_OUTCOMES) outcome!: ExplanationOutcome;
  @Children(
    () => BlockerDto,
    'Everything that keeps a message from being sent now, in order: not only the first rule that stops a step.',
  )
  blockers!: BlockerDto[];
  @Children(() => EvaluatedRuleDto, 'Rules of the trigger, before any step.') rules!: EvaluatedRuleDto[];
  @Children(() => DryRunStepDto, 'The steps in order; none when a rule of the trigger stopped.')
  steps!: DryRunStepDto[];
  @Child(
    () => SentAroundDto,
    'For a time in the past: what was really sent from half an hour before it to half an hour after it.',
    { optional: true },
  )
  sent?: SentAroundDto;
}
