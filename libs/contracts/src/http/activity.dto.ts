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
import {
  Child,
  Children,
  Choice,
  Flag,
  QueryChoices,
  QueryTexts,
  QueryWhole,
  Text,
  Texts,
  Whole,
  Wholes,
} from './fields';

const SAME_STEP = 'With status, channel, providerId, reason and errorGroup together, one step meets all of them';

/** Which notifications: in the query of the activity, and in the body of a bulk action. */
export class ActivityFilterDto {
  @QueryChoices(OUTCOMES, `Alone: the outcome of the notification. ${SAME_STEP}.`) status?: Outcome[];
  @QueryChoices(CHANNELS, 'With a step of any of these channels.') channel?: Channel[];
  @QueryTexts('The workflowId of workflows, or their ids.', { maxLength: 256 }) workflowId?: string[];
  @QueryTexts('Providers of the step, such as `sendgrid`.', { maxLength: 64 }) providerId?: string[];

  @Text(
    'Part of the reason of a step, in any case: why it failed, was skipped or is tried again. ' +
      'The words of the provider, if it was called.',
    { optional: true, maxLength: 1000 },
  )
  reason?: string;

  @Text('The `errorGroup` of a group of `/v1/activity/groups`: exactly the steps of this group.', {
    optional: true,
    pattern: /^[0-9a-f]{32}$/,
  })
  errorGroup?: string;

  @Text('The whole subscriberId, email address or phone number of the recipient.', { optional: true, maxLength: 512 })
  subscriber?: string;

  @Text({ optional: true, maxLength: LIMITS.filterText }) topicKey?: string;
  @QueryTexts({ maxLength: 512 }) transactionId?: string[];
  @QueryChoices(SEVERITIES) severity?: Severity[];
  @Text('ISO 8601; created at this time or later.', { optional: true }) after?: string;
  @Text('ISO 8601; created at this time or earlier.', { optional: true }) before?: string;

  @Text('A value inside the payload: `path=value`, or a value alone, which is found at any place.', {
    optional: true,
    maxLength: LIMITS.filterText,
    example: 'order.id=42',
  })
  payload?: string;
}

export class ListActivityQuery extends ActivityFilterDto {
  @QueryWhole({ min: 1, max: LIMITS.activityPage, default: 50 }) limit: number = 50;
  @Text('`next` of the page before.', { optional: true }) cursor?: string;
}

export class ExportActivityQuery extends ActivityFilterDto {
  @Choice(ACTIVITY_FORMATS, 'json (default): one list of all rows; or csv.', { optional: true })
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
  @Text('First and last name.', { nullable: true }) name!: string | null;
  @Text({ nullable: true }) email!: string | null;
}

export class ActivityStepDto {
  @Text() _id!: string;
  @Text('The name of the step in the workflow.') stepId!: string;
  @Choice(CHANNELS) type!: Channel;
  @Choice(OUTCOMES) outcome!: Outcome;
  @Choice(STEP_STATUSES) status!: StepStatus;
  @Text('Null while no provider was chosen.', { nullable: true }) providerId!: string | null;
  @Text('Why it failed, was skipped or is tried again.', { nullable: true }) reason!: string | null;
  @Text('The kind of the error of the provider, if it was called and refused.', { nullable: true, example: 'quota' })
  code!: string | null;
  @Text('Null while the step is open.', { nullable: true }) endedAt!: string | null;
}

export class ActivityRowDto {
  @Text() _id!: string;
  @Text() createdAt!: string;
  @Text({ nullable: true }) transactionId!: string | null;
  @Choice(SEVERITIES) severity!: Severity;
  @Choice(
    OUTCOMES,
    'in_flight if any channel step is open, else in_doubt if any is, else failed if any failed, else delivered if ' +
      'any was delivered, else skipped.',
  )
  outcome!: Outcome;
  @Child(() => ActivityWorkflowDto, 'Null if it was removed.', { nullable: true })
  workflow!: ActivityWorkflowDto | null;
  @Child(() => ActivityRecipientDto, 'Null if it was deleted.', { nullable: true })
  subscriber!: ActivityRecipientDto | null;
  @Texts() topicKeys!: string[];
  @Children(() => ActivityStepDto, 'Channel steps, in order.') steps!: ActivityStepDto[];
}

/** How far a search went that had to look into steps or payloads. */
class Searched {
  @Whole('Notifications that were looked at; null if every filter has an index.', { nullable: true })
  searched!: number | null;

  @Flag(`True if the search stopped after ${LIMITS.searchedHistory} notifications and older ones may match.`)
  isBounded!: boolean;
}

export class ActivityListDto extends Searched {
  @Children(() => ActivityRowDto, 'Newest first.') data!: ActivityRowDto[];
  @Flag('True if there is a next page. It may be empty after a search that was bounded.') hasMore!: boolean;

  @Text('The `cursor` of the next page, which also goes on with a bounded search.', { nullable: true })
  next!: string | null;
}

export class ErrorBarsDto {
  @Text('Where the first bar begins.', { format: 'date-time' }) from!: string;
  @Text('Where the last bar ends.', { format: 'date-time' }) until!: string;
  @Wholes(`The steps of each of ${LIMITS.errorGroupBars} equal parts of this time.`) counts!: number[];
}

export class ErrorGroupDto {
  @Text('Of its outcome, channel, provider, reason and code; the filter `errorGroup` takes it.') errorGroup!: string;
  @Text('The words of the provider, or the last execution detail.', { nullable: true }) reason!: string | null;
  @Text('The kind of the error of the provider, if it was called.', { nullable: true, example: 'quota' })
  code!: string | null;
  @Choice(OUTCOMES) outcome!: Outcome;
  @Text({ nullable: true }) providerId!: string | null;
  @Choice(CHANNELS) channel!: Channel;
  @Whole('Steps.') count!: number;
  @Whole('Different subscribers.') people!: number;
  @Whole('Those of them whom another channel of the same notification reached.') reachedOtherwise!: number;
  @Text('When the first of these steps ended.') firstAt!: string;
  @Text() lastAt!: string;
  @Text('The newest notification of the group.') sampleNotificationId!: string;
  @Flag(
    'True for failures that were replayed since: they happened, and their steps are open again or have ended anew. ' +
      'Failures of the same kind that were not replayed are another group.',
  )
  isReplayed!: boolean;
  @Whole('Of a replayed group: its steps that were delivered after the replay.') recovered!: number;
  @Child(
    () => ErrorBarsDto,
    'When these steps ended: in the range that was asked for, without one since the first step of all groups.',
  )
  bars!: ErrorBarsDto;
}

export class RetriedGroupDto {
  @Choice(CHANNELS) channel!: Channel;
  @Text({ nullable: true }) providerId!: string | null;
  @Text('What the provider said to the last attempt.', { nullable: true }) reason!: string | null;
  @Whole('Open steps.') count!: number;
  @Whole('Different subscribers.') people!: number;
  @Text('When the first of them is tried again.', { format: 'date-time' }) nextAt!: string;
  @Text('The newest notification of the group.') sampleNotificationId!: string;
}

export class ActivityGroupsDto extends Searched {
  @Children(() => ErrorGroupDto, `The largest first, at most ${LIMITS.errorGroups}.`) data!: ErrorGroupDto[];
}

const LOOKUP_KINDS = ['notification', 'step', 'message', 'transaction', 'subscriber', 'workflow'] as const;
export type LookupKind = (typeof LOOKUP_KINDS)[number];

export class LookupQuery {
  @Text(
    'The id of a notification, step, message or trigger, a transactionId, the id of a message at its provider, a ' +
      'trace id, ' +
      'a request id, a subscriberId, an email address, a phone number or a workflowId.',
    { minLength: 1, maxLength: 512, trim: true },
  )
  id!: string;
}

export class LookupMatchDto {
  @Choice(LOOKUP_KINDS, 'What has this id.') kind!: LookupKind;
  @Text() _id!: string;
  @Text() title!: string;
  @Text('The page of the dashboard that shows it.') path!: string;
}

export class LookupDto {
  @Children(() => LookupMatchDto, 'Empty if nothing has this id.') data!: LookupMatchDto[];
}
