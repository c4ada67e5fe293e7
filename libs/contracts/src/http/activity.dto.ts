import { LIMITS } from '../limits';
import {
  ACTIVITY_FORMATS,
  type ActivityFormat,
  type Channel,
  CHANNELS,
  type Outcome,
  OUTCOMES,
  SEVERITIES,
  type Severity,
  STEP_STATUSES,
  type StepStatus,
} from '../vocabulary';
import { Child, Children, Choice, Flag, QueryChoices, QueryTexts, QueryWhole, Text, Texts, Whole } from './fields';

const SAME_STEP = 'With status, channel, providerId and reason together, one step meets all of them';

/** Which notifications: in the query of the activity, and in the body of a bulk action. */
export class ActivityFilterDto {
  @QueryChoices(OUTCOMES, { description: `Alone: the outcome of the notification. ${SAME_STEP}.` })
  status?: Outcome[];

  @QueryChoices(CHANNELS, { description: 'With a step of any of these channels.' })
  channel?: Channel[];

  @QueryTexts({ maxLength: 256, description: 'The workflowId of workflows, or their ids.' })
  workflowId?: string[];

  @QueryTexts({ maxLength: 64, description: 'Providers of the step, such as `sendgrid`.' })
  providerId?: string[];

  @Text({
    optional: true,
    maxLength: 1000,
    description:
      'Part of the reason of a step, in any case: why it failed, was skipped or is tried again. ' +
      'The words of the provider, if it was called.',
  })
  reason?: string;

  @Text({
    optional: true,
    maxLength: 512,
    description: 'The whole subscriberId, email address or phone number of the recipient.',
  })
  subscriber?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText }) topicKey?: string;
  @QueryTexts({ maxLength: 512 }) transactionId?: string[];
  @QueryChoices(SEVERITIES) severity?: Severity[];
  @Text({ optional: true, description: 'ISO 8601; created at this time or later.' }) after?: string;

  @Text({ optional: true, description: 'ISO 8601; created at this time or earlier.' })
  before?: string;

  @Text({
    optional: true,
    maxLength: LIMITS.filterText,
    description: 'A value inside the payload, as `path=value`.',
    example: 'order.id=42',
  })
  payload?: string;
}

export class ListActivityQuery extends ActivityFilterDto {
  @QueryWhole({ min: 1, max: LIMITS.activityPage, default: 50 }) limit: number = 50;
  @Text({ optional: true, description: '`next` of the page before.' }) cursor?: string;
}

export class ExportActivityQuery extends ActivityFilterDto {
  @Choice(ACTIVITY_FORMATS, { optional: true, description: 'json (default): one list of all rows; or csv.' })
  format: ActivityFormat = 'json';
}

export class ActivityWorkflowDto {
  @Text() _id!: string;
  @Text() workflowId!: string;
  @Text() name!: string;
}

export class ActivityRecipientDto {
  @Text() _id!: string;
  @Text() subscriberId!: string;
  @Text({ nullable: true, description: 'First and last name.' }) name!: string | null;
  @Text({ nullable: true }) email!: string | null;
}

export class ActivityStepDto {
  @Text() _id!: string;
  @Text({ description: 'The name of the step in the workflow.' }) stepId!: string;
  @Choice(CHANNELS) type!: Channel;
  @Choice(OUTCOMES) outcome!: Outcome;
  @Choice(STEP_STATUSES) status!: StepStatus;
  @Text({ nullable: true, description: 'Null while no provider was chosen.' }) providerId!: string | null;
  @Text({ nullable: true, description: 'Why it failed, was skipped or is tried again.' }) reason!: string | null;
  @Text({ nullable: true, description: 'Null while the step is open.' }) endedAt!: string | null;
}

export class ActivityRowDto {
  @Text() _id!: string;
  @Text() createdAt!: string;
  @Text({ nullable: true }) transactionId!: string | null;
  @Choice(SEVERITIES) severity!: Severity;
  @Choice(OUTCOMES, {
    description:
      'in_flight if any channel step is open, else in_doubt if any is, else failed if any failed, else delivered if ' +
      'any was delivered, else skipped.',
  })
  outcome!: Outcome;
  @Child(() => ActivityWorkflowDto, { nullable: true, description: 'Null if it was removed.' })
  workflow!: ActivityWorkflowDto | null;
  @Child(() => ActivityRecipientDto, { nullable: true, description: 'Null if it was deleted.' })
  subscriber!: ActivityRecipientDto | null;
  @Texts() topicKeys!: string[];
  @Children(() => ActivityStepDto, { description: 'Channel steps, in order.' }) steps!: ActivityStepDto[];
}

/** How far a search went that had to look into steps or payloads. */
class Searched {
  @Whole({ nullable: true, description: 'Notifications that were looked at; null if every filter has an index.' })
  searched!: number | null;

  @Flag({
    description: `True if the search stopped after ${LIMITS.searchedHistory} notifications and older ones may match.`,
  })
  isBounded!: boolean;
}

export class ActivityListDto extends Searched {
  @Children(() => ActivityRowDto, { description: 'Newest first.' }) data!: ActivityRowDto[];

  @Flag({ description: 'True if there is a next page. It may be empty after a search that was bounded.' })
  hasMore!: boolean;

  @Text({ nullable: true, description: 'The `cursor` of the next page, which also goes on with a bounded search.' })
  next!: string | null;
}

export class ErrorGroupDto {
  @Text({ nullable: true, description: 'The words of the provider, or the last execution detail.' })
  reason!: string | null;
  @Text({ nullable: true, description: 'The kind of the error of the provider, if it was called.', example: 'quota' })
  code!: string | null;
  @Choice(OUTCOMES) outcome!: Outcome;
  @Text({ nullable: true }) providerId!: string | null;
  @Choice(CHANNELS) channel!: Channel;
  @Whole({ description: 'Steps.' }) count!: number;
  @Whole({ description: 'Different subscribers.' }) people!: number;
  @Whole({ description: 'Those of them whom another channel of the same notification reached.' })
  reachedOtherwise!: number;
  @Text({ description: 'When the first of these steps ended.' }) firstAt!: string;
  @Text() lastAt!: string;
  @Text({ description: 'The newest notification of the group.' }) sampleNotificationId!: string;
  @Flag({
    description:
      'True for failures that were replayed since: they happened, and their steps are open again or have ended anew. ' +
      'Failures of the same kind that were not replayed are another group.',
  })
  isReplayed!: boolean;
  @Whole({ description: 'Of a replayed group: its steps that were delivered after the replay.' })
  recovered!: number;
}

export class RetriedGroupDto {
  @Choice(CHANNELS) channel!: Channel;
  @Text({ nullable: true }) providerId!: string | null;
  @Text({ nullable: true, description: 'What the provider said to the last attempt.' }) reason!: string | null;
  @Whole({ description: 'Open steps.' }) count!: number;
  @Whole({ description: 'Different subscribers.' }) people!: number;
  @Text({ format: 'date-time', description: 'When the first of them is tried again.' }) nextAt!: string;
  @Text({ description: 'The newest notification of the group.' }) sampleNotificationId!: string;
}

export class ActivityGroupsDto extends Searched {
  @Children(() => ErrorGroupDto, { description: `The largest first, at most ${LIMITS.errorGroups}.` })
  data!: ErrorGroupDto[];
}

const LOOKUP_KINDS = ['notification', 'step', 'message', 'transaction', 'subscriber', 'workflow'] as const;
export type LookupKind = (typeof LOOKUP_KINDS)[number];

export class LookupQuery {
  @Text({
    minLength: 1,
    maxLength: 512,
    trim: true,
    description:
      'The id of a notification, step, message or trigger, a transactionId, the id of a message at its provider, a ' +
      'trace id, ' +
      'a request id, a subscriberId, an email address, a phone number or a workflowId.',
  })
  id!: string;
}

export class LookupMatchDto {
  @Choice(LOOKUP_KINDS, { description: 'What has this id.' }) kind!: LookupKind;
  @Text() _id!: string;
  @Text() title!: string;
  @Text({ description: 'The page of the dashboard that shows it.' }) path!: string;
}

export class LookupDto {
  @Children(() => LookupMatchDto, { description: 'Empty if nothing has this id.' }) data!: LookupMatchDto[];
}
