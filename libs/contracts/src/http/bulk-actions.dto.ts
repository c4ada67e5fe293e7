import { LIMITS } from '../limits';
import {
  BULK_ACTION_KINDS,
  BULK_ACTION_STATES,
  type BulkActionKind,
  type BulkActionState,
  UNCHANGED_REASONS,
  type UnchangedReason,
} from '../vocabulary';
import { ActivityFilterDto } from './activity.dto';
import { Child, Children, Choice, Choices, Flag, Ids, Text, Texts, Whole } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';
import { REPLAYABLE_STATUSES, type ReplayableStatus } from './replay.dto';

export class CreateBulkActionDto {
  @Choice(BULK_ACTION_KINDS, {
    description:
      'replay runs steps that have ended without success again. cancel ends the open steps of the notifications, ' +
      'except those for which a provider is being called.',
  })
  action!: BulkActionKind;

  @Ids({ optional: true, max: LIMITS.bulkActionIds, description: 'Ids of notifications; either these or a filter.' })
  ids?: string[];

  @Child(() => ActivityFilterDto, {
    optional: true,
    description:
      'All notifications that match now; newer ones that match later are not part of the set. If it names channels, ' +
      'providers or a reason, a replay runs only the steps that match them.',
  })
  filter?: ActivityFilterDto;

  @Choices(REPLAYABLE_STATUSES, {
    optional: true,
    max: REPLAYABLE_STATUSES.length,
    description: 'Of a replay: which steps run again; without it those that failed.',
  })
  statuses?: ReplayableStatus[];

  @Whole({ min: 1, max: 10_000, default: 100, optional: true, description: 'How many items are run in each second.' })
  perSecond: number = 100;
}

export class RunBulkActionDto {
  @Whole({ min: 0, description: 'The `count` that was shown. Any other number is refused with 409.' })
  count!: number;

  @Whole({ min: 1, max: 10_000, optional: true, description: 'Replaces the rate of the plan.' })
  perSecond?: number;
}

export class UnchangedItemsDto {
  @Choice(UNCHANGED_REASONS, {
    description:
      'open: the step was opened again before. ended_again: it has run since. redacted: the marked fields of ' +
      'its payload were redacted. deleted: it no longer exists. ended: no step of the notification was open. ' +
      'sending: a provider was being called.',
  })
  reason!: UnchangedReason;

  @Whole() count!: number;
}

export class BulkActionDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Choice(BULK_ACTION_KINDS) action!: BulkActionKind;
  @Choice(BULK_ACTION_STATES, { description: 'A planned action waits for `run`; a stopped one cannot run again.' })
  state!: BulkActionState;
  @Whole({ description: 'Notifications that the request named or that matched its filter.' }) selected!: number;
  @Whole({ description: 'Items: steps that a replay runs, or notifications that a cancellation ends.' }) count!: number;
  @Whole({ description: 'Notifications of the items.' }) notifications!: number;
  @Whole({ description: 'Items of which a message may have reached its provider already.' }) mayBeDuplicates!: number;
  @Texts({ description: `The first ${LIMITS.bulkActionSample} notifications of those.` }) duplicateSample!: string[];
  @Flag({ description: `True when more than ${LIMITS.bulkActionItems} matched; the others are left out.` })
  hasMore!: boolean;
  @Whole() perSecond!: number;
  @Whole({ description: 'Items that were replayed or canceled.' }) done!: number;
  @Whole({ description: 'Items that had changed since the set was frozen, and were left as they are.' })
  unchanged!: number;
  @Children(() => UnchangedItemsDto, { optional: true, description: 'Only where one bulk action is retrieved.' })
  unchangedReasons?: UnchangedItemsDto[];
  @Whole({ description: 'Items that the database rejected, or that always took too long.' }) failed!: number;
  @Whole({
    description:
      'Batches that failed. Each makes the next one smaller and later, up to 160 s; each that succeeds takes one back.',
  })
  failures!: number;
  @Text({ optional: true, description: 'Why the last of them failed; absent without failures.' }) lastError?: string;
  @Text({ optional: true, format: 'date-time', description: 'Of a running action: when its next batch is due.' })
  nextAt?: string;
  @Text() createdAt!: string;
  @Text({ optional: true, format: 'date-time', description: 'Of a planned action: until when it can be run.' })
  expiresAt?: string;
  @Text({ optional: true }) startedAt?: string;
  @Text({ optional: true }) endedAt?: string;
}

export class ListBulkActionsQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: UnchangingOrder = '_id';
}

export class BulkActionListDto extends CursorEnvelope {
  @Children(() => BulkActionDto) data!: BulkActionDto[];
}
