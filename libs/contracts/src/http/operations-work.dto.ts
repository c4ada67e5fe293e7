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
  @Text('The name of the environment.') environment!: string;
}

export class TopQuery extends OfEnvironments {
  @Choice(USAGE_GROUPS, 'Default environment.', { optional: true }) by: UsageGroup = 'environment';
  @QueryWhole({ min: 1, max: 100, default: 20 }) limit: number = 20;
}

export class UsageDto {
  @Text('Null for a channel, which is that of all environments.', { nullable: true }) environmentId!: string | null;
  @Text({ nullable: true }) environment!: string | null;
  @Text('The environment, the workflowId, the provider with its integration, or the channel.') name!: string;
  @Text('Of the workflow or the integration.', { nullable: true }) id!: string | null;
  @Amount('Channel steps in the last one to two minutes; of an integration, those that it ended.')
  acceptedPerSecond!: number;
  @Amount('The same in the last five to six minutes.') acceptedPerSecond5m!: number;
  @Amount('The part of all that was accepted in the last five minutes, from 0 to 1.') share!: number;
  @Whole('Failed and in-doubt steps of notifications of the last five minutes.') failed5m!: number;
  @Whole('Open steps and triggers that could run now.') due!: number;
  @Whole('That wait for the limit or the health of their integration, or for a budget: more workers do not help.')
  waiting!: number;
  @Whole('That a process works on.') running!: number;
  @Whole('That wait for a time: a delay, a digest or the next attempt.') delayed!: number;
  @Whole('That wait for a hold.') held!: number;
  @Whole('For how long the oldest has been due.', { nullable: true }) oldestDueSeconds!: number | null;
  @Choice(INTEGRATION_STATES, 'Of an integration that was paused before.', { nullable: true })
  state!: IntegrationState | null;
  @Text('Since when the integration has this state.', { nullable: true, format: 'date-time' })
  stateSince!: string | null;
  @Text('What the provider said last.', { nullable: true }) stateReason!: string | null;
}

export class UsageListDto {
  @Children(() => UsageDto, 'The busiest first.') data!: UsageDto[];
  @Flag('True if more work is open than was counted: the counts of open work are too small.') isBounded!: boolean;
}

export class StuckQuery extends OfEnvironments {
  @QueryWhole('Seconds that it has waited at least.', { min: 0, max: 31 * 24 * 3600, default: 60 })
  olderThan: number = 60;

  @QueryWhole({ min: 1, max: LIMITS.stuckRows, default: 50 }) limit: number = 50;
}

export class StuckRowDto extends InEnvironment {
  @Choice(STUCK_REASONS) reason!: StuckReason;
  @Choice(STEP_TYPES, 'The type of the step, or trigger.') type!: StepType;
  @Text('Of the step or the trigger.') _id!: string;
  @Text('Null for a trigger.', { nullable: true }) notificationId!: string | null;
  @Text({ nullable: true }) transactionId!: string | null;
  @Text('Null if the workflow was removed.', { nullable: true }) workflowId!: string | null;
  @Text({ nullable: true }) subscriberId!: string | null;
  @Text('Since when it waits for this.', { format: 'date-time' }) since!: string;
  @Whole() waitedSeconds!: number;
  @Text('What it waits for.') waitsFor!: string;
  @Text('What to do about it.') advice!: string;
  @Whole('How many of its environment, workflow and type wait for the same, this one included.') alike!: number;
}

export class StuckCountDto {
  @Choice(STUCK_REASONS) reason!: StuckReason;
  @Whole() count!: number;
}

export class ConnectedRoleDto {
  @Text('gateway, engine or a worker.', { example: 'worker-email' }) role!: string;
  @Whole('Its connections to Postgres.') connections!: number;
}

export class StuckListDto {
  @Children(
    () => StuckRowDto,
    'The longest wait first. If there are more than `limit`, every kind of wait is among them.',
  )
  data!: StuckRowDto[];
  @Whole('Of all reasons, also what `data` leaves out.') total!: number;
  @Flag('True if more work is open than was looked at: the counts are too small.') isBounded!: boolean;
  @Children(() => StuckCountDto, 'By reason.') counts!: StuckCountDto[];
  @Children(() => ConnectedRoleDto, 'A role without a connection does not run. Empty unless the operator asks.')
  roles!: ConnectedRoleDto[];
}

export class ErrorsQuery extends OfEnvironments {
  @Text(
    'When the steps ended at the earliest, ISO 8601; default one hour ago. A step is found if its notification was ' +
      'made at most 8 hours before that: a long delay or hold before a failure hides it.',
    { optional: true },
  )
  since?: string;
}

export class EnvironmentErrorsDto extends ErrorGroupDto {
  @Text() environmentId!: string;
  @Text('The name of the environment.') environment!: string;
}

export class RetriedErrorsDto extends RetriedGroupDto {
  @Text() environmentId!: string;
  @Text('The name of the environment.') environment!: string;
}

export class ErrorListDto {
  @Children(
    () => EnvironmentErrorsDto,
    `The largest first, at most ${LIMITS.errorGroups}. What failed before a replay is a separate group.`,
  )
  data!: EnvironmentErrorsDto[];
  @Children(() => RetriedErrorsDto, `Steps that are tried again; the largest first, at most ${LIMITS.errorGroups}.`)
  retrying!: RetriedErrorsDto[];
  @Text() since!: string;
  @Flag(`True if an environment has more than ${LIMITS.searchedHistory} failed steps; it shows the newest.`)
  isBounded!: boolean;
}

export class OperationsLookupQuery extends LookupQuery {
  @Text(ONE_ENVIRONMENT) environmentId?: string;
}

export class EnvironmentMatchDto extends LookupMatchDto {
  @Text() environmentId!: string;
  @Text('The name of the environment.') environment!: string;
  @Child(() => ActivityRowDto, 'The notification, or the newest of the transaction.', { nullable: true })
  notification!: ActivityRowDto | null;
  @Flag('The transaction has more notifications.') hasMore!: boolean;
  @Children(() => StuckRowDto, 'What each open step of the notification waits for.') waiting!: StuckRowDto[];
}

export class OperationsLookupDto {
  @Children(() => EnvironmentMatchDto, 'Empty if nothing has this id.') data!: EnvironmentMatchDto[];
}

export class OperationsExplainQuery extends OfEnvironments {
  @Text('The subscriberId.', { minLength: 1, maxLength: 256, example: 'ada' }) subscriberId!: string;
  @Text('The workflowId.', { minLength: 1, maxLength: 256, example: 'order-confirmed' }) workflowId!: string;
  @Text('The time of the trigger, in ISO 8601. Default: now.', { optional: true, format: 'date-time' }) at?: string;
}

export class EnvironmentExplanationDto extends ExplanationDto {
  @Text() environmentId!: string;
  @Text('The name of the environment.') environment!: string;
}

export class OperationsExplanationDto {
  @Children(() => EnvironmentExplanationDto, 'One for each environment that has both the subscriber and the workflow.')
  data!: EnvironmentExplanationDto[];
}

export class TailQuery extends ActivityFilterDto {
  @Text(ONE_ENVIRONMENT) environmentId?: string;
}

export class TailLineDto extends InEnvironment {
  @Choice(['new', 'changed'], 'Whether the notification is new, or its steps changed.') change!: 'new' | 'changed';
  @Text('When its last step ended, or when it was made.', { format: 'date-time' }) at!: string;
  @Child(() => ActivityRowDto) notification!: ActivityRowDto;
}
