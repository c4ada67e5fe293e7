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
  @Text({ minLength: 1, maxLength: 256, description: 'The workflowId.', example: 'order-confirmed' })
  workflowId!: string;

  @JsonMap({ optional: true, description: 'The payload of the trigger. Default: empty.', example: { order: 42 } })
  payload?: JsonObject;

  @Text({
    optional: true,
    format: 'date-time',
    description:
      'The time of the trigger, in ISO 8601. Default: now. Conditions on the time and the schedule are evaluated at ' +
      'this time. The workflow, the preferences and the state of the providers are those of now.',
    example: '2030-01-01T03:12:00Z',
  })
  at?: string;
}

export class SentStepDto {
  @Text() _id!: string;
  @Text() stepId!: string;
  @Choice(STEP_TYPES) type!: StepType;
  @Choice(STEP_STATUSES) status!: StepStatus;
  @Text({ optional: true, description: 'The last execution detail.' }) reason?: string;
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
  @Children(() => SentNotificationDto, {
    description:
      'The notifications of the workflow to the subscriber, newest first, at most ' + `${LIMITS.explainedHistory}.`,
  })
  notifications!: SentNotificationDto[];
  @Flag({ description: 'True when there are more of them.' }) hasMore!: boolean;
}

export class BlockerDto {
  @Text({ optional: true, description: 'The step that it blocks; absent when it refuses the trigger.' })
  stepId?: string;
  @Choice(RULE_NAMES) rule!: RuleName;
  @Text({ description: 'What blocks, in words.' }) reason!: string;
  @Text({ description: 'What to do about it.' }) action!: string;
}

export class ExplanationDto {
  @Text() subscriberId!: string;
  @Text() workflowId!: string;
  @Text({ description: 'The time that the rules were evaluated at.' }) at!: string;
  @Choice(EXPLANATION_OUTCOMES) outcome!: ExplanationOutcome;
  @Children(() => BlockerDto, {
    description:
      'Everything that keeps a message from being sent now, in order: not only the first rule that stops a step.',
  })
  blockers!: BlockerDto[];
  @Children(() => EvaluatedRuleDto, { description: 'Rules of the trigger, before any step.' })
  rules!: EvaluatedRuleDto[];
  @Children(() => DryRunStepDto, { description: 'The steps in order; none when a rule of the trigger stopped.' })
  steps!: DryRunStepDto[];
  @Child(() => SentAroundDto, {
    optional: true,
    description: 'For a time in the past: what was really sent from half an hour before it to half an hour after it.',
  })
  sent?: SentAroundDto;
}
