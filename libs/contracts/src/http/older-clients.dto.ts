import type { Json, JsonObject } from '../json';
import { LIMITS } from '../limits';
import { AUTHORED_STEP_TYPES, type AuthoredStepType } from '../step-types';
import { ORDER_DIRECTIONS, type OrderDirection } from '../vocabulary';
import { Child, Children, Choice, Flag, JsonMap, OneOf, QueryFlag, QueryWhole, Text, Texts, Whole } from './fields';
import { StepFilterDto, StepFilterInputDto } from './filters.dto';
import { LAYOUT_ID } from './layouts.dto';
import { LEFT_OUT, PageEnvelope, PageQuery } from './lists.dto';
import { ChannelFlagsDto } from './preferences.dto';
import { SubscriberDto } from './subscribers.dto';
import { TopicDto } from './topics.dto';

/** The interface of `@novu/node` 2 where it differs from the present one. All operations with it are aliases. */

const NOT_KEPT = 'Accepted and not kept.';
const PAGE_SIZE = { min: 1, max: 100, default: 10 } as const;

export class OlderPageQuery extends PageQuery {
  @QueryWhole(PAGE_SIZE) limit: number = PAGE_SIZE.default;
}

class OlderSizedQuery extends PageQuery {
  @QueryWhole(PAGE_SIZE) pageSize: number = PAGE_SIZE.default;
}

export class OlderSubscriberListDto extends PageEnvelope {
  @Whole(`Subscribers, counted up to ${LIMITS.countCap}.`) totalCount!: number;
  @Children(() => SubscriberDto) data!: SubscriberDto[];
}

export class OlderPreferencesQuery {
  @QueryFlag('Accepted; every channel of the workflow is listed.') includeInactiveChannels?: boolean;
}

export class OlderTopicsQuery extends OlderSizedQuery {
  @Text('Part of the key, in any case.', { optional: true, maxLength: LIMITS.filterText }) key?: string;
}

export class OlderTopicDto extends TopicDto {
  @Text() _organizationId!: string;
  @Text() _environmentId!: string;
  @Texts(`The subscriberId of the newest subscribers, at most ${LIMITS.topicSubscriptions}.`) subscribers!: string[];
}

export class OlderTopicListDto {
  @Children(() => TopicDto) data!: TopicDto[];
  @Whole() page!: number;
  @Whole() pageSize!: number;
  @Whole(`Topics, counted up to ${LIMITS.countCap}.`) totalCount!: number;
}

export class OlderTopicSubscribersDto {
  @Texts('Each by its subscriberId.', { max: LIMITS.topicSubscriptions, maxLength: 512 }) subscribers!: string[];
}

export class OlderFailedSubscribersDto {
  @Texts({ optional: true }) notFound?: string[];
}

export class OlderSubscribedDto {
  @Texts() succeeded!: string[];
  @Child(() => OlderFailedSubscribersDto, { optional: true }) failed?: OlderFailedSubscribersDto;
}

const LAYOUT_NAME = { trim: true, minLength: 1, maxLength: 256 } as const;
const LAYOUT_CONTENT = {
  maxLength: 512 * 1024,
  description: 'HTML. The rendered step takes the place of `{{content}}`, or of `{{{body}}}`.',
} as const;
const LAYOUT_IDENTIFIER = {
  ...LAYOUT_ID,
  patternMessage: 'identifier must be letters and digits, parted by single hyphens, underscores or dots',
} as const;

export class OlderChangeLayoutDto {
  @Text({ ...LAYOUT_NAME, optional: true }) name?: string;
  @Text('It cannot change.', { ...LAYOUT_IDENTIFIER, optional: true }) identifier?: string;
  @Text(NOT_KEPT, { optional: true, maxLength: 4096 }) description?: string;
  @Text({ ...LAYOUT_CONTENT, optional: true }) content?: string;
  @Flag({ optional: true }) isDefault?: boolean;
}

export class OlderLayoutInputDto {
  @Text(LAYOUT_NAME) name!: string;
  @Text(LAYOUT_IDENTIFIER) identifier!: string;
  @Text(NOT_KEPT, { optional: true, maxLength: 4096 }) description?: string;
  @Text(LAYOUT_CONTENT) content!: string;
  @Flag({ optional: true }) isDefault?: boolean;
}

export const OLDER_LAYOUT_ORDER = ['createdAt', 'updatedAt', 'name'] as const;

export class OlderLayoutsQuery extends OlderSizedQuery {
  @Choice(OLDER_LAYOUT_ORDER, 'Default createdAt.', { optional: true })
  sortBy: (typeof OLDER_LAYOUT_ORDER)[number] = 'createdAt';

  @Choice(ORDER_DIRECTIONS, 'Default DESC.', { optional: true }) orderBy: OrderDirection = 'DESC';
  @Text('Only this layout: the client retrieves one so.', { optional: true, maxLength: 256 }) layoutId?: string;
}

export class OlderLayoutDto {
  @Text() _id!: string;
  @Text() _organizationId!: string;
  @Text() _environmentId!: string;
  @Text() name!: string;
  @Text() identifier!: string;
  @Choice(['email']) channel!: 'email';
  @Text() content!: string;
  @Texts(LEFT_OUT) leftOut?: string[];
  @Choice(['customHtml']) contentType!: 'customHtml';
  @Flag() isDefault!: boolean;
  @Flag() isDeleted!: boolean;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class OlderLayoutListDto {
  @Children(() => OlderLayoutDto) data!: OlderLayoutDto[];
  @Whole() page!: number;
  @Whole() pageSize!: number;
  @Whole() totalCount!: number;
}

export class OlderContentDto {
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;

  @OneOf(
    [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
    (value) => typeof value === 'string' || Array.isArray(value),
    'must be a text or a list of blocks',
    'A text; of an email HTML, or a list of blocks. `{{name}}` reads `payload.name`.',
    { optional: true },
  )
  content?: string | Json[];

  @Text('Of an email and an in-app message.', { optional: true }) subject?: string;
  @Text('Of a push message.', { optional: true }) title?: string;
  @Text('Of an email.', { optional: true }) preheader?: string;
  @Text('Of an email.', { optional: true }) senderName?: string;
  @Text('The id of a layout; null uses none.', { optional: true, nullable: true, maxLength: 256 })
  layoutId?: string | null;
  @JsonMap('Of an in-app message: `data.url`, and `action.buttons` with `type` and `content`.', { optional: true })
  cta?: JsonObject;
}

export class OlderStepDto {
  @Text('Id of an existing step; left out for a new one.', { optional: true, format: 'uuid' }) _id?: string;
  @Text('Default: the type.', { optional: true, trim: true, minLength: 1, maxLength: 256 }) name?: string;
  @Flag('Default true.', { optional: true }) active?: boolean;
  @Flag('Default false.', { optional: true }) shouldStopOnFail?: boolean;
  @Children(() => StepFilterInputDto, { optional: true, max: LIMITS.filterGroups }) filters?: StepFilterInputDto[];
  @Child(() => OlderContentDto) template!: OlderContentDto;
  @JsonMap('Of a digest or a delay: `type`, `amount`, `unit`, `digestKey` ...', { optional: true })
  metadata?: JsonObject;
}

class OlderTemplateFieldsDto {
  @Text({ optional: true, nullable: true, maxLength: 4096 }) description?: string | null;
  @Texts({ optional: true, max: LIMITS.tags, maxLength: LIMITS.tagLength }) tags?: string[];
  @Text('There is one group; accepted and not kept.', { optional: true, maxLength: 64 }) notificationGroupId?: string;
  @Flag('Default true.', { optional: true }) active?: boolean;
  @Flag(NOT_KEPT, { optional: true }) draft?: boolean;
  @Flag('Subscribers cannot switch the workflow off.', { optional: true }) critical?: boolean;
  @Child(() => ChannelFlagsDto, 'Whether each channel is on by default.', { optional: true })
  preferenceSettings?: ChannelFlagsDto;
  @Children(() => OlderStepDto, { optional: true, max: LIMITS.stepsPerWorkflow }) steps?: OlderStepDto[];
}

export class OlderChangeTemplateDto extends OlderTemplateFieldsDto {
  @Text({ optional: true, trim: true, minLength: 1, maxLength: 256 }) name?: string;
}

export class OlderTemplateInputDto extends OlderTemplateFieldsDto {
  @Text('The identifier is made from it.', { trim: true, minLength: 1, maxLength: 128 }) name!: string;
}

export class OlderStatusDto {
  @Flag() active!: boolean;
}

export class OlderTriggerDto {
  @Choice(['event']) type!: 'event';
  @Text('The name that triggers use.') identifier!: string;
}

export class OlderStepAnswerDto {
  @Text() _id!: string;
  @Text('The stepId.') uuid!: string;
  @Text() name!: string;
  @Flag() active!: boolean;
  @Flag() shouldStopOnFail!: boolean;
  @Children(() => StepFilterDto) filters!: StepFilterDto[];
  @Child(() => OlderContentDto) template!: OlderContentDto;
  @JsonMap({ optional: true }) metadata?: JsonObject;
  @JsonMap('What is wrong with the contents.', { optional: true }) issues?: JsonObject;
}

class OlderTemplateHeadDto {
  @Text() _id!: string;
  @Text() _organizationId!: string;
  @Text() _environmentId!: string;
  @Text() _notificationGroupId!: string;
  @Text() name!: string;
  @Text({ optional: true }) description?: string;
  @Texts() tags!: string[];
  @Flag() active!: boolean;
  @Children(() => OlderTriggerDto) triggers!: OlderTriggerDto[];
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class OlderTemplateDto extends OlderTemplateHeadDto {
  @Flag() critical!: boolean;
  @Child(() => ChannelFlagsDto) preferenceSettings!: ChannelFlagsDto;
  @Children(() => OlderStepAnswerDto) steps!: OlderStepAnswerDto[];
}

export class OlderTemplateListDto {
  @Children(() => OlderTemplateHeadDto) data!: OlderTemplateHeadDto[];
  @Whole() page!: number;
  @Whole() pageSize!: number;
  @Whole() totalCount!: number;
}

export class OlderGroupDto {
  @Text() _id!: string;
  @Text() name!: string;
  @Text() _organizationId!: string;
  @Text() _environmentId!: string;
}

export class OlderInAppStatusDto {
  @Flag() active!: boolean;
}

export class OlderDetailsQuery {
  @Text({ minLength: 1, maxLength: 64 }) notificationId!: string;
  @Text('The subscriberId or the id of its subscriber.', { minLength: 1, maxLength: 512 }) subscriberId!: string;
}
