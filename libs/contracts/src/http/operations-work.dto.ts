import { LIMITS } from '../limits';
import {
  INTEGRATION_STATES,
  type IntegrationState,
  STUCK_REASONS,
  type StuckReason,
  USAGE_GROUPS,
  type UsageGroup,
} from '../vocabulary';
import { STEP_TYPES, type StepType } from '../step-types';
import {
  ActivityFilterDto,
  ActivityRowDto,
  ErrorGroupDto,
  LookupMatchDto,
  LookupQuery,
  RetriedGroupDto,
} from './activity.dto';
import { ExplanationDto } from './explanations.dto';
import { Amount, Child, Children, Choice, Flag, QueryWhole, Text, Whole } from './fields';

/** The environments that an operation looks at: one, or all of the organization. */
const ONE_ENVIRONMENT = {
  optional: true,
  format: 'uuid',
  description: 'Only this environment. Without it, all environments of the organization of the key.',
} as const;

class OfEnvironments {
  @Text(ONE_ENVIRONMENT) environmentId?: string;
}

class InEnvironment {
  @Text() environmentId!: string;
  @Text({ description: 'The name of the environment.' }) environment!: string;
}

export class TopQuery extends OfEnvironments {
  @Choice(USAGE_GROUPS, { optional: true, description: 'Default environment.' })
  by: UsageGroup = 'environment';

  @QueryWhole({ min: 1, max: 100, default: 20 }) limit: number = 20;
}

export class UsageDto {
  @Text({ nullable: true, description: 'Null for a channel, which is that of all environments.' })
  environmentId!: string | null;
  @Text({ nullable: true }) environment!: string | null;
  @Text({ description: 'The environment, the workflowId, the provider with its integration, or the channel.' })
  name!: string;
  @Text({ nullable: true, description: 'Of the workflow or the integration.' }) id!: string | null;
  @Amount({ description: 'Channel steps in the last one to two minutes; of an integration, those that it ended.' })
  acceptedPerSecond!: number;
  @Amount({ description: 'The same in the last five to six minutes.' }) acceptedPerSecond5m!: number;
  @Amount({ description: 'The part of all that was accepted in the last five minutes, from 0 to 1.' }) share!: number;
  @Whole({ description: 'Failed and in-doubt steps of notifications of the last five minutes.' }) failed5m!: number;
  @Whole({ description: 'Open steps and triggers that could run now.' }) due!: number;
  @Whole({ description: 'That a process works on.' }) running!: number;
  @Whole({ description: 'That wait for a time: a delay, a digest or the next attempt.' }) delayed!: number;
  @Whole({ description: 'That wait for a hold.' }) held!: number;
  @Whole({ nullable: true, description: 'For how long the oldest has been due.' }) oldestDueSeconds!: number | null;
  @Choice(INTEGRATION_STATES, { nullable: true, description: 'Of an integration that was paused before.' })
  state!: IntegrationState | null;
  @Text({ nullable: true, format: 'date-time', description: 'Since when the integration has this state.' })
  stateSince!: string | null;
  @Text({ nullable: true, description: 'What the provider said last.' }) stateReason!: string | null;
}

export class UsageListDto {
  @Children(() => UsageDto, { description: 'The busiest first.' }) data!: UsageDto[];
  @Flag({ description: 'True if more work is open than was counted: the counts of open work are too small.' })
  isBounded!: boolean;
}

export class StuckQuery extends OfEnvironments {
  @QueryWhole({ min: 0, max: 31 * 24 * 3600, default: 60, description: 'Seconds that it has waited at least.' })
  olderThan: number = 60;

  @QueryWhole({ min: 1, max: LIMITS.stuckRows, default: 50 }) limit: number = 50;
}

export class StuckRowDto extends InEnvironment {
  @Choice(STUCK_REASONS) reason!: StuckReason;
  @Choice(STEP_TYPES, { description: 'The type of the step, or trigger.' }) type!: StepType;
  @Text({ description: 'Of the step or the trigger.' }) _id!: string;
  @Text({ nullable: true, description: 'Null for a trigger.' }) notificationId!: string | null;
  @Text({ nullable: true }) transactionId!: string | null;
  @Text({ nullable: true, description: 'Null if the workflow was removed.' }) workflowId!: string | null;
  @Text({ nullable: true }) subscriberId!: string | null;
  @Text({ format: 'date-time', description: 'Since when it waits for this.' }) since!: string;
  @Whole() waitedSeconds!: number;
  @Text({ description: 'What it waits for.' }) waitsFor!: string;
  @Text({ description: 'What to do about it.' }) advice!: string;
  @Whole({ description: 'How many of its environment, workflow and type wait for the same, this one included.' })
  alike!: number;
}

export class StuckCountDto {
  @Choice(STUCK_REASONS) reason!: StuckReason;
  @Whole() count!: number;
}

export class ConnectedRoleDto {
  @Text({ description: 'gateway, engine or a worker.', example: 'worker-email' }) role!: string;
  @Whole({ description: 'Its connections to Postgres.' }) connections!: number;
}

export class StuckListDto {
  @Children(() => StuckRowDto, {
    description: 'The longest wait first. If there are more than `limit`, every kind of wait is among them.',
  })
  data!: StuckRowDto[];
  @Whole({ description: 'Of all reasons, also what `data` leaves out.' }) total!: number;
  @Flag({ description: 'True if more work is open than was looked at: the counts are too small.' })
  isBounded!: boolean;
  @Children(() => StuckCountDto, { description: 'By reason.' }) counts!: StuckCountDto[];
  @Children(() => ConnectedRoleDto, {
    description: 'A role without a connection does not run. Empty unless the operator asks.',
  })
  roles!: ConnectedRoleDto[];
}

export class ErrorsQuery extends OfEnvironments {
  @Text({
    optional: true,
    description:
      'When the steps ended at the earliest, ISO 8601; default one hour ago. A step is found if its notification was ' +
      'made at most 8 hours before that: a long delay or hold before a failure hides it.',
  })
  since?: string;
}

export class EnvironmentErrorsDto extends ErrorGroupDto {
  @Text() environmentId!: string;
  @Text({ description: 'The name of the environment.' }) environment!: string;
}

export class RetriedErrorsDto extends RetriedGroupDto {
  @Text() environmentId!: string;
  @Text({ description: 'The name of the environment.' }) environment!: string;
}

export class ErrorListDto {
  @Children(() => EnvironmentErrorsDto, {
    description: `The largest first, at most ${LIMITS.errorGroups}. What failed before a replay is a separate group.`,
  })
  data!: EnvironmentErrorsDto[];
  @Children(() => RetriedErrorsDto, {
    description: `Steps that are tried again; the largest first, at most ${LIMITS.errorGroups}.`,
  })
  retrying!: RetriedErrorsDto[];
  @Text() since!: string;
  @Flag({
    description: `True if an environment has more than ${LIMITS.searchedHistory} failed steps; it shows the newest.`,
  })
  isBounded!: boolean;
}

export class OperationsLookupQuery extends LookupQuery {
  @Text(ONE_ENVIRONMENT) environmentId?: string;
}

export class EnvironmentMatchDto extends LookupMatchDto {
  @Text() environmentId!: string;
  @Text({ description: 'The name of the environment.' }) environment!: string;
  @Child(() => ActivityRowDto, { nullable: true, description: 'The notification, or the newest of the transaction.' })
  notification!: ActivityRowDto | null;
  @Flag({ description: 'The transaction has more notifications.' }) hasMore!: boolean;
  @Children(() => StuckRowDto, { description: 'What each open step of the notification waits for.' })
  waiting!: StuckRowDto[];
}

export class OperationsLookupDto {
  @Children(() => EnvironmentMatchDto, { description: 'Empty if nothing has this id.' }) data!: EnvironmentMatchDto[];
}

export class OperationsExplainQuery extends OfEnvironments {
  @Text({ minLength: 1, maxLength: 256, description: 'The subscriberId.', example: 'ada' }) subscriberId!: string;
  @Text({ minLength: 1, maxLength: 256, description: 'The workflowId.', example: 'order-confirmed' })
  workflowId!: string;
  @Text({ optional: true, format: 'date-time', description: 'The time of the trigger, in ISO 8601. Default: now.' })
  at?: string;
}

export class EnvironmentExplanationDto extends ExplanationDto {
  @Text() environmentId!: string;
  @Text({ description: 'The name of the environment.' }) environment!: string;
}

export class OperationsExplanationDto {
  @Children(() => EnvironmentExplanationDto, {
    description: 'One for each environment that has both the subscriber and the workflow.',
  })
  data!: EnvironmentExplanationDto[];
}

export class TailQuery extends ActivityFilterDto {
  @Text(ONE_ENVIRONMENT) environmentId?: string;
}

export class TailLineDto extends InEnvironment {
  @Choice(['new', 'changed'], { description: 'Whether the notification is new, or its steps changed.' })
  change!: 'new' | 'changed';
  @Text({ format: 'date-time', description: 'When its last step ended, or when it was made.' }) at!: string;
  @Child(() => ActivityRowDto) notification!: ActivityRowDto;
}
