import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { AUTHORED_STEP_TYPES, type AuthoredStepType, STEP_TYPES, type StepType } from '../step-types';
import {
  ORDER_DIRECTIONS,
  type OrderDirection,
  SEVERITIES,
  type Severity,
  WHILE_RETRYING,
  type WhileRetrying,
  WORKFLOW_ORIGINS,
  WORKFLOW_STATUSES,
  type WorkflowOrigin,
  type WorkflowStatus,
} from '../vocabulary';
import type { StepIssues } from '../workflow-definition';
import {
  BrandedChoice,
  Child,
  Children,
  Choice,
  Choices,
  Flag,
  JsonMap,
  MADE_FROM,
  QueryChoices,
  QueryTexts,
  QueryWhole,
  REVISION,
  Text,
  Texts,
  Whole,
} from './fields';
import { ESCAPE_HTML, PAYLOAD_SCHEMA, VALIDATE_PAYLOAD, WHILE_RETRYING_OPTIONS } from './workflow-fields';
import { StepFilterDto, StepFilterInputDto } from './filters.dto';

const NAME = { trim: true, minLength: 1, maxLength: 256 } as const;
const CONTROLS = 'By step type; a bad value does not fail the call, it shows in `issues` of the step.';

/** Another content of a step, which replaces the content of the step when the filters match. */
export class StepVariantDto {
  @Text('Id of an existing variant; left out for a new one.', { optional: true, format: 'uuid' }) _id?: string;
  @Text({ ...NAME, optional: true }) name?: string;
  @Flag('Default true.', { optional: true }) active?: boolean;
  @Children(() => StepFilterInputDto, { optional: true, max: LIMITS.filterGroups }) filters?: StepFilterInputDto[];
  @JsonMap(CONTROLS, { optional: true, nullable: true }) controlValues?: JsonObject | null;
}

export class WorkflowStepInputDto {
  @Text('Id of the existing step to keep; left out for a new one.', { optional: true, format: 'uuid' }) _id?: string;
  @Text(NAME) name!: string;
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;

  @Text('Unique in the workflow; default: made from the name.', {
    optional: true,
    maxLength: 128,
    pattern: /^[a-zA-Z0-9]+(?:[-_][a-zA-Z0-9]+)*$/,
    patternMessage: 'stepId must be letters and digits, parted by single hyphens or underscores',
  })
  stepId?: string;

  @JsonMap(CONTROLS, { optional: true, nullable: true }) controlValues?: JsonObject | null;

  @Children(() => StepFilterInputDto, 'The step runs when one of the groups holds, or when there is none.', {
    optional: true,
    max: LIMITS.filterGroups,
  })
  filters?: StepFilterInputDto[];

  @Flag('Default true.', { optional: true }) active?: boolean;
  @Flag('Stop the notification when this step fails. Default false.', { optional: true }) shouldStopOnFail?: boolean;
  @Children(() => StepVariantDto, { optional: true, max: LIMITS.variantsPerStep }) variants?: StepVariantDto[];
}

export class AllPreferenceDto {
  @Flag('Default true.', { optional: true }) enabled?: boolean;
  @Flag('True makes the workflow critical: subscribers cannot switch it off.', { optional: true }) readOnly?: boolean;
}

export class ChannelPreferenceDto {
  @Flag('Default: the value of `all`.', { optional: true }) enabled?: boolean;
}

const CHANNEL_PREFERENCE = [() => ChannelPreferenceDto, { optional: true }] as const;

export class ChannelPreferencesDto {
  @Child(...CHANNEL_PREFERENCE) in_app?: ChannelPreferenceDto;
  @Child(...CHANNEL_PREFERENCE) email?: ChannelPreferenceDto;
  @Child(...CHANNEL_PREFERENCE) sms?: ChannelPreferenceDto;
  @Child(...CHANNEL_PREFERENCE) chat?: ChannelPreferenceDto;
  @Child(...CHANNEL_PREFERENCE) push?: ChannelPreferenceDto;
}

export class PreferenceLayerDto {
  @Child(() => AllPreferenceDto, { optional: true }) all?: AllPreferenceDto;
  @Child(() => ChannelPreferencesDto, { optional: true }) channels?: ChannelPreferencesDto;
}

export class WorkflowPreferencesInputDto {
  @Child(() => PreferenceLayerDto, 'Set by the operator, over `workflow`.', { optional: true, nullable: true })
  user?: PreferenceLayerDto | null;

  @Child(() => PreferenceLayerDto, 'Comes with the workflow.', { optional: true, nullable: true })
  workflow?: PreferenceLayerDto | null;
}

const DESCRIPTION = { optional: true, nullable: true, maxLength: 4096 } as const;
const TAGS = { optional: true, max: LIMITS.tags, maxLength: LIMITS.tagLength } as const;
export class WorkflowContentDto {
  @Text(NAME) name!: string;
  @Text(DESCRIPTION) description?: string | null;
  @Texts(TAGS) tags?: string[];
  @Flag('Default true; a replacement without it keeps what is there.', { optional: true }) active?: boolean;
  @Flag(VALIDATE_PAYLOAD) validatePayload?: boolean;
  @Flag(ESCAPE_HTML) escapeHtml?: boolean;
  @Choice(WHILE_RETRYING, WHILE_RETRYING_OPTIONS) whileRetrying?: WhileRetrying;
  @JsonMap(PAYLOAD_SCHEMA) payloadSchema?: JsonObject | null;
  @Child(() => WorkflowPreferencesInputDto, { optional: true }) preferences?: WorkflowPreferencesInputDto;
  @Choice(SEVERITIES, 'Default none.', { optional: true }) severity?: Severity;
  @BrandedChoice(WORKFLOW_ORIGINS, 'Default platform-cloud.', { optional: true }) origin?: WorkflowOrigin;
  @Children(() => WorkflowStepInputDto, { max: LIMITS.stepsPerWorkflow }) steps!: WorkflowStepInputDto[];
}

export class CreateWorkflowDto extends WorkflowContentDto {
  @Text('The name that triggers use; when it is taken, a random suffix is added.', {
    maxLength: 128,
    pattern: /^[a-zA-Z0-9]+(?:[-_.][a-zA-Z0-9]+)*$/,
    patternMessage: 'workflowId must be letters and digits, parted by single hyphens, underscores or dots',
  })
  workflowId!: string;

  @Text('Where the workflow was made; accepted and not kept.', { optional: true, maxLength: 64 }) __source?: string;
}

export class UpdateWorkflowDto extends WorkflowContentDto {
  @Text(MADE_FROM) revision?: string;
}

export class PatchWorkflowDto {
  @Flag({ optional: true }) active?: boolean;
  @Text({ ...NAME, optional: true }) name?: string;
  @Text(DESCRIPTION) description?: string | null;
  @Texts(TAGS) tags?: string[];
  @JsonMap(PAYLOAD_SCHEMA) payloadSchema?: JsonObject | null;
  @Flag(VALIDATE_PAYLOAD) validatePayload?: boolean;
  @Flag(ESCAPE_HTML) escapeHtml?: boolean;
  @Choice(WHILE_RETRYING, WHILE_RETRYING_OPTIONS) whileRetrying?: WhileRetrying;
  @Choice(SEVERITIES, { optional: true }) severity?: Severity;
}

export const WORKFLOW_ORDER = ['createdAt', 'updatedAt', 'name', 'lastTriggeredAt'] as const;

export class ListWorkflowsQuery {
  @QueryWhole({ min: 1, max: 100, default: 50 }) limit: number = 50;
  @QueryWhole({ min: 0, max: LIMITS.pageOffset, default: 0 }) offset: number = 0;

  @Choice(WORKFLOW_ORDER, 'Default createdAt.', { optional: true })
  orderBy: (typeof WORKFLOW_ORDER)[number] = 'createdAt';

  @Choice(ORDER_DIRECTIONS, 'Default DESC.', { optional: true }) orderDirection: OrderDirection = 'DESC';

  @Text('Part of the name or the workflowId, in any case.', { optional: true, maxLength: LIMITS.filterText })
  query?: string;

  @QueryTexts('Any of these tags.', { maxLength: LIMITS.tagLength }) tags?: string[];
  @QueryChoices(WORKFLOW_STATUSES, 'Any of these statuses.') status?: WorkflowStatus[];
}

export class StepControlsDto {
  @JsonMap() values!: JsonObject;
}

const ISSUES = {
  optional: true,
  description:
    '`controls`: by control, a list of `{issueType, message, variableName?}`; `integration`: the same by channel,' +
    ' when no active integration sends on it. Absent when there is none.',
} as const;

export class WorkflowStepDto {
  @Text() _id!: string;
  @Text() stepId!: string;
  @Text() slug!: string;
  @Text() name!: string;
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;
  @Choice(WORKFLOW_ORIGINS) origin!: WorkflowOrigin;
  @Text() workflowId!: string;
  @Text() workflowDatabaseId!: string;
  @Child(() => StepControlsDto) controls!: StepControlsDto;
  @JsonMap() controlValues!: JsonObject;
  @JsonMap('JSON Schema of what templates of this step can use.') variables!: JsonObject;
  @JsonMap(ISSUES) issues?: StepIssues;
  @Flag() active!: boolean;
  @Flag() shouldStopOnFail!: boolean;
  @Children(() => StepFilterDto) filters!: StepFilterDto[];
  @Children(() => StepVariantDto) variants!: StepVariantDto[];
}

export class CompletePreferenceLayerDto {
  @Child(() => AllPreferenceDto) all!: AllPreferenceDto;
  @Child(() => ChannelPreferencesDto) channels!: ChannelPreferencesDto;
}

export class WorkflowPreferencesDto {
  @Child(() => CompletePreferenceLayerDto) default!: CompletePreferenceLayerDto;
  @Child(() => CompletePreferenceLayerDto, { optional: true }) user?: CompletePreferenceLayerDto;
}

export class WorkflowHeadDto {
  @Text() _id!: string;
  @Text() workflowId!: string;
  @Text() slug!: string;
  @Text() name!: string;
  @Text({ optional: true }) description?: string;
  @Texts() tags!: string[];
  @Flag() active!: boolean;
  @Choice(WORKFLOW_STATUSES) status!: WorkflowStatus;
  @Choice(WORKFLOW_ORIGINS) origin!: WorkflowOrigin;
  @Choice(SEVERITIES) severity!: Severity;
  @Text({ optional: true }) lastTriggeredAt?: string;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
}

export class WorkflowDto extends WorkflowHeadDto {
  @Text(REVISION) revision!: string;
  @Flag() validatePayload!: boolean;
  @Flag() escapeHtml!: boolean;
  @Choice(WHILE_RETRYING) whileRetrying!: WhileRetrying;
  @JsonMap({ optional: true }) payloadSchema?: JsonObject;
  @JsonMap({ optional: true }) payloadExample?: JsonObject;
  @Child(() => WorkflowPreferencesDto) preferences!: WorkflowPreferencesDto;
  @Children(() => WorkflowStepDto) steps!: WorkflowStepDto[];
}

export class StepOverviewDto {
  @Text() _id!: string;
  @Text() stepId!: string;
  @Text() slug!: string;
  @Text() name!: string;
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;
  @JsonMap(ISSUES) issues?: StepIssues;
}

export class WorkflowOverviewDto extends WorkflowHeadDto {
  @Choices(STEP_TYPES, 'The types of the steps, in order.') stepTypeOverviews!: StepType[];
  @Children(() => StepOverviewDto) steps!: StepOverviewDto[];
}

export class WorkflowListDto {
  @Children(() => WorkflowOverviewDto) workflows!: WorkflowOverviewDto[];
  @Whole() totalCount!: number;
}

export class PreviewPayloadDto {
  @JsonMap({ optional: true }) subscriber?: JsonObject;
  @JsonMap({ optional: true }) payload?: JsonObject;
  @JsonMap({ optional: true }) steps?: JsonObject;
  @JsonMap({ optional: true }) context?: JsonObject;
  @JsonMap({ optional: true }) env?: JsonObject;
  @JsonMap({ optional: true }) actor?: JsonObject;
  @JsonMap({ optional: true }) tenant?: JsonObject;
}

export class PreviewStepDto {
  @JsonMap('Used instead of the stored ones.', { optional: true, nullable: true }) controlValues?: JsonObject | null;

  @Choice(AUTHORED_STEP_TYPES, 'The type of a step that is not saved yet. Without it the step must exist.', {
    optional: true,
  })
  type?: AuthoredStepType;

  @Children(() => StepFilterInputDto, 'Evaluated instead of the stored ones.', {
    optional: true,
    max: LIMITS.filterGroups,
  })
  filters?: StepFilterInputDto[];

  @Child(() => PreviewPayloadDto, 'What the templates read; without it, the example that the answer shows.', {
    optional: true,
    nullable: true,
  })
  previewPayload?: PreviewPayloadDto | null;
}

export class StepPreviewResultDto {
  @Choice(AUTHORED_STEP_TYPES) type!: AuthoredStepType;
  @JsonMap() preview!: JsonObject;
}

const PREVIEW_RULES = ['conditions', 'skip', 'runIf'] as const;

export class PreviewRuleDto {
  @Choice(PREVIEW_RULES) rule!: (typeof PREVIEW_RULES)[number];
  @Flag() passed!: boolean;
  @JsonMap('What the rule compared. Groups of conditions behind the first that matches are not evaluated.')
  values!: JsonObject;
}

export class StepPreviewDto {
  @Child(() => StepPreviewResultDto) result!: StepPreviewResultDto;
  @Child(() => PreviewPayloadDto, 'Every variable that the templates use, with a value.')
  previewPayloadExample!: PreviewPayloadDto;
  @Texts('Keys of translations without a text for the locale of the subscriber.', { optional: true })
  missingTranslations?: string[];
  @Children(() => PreviewRuleDto, 'Whether the step would run for the same values.', { optional: true })
  rules?: PreviewRuleDto[];
}
