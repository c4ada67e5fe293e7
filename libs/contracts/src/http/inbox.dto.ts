import { isId } from '../ids';
import { isJsonObject, type JsonObject } from '../json';
import { LIMITS } from '../limits';
import {
  ACTION_STATUSES,
  type ActionStatus,
  type Channel,
  CHANNELS,
  type MessageMark,
  REDIRECT_TARGETS,
  type RedirectTarget,
  SEVERITIES,
  type Severity,
} from '../vocabulary';
import {
  Child,
  Children,
  Choice,
  Flag,
  Ids,
  JsonMap,
  OneOf,
  QueryChoices,
  QueryFlag,
  QueryTexts,
  QueryWhole,
  Text,
  Texts,
  Whole,
} from './fields';
import { LEFT_OUT } from './lists.dto';

/** What a subscriber does with in-app messages, which this part of the interface calls notifications. */

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 100 && value.every((text) => typeof text === 'string' && text.length <= 256);

/** One of these tags; or, of each group, one of its tags. */
export type TagFilter = string[] | { or: string[] } | { and?: { or: string[] }[] };

const hasOnly = (name: string, object: JsonObject): boolean => Object.keys(object).every((key) => key === name);

function isTagFilter(value: unknown): value is TagFilter {
  if (!isJsonObject(value)) return isTexts(value);
  if ('or' in value) return hasOnly('or', value) && isTexts(value['or']);
  const { and = [] } = value;
  return (
    hasOnly('and', value) &&
    Array.isArray(and) &&
    and.length <= LIMITS.inboxTagGroups &&
    and.every((group) => isJsonObject(group) && hasOnly('or', group) && isTexts(group['or']) && group['or'].length > 0)
  );
}

const Tags = (): PropertyDecorator =>
  OneOf(
    [
      TEXTS,
      {
        type: 'object',
        properties: {
          or: TEXTS,
          and: {
            type: 'array',
            maxItems: LIMITS.inboxTagGroups,
            items: { type: 'object', properties: { or: { ...TEXTS, minItems: 1 } }, required: ['or'] },
          },
        },
      },
    ],
    isTagFilter,
    'must be a list of texts, { or: [texts] } or { and: [{ or: [texts] }] }',
    'One of these tags, as a list or as `or`; or, of each group of `and`, one of its tags.',
    { optional: true },
  );

const CONTEXTS = 'Exactly these contexts, each `type:id`; empty: only what has no context.';
const DATA = `JSON object that the data must contain, as a text of at most ${LIMITS.inboxDataBytes} bytes.`;
const DATA_EXAMPLE = '{"plan":"gold"}';

/** The last millisecond of the year 9999. */
const END_OF_TIME = 253_402_300_799_999;

class InboxStates {
  @QueryFlag('Only read, or only unread ones.') read?: boolean;
  @QueryFlag('Only seen, or only unseen ones.') seen?: boolean;
  @QueryFlag('Only archived ones, or only the others; not together with unread.') archived?: boolean;
  @QueryFlag('Only snoozed ones, or only the others.') snoozed?: boolean;
  @QueryChoices(SEVERITIES) severity?: Severity[];
  @QueryWhole('Arrived then or later; milliseconds since 1970.', { min: 0, max: END_OF_TIME }) createdGte?: number;
  @QueryWhole('Arrived then or earlier; milliseconds since 1970.', { min: 0, max: END_OF_TIME }) createdLte?: number;
  @QueryTexts(CONTEXTS, { maxLength: LIMITS.contextBytes }) contextKeys?: string[];
}

export class InboxQuery extends InboxStates {
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;
  @Text('The id of the last notification of the page before.', { optional: true, format: 'uuid' }) after?: string;
  @QueryWhole({ min: 0, max: LIMITS.pageOffset, default: 0 }) offset: number = 0;
  @QueryTexts('One of these tags.') tags?: string[];
  @Text(DATA, { optional: true }) data?: string;
}

/** One of the filters of a count. */
export class InboxFilterDto extends InboxStates {
  @Tags() tags?: TagFilter;

  @OneOf([TEXT, { type: 'object' }], (value) => typeof value === 'string' || isJsonObject(value), 'must be an object', {
    optional: true,
  })
  data?: string | JsonObject;
}

export class InboxCountQuery {
  @Text(
    `JSON list of at most ${LIMITS.inboxCountFilters} objects with any of read, seen, archived, snoozed, tags, ` +
      'data, severity, createdGte, createdLte, contextKeys.',
    { example: '[{"read":false}]' },
  )
  filters!: string;
}

export class InboxCountDto {
  @Whole(`Matches, counted up to ${LIMITS.inboxCount}.`) count!: number;
  @JsonMap('The filter as it was given.') filter!: JsonObject;
}

export class InboxSubscriberDto {
  @Text() id!: string;
  @Text() subscriberId!: string;
  @Text({ optional: true }) firstName?: string;
  @Text({ optional: true }) lastName?: string;
  @Text({ optional: true }) avatar?: string;
}

export class InboxRedirectDto {
  @Text() url!: string;
  @Choice(REDIRECT_TARGETS, { optional: true }) target?: RedirectTarget;
}

export class InboxActionDto {
  @Text() label!: string;
  @Flag() isCompleted!: boolean;
  @Child(() => InboxRedirectDto, { optional: true }) redirect?: InboxRedirectDto;
}

export class InboxWorkflowDto {
  @Text() id!: string;
  @Text('The workflowId of the workflow.') identifier!: string;
  @Text() name!: string;
  @Flag() critical!: boolean;
  @Texts({ optional: true }) tags?: string[];
  @Choice(SEVERITIES) severity!: Severity;
}

export class InboxItemDto {
  @Text('The message.') id!: string;
  @Text() transactionId!: string;
  @Text({ optional: true }) subject?: string;
  @Text() body!: string;
  @Child(() => InboxSubscriberDto) to!: InboxSubscriberDto;
  @Flag() isRead!: boolean;
  @Flag() isSeen!: boolean;
  @Flag() isArchived!: boolean;
  @Flag() isSnoozed!: boolean;
  @Text({ optional: true }) snoozedUntil?: string;
  @Texts('Several dates after snoozing.', { optional: true }) deliveredAt?: string[];
  @Text('Time of arrival; a snooze that ends counts as arriving again.') createdAt!: string;
  @Text({ optional: true }) readAt?: string;
  @Text({ optional: true }) firstSeenAt?: string;
  @Text({ optional: true }) archivedAt?: string;
  @Text({ optional: true }) avatar?: string;
  @Child(() => InboxActionDto, { optional: true }) primaryAction?: InboxActionDto;
  @Child(() => InboxActionDto, { optional: true }) secondaryAction?: InboxActionDto;
  @Choice(CHANNELS) channelType!: Channel;
  @Texts({ optional: true }) tags?: string[];
  @JsonMap({ optional: true }) data?: JsonObject;
  @Child(() => InboxRedirectDto, { optional: true }) redirect?: InboxRedirectDto;
  @Child(() => InboxWorkflowDto, { optional: true }) workflow?: InboxWorkflowDto;
  @Choice(SEVERITIES) severity!: Severity;
  @Texts(LEFT_OUT) leftOut?: string[];
}

export class InboxListDto {
  @Children(() => InboxItemDto) data!: InboxItemDto[];
  @Flag() hasMore!: boolean;
  @JsonMap('The filters as they were given.') filter!: JsonObject;
}

/** In which contexts a notification must have been sent to be found. */
export class InboxContextsQuery {
  @QueryTexts(CONTEXTS, { maxLength: LIMITS.contextBytes }) contextKeys?: string[];
}

export class SnoozeDto {
  @Text(`In the future, at most ${LIMITS.snoozeDays} days from now.`, { format: 'date-time' }) snoozeUntil!: string;
}

/** Which notifications are meant: those that meet every given condition; all without any. */
export class InboxSelectionDto {
  @Tags() tags?: TagFilter;
  @Text(DATA, { optional: true, example: DATA_EXAMPLE }) data?: string;
  @Texts(CONTEXTS, { optional: true, max: 100, maxLength: LIMITS.contextBytes }) contextKeys?: string[];
}

export class MarkSeenDto extends InboxSelectionDto {
  @Ids({ optional: true, max: LIMITS.inboxIds }) notificationIds?: string[];
}

/** The messages that the older interface marks. */
export class NamedMessagesDto {
  @OneOf(
    [
      { type: 'string', format: 'uuid' },
      { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: LIMITS.inboxIds },
    ],
    (value) =>
      isId(value) || (Array.isArray(value) && value.length > 0 && value.length <= LIMITS.inboxIds && value.every(isId)),
    `must be a UUID, or a list of at most ${LIMITS.inboxIds} of them`,
  )
  messageId!: string | string[];
}

/** The marks that callers of the older interface give by name. */
const NAMED_MARKS = ['read', 'seen', 'unread', 'unseen'] as const satisfies MessageMark[];

export class MarkMessagesDto extends NamedMessagesDto {
  @Choice(NAMED_MARKS) markAs!: (typeof NAMED_MARKS)[number];
}

export class MarkAllMessagesDto {
  @OneOf(
    [TEXT, TEXTS],
    (value) => typeof value === 'string' || isTexts(value),
    'must be a text or a list of texts',
    'There are no feeds: no message is in the one that is named here.',
    { optional: true, deprecated: true },
  )
  feedIdentifier?: string | string[];

  @Choice(NAMED_MARKS) markAs!: (typeof NAMED_MARKS)[number];
}

export class MessageActionStatusDto {
  @Choice(ACTION_STATUSES) status!: ActionStatus;
  @JsonMap('Kept with the message as the result of the action.', { optional: true }) payload?: JsonObject;
}

export class UnseenCountQuery {
  @QueryFlag('Count the seen ones instead. Default false.') seen: boolean = false;
  @QueryWhole('Count no further.', { min: 1, max: 1000, default: LIMITS.inboxCount }) limit: number = LIMITS.inboxCount;
}

export class UnseenCountDto {
  @Whole() count!: number;
}
