import { LIMITS } from '../limits';
import {
  BULK_ACTION_KINDS,
  BULK_ACTION_STATES,
  type BulkActionKind,
  type BulkActionState,
  type Channel,
  CHANNELS,
  UNCHANGED_REASONS,
  type UnchangedReason,
} from '../vocabulary';
import { ActivityFilterDto } from './activity.dto';
import { Child, Children, Choice, Choices, Flag, Ids, Text, Texts, Whole } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';
import { REPLAYABLE_STATUSES, type ReplayableStatus } from './replay.dto';

export class CreateBulkActionDto {
  @Choice(
    BULK_ACTION_KINDS,
    'replay runs steps that have ended without success again. cancel ends the open steps of the notifications, ' +
      'except those for which a provider is being called.',
  )
  action!: BulkActionKind;

  @Ids('Ids of notifications; either these or a filter.', { optional: true, max: LIMITS.bulkActionIds }) ids?: string[];

  @Child(
    () => ActivityFilterDto,
    'All notifications that match now; newer ones that match later are not part of the set. If it names channels, ' +
      'providers, a reason or an error group, a replay runs only the steps that match them. A filter by status, ' +
      `provider, reason, error group or payload looks at ${LIMITS.bulkActionSearch} notifications at most: of more, ` +
      'narrow it with after and before.',
    { optional: true },
  )
  filter?: ActivityFilterDto;

  @Choices(REPLAYABLE_STATUSES, 'Of a replay: which steps run again; without it those that failed.', {
    optional: true,
    max: REPLAYABLE_STATUSES.length,
  })
  statuses?: ReplayableStatus[];

  @Whole('How many items are run in each second.', { min: 1, max: 10_000, default: 100, optional: true })
  perSecond: number = 100;
}

export class RunBulkActionDto {
  @Whole('The `count` that was shown. Any other number is refused with 409.', { min: 0 }) count!: number;
  @Whole('Replaces the rate of the plan.', { min: 1, max: 10_000, optional: true }) perSecond?: number;

  @Text(
    'Of a replay: the `identifier` of an active integration. Items of its channel are sent through it, and through ' +
      'no other; steps behind them as usual. It goes before the integration that the trigger names.',
    { optional: true, minLength: 1, maxLength: 256 },
  )
  integrationIdentifier?: string;
}

export class UnchangedItemsDto {
  @Choice(
    UNCHANGED_REASONS,
    'open: the step was opened again before. ended_again: it has run since. redacted: the marked fields of ' +
      'its payload were redacted. deleted: it no longer exists. ended: no step of the notification was open. ' +
      'sending: a provider was being called.',
  )
  reason!: UnchangedReason;

  @Whole() count!: number;
}

export class ReplayedReasonDto {
  @Text('The words of the provider, or the last execution detail.', { nullable: true }) reason!: string | null;
  @Choice(CHANNELS) channel!: Channel;
  @Text({ nullable: true }) providerId!: string | null;
  @Whole('Steps.') count!: number;
}

export class BulkActionDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Choice(BULK_ACTION_KINDS) action!: BulkActionKind;
  @Choice(BULK_ACTION_STATES, 'A planned action waits for `run`; a stopped one cannot run again.')
  state!: BulkActionState;
  @Whole('Notifications that the request named or that matched its filter.') selected!: number;
  @Whole('Items: steps that a replay runs, or notifications that a cancellation ends.') count!: number;
  @Whole('Notifications of the items.') notifications!: number;
  @Whole('Items of which a message may have reached its provider already.') mayBeDuplicates!: number;
  @Texts(`The first ${LIMITS.bulkActionSample} notifications of those.`) duplicateSample!: string[];
  @Flag(`True when more than ${LIMITS.bulkActionItems} matched; the others are left out.`) hasMore!: boolean;
  @Whole() perSecond!: number;
  @Text('Of a replay: the integration that steps of its channel are sent through.', { optional: true })
  integrationIdentifier?: string;
  @Whole('Items that were replayed or canceled.') done!: number;
  @Whole('Items that had changed since the set was frozen, and were left as they are.') unchanged!: number;
  @Children(() => UnchangedItemsDto, 'Only where one bulk action is retrieved.', { optional: true })
  unchangedReasons?: UnchangedItemsDto[];
  @Children(
    () => ReplayedReasonDto,
    'Of a planned replay that is retrieved: why its steps ended without success. The most frequent first, at most ' +
      `${LIMITS.errorGroups}.`,
    { optional: true },
  )
  reasons?: ReplayedReasonDto[];
  @Whole('Items that the database rejected, or that always took too long.') failed!: number;
  @Whole(
    'Batches that failed. Each makes the next one smaller and later, up to 160 s; each that succeeds takes one back.',
  )
  failures!: number;
  @Text('Why the last of them failed; absent without failures.', { optional: true }) lastError?: string;
  @Text('Of a running action: when its next batch is due.', { optional: true, format: 'date-time' }) nextAt?: string;
  @Text() createdAt!: string;
  @Text('Of a planned action: until when it can be run.', { optional: true, format: 'date-time' }) expiresAt?: string;
  @Text({ optional: true }) startedAt?: string;
  @Text({ optional: true }) endedAt?: string;
}

export class ListBulkActionsQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, 'Default _id.', { optional: true }) orderBy: UnchangingOrder = '_id';
}

export class BulkActionListDto extends CursorEnvelope {
  @Children(() => BulkActionDto) data!: BulkActionDto[];
}
