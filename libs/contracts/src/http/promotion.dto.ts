import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import {
  AUDIT_ACTOR_TYPES,
  type AuditActorType,
  PROMOTED_TYPES,
  type PromotedType,
  PUBLISH_ORIGINS,
  type PublishOrigin,
} from '../vocabulary';
import { Child, Children, Choice, Flag, JsonMap, Text, Texts, Whole } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';
import { LAYOUT_ID, UpdateLayoutDto } from './layouts.dto';

/** The only type that clients of `@novu/api` send and accept. It stands for every type. */
export const ANY_PROMOTED_TYPE = 'REGULAR';
const NAMED_TYPES = [...PROMOTED_TYPES, ANY_PROMOTED_TYPE] as const;
const CHANGED_TYPES = [...PROMOTED_TYPES, 'step'] as const;
export type ChangedType = (typeof CHANGED_TYPES)[number];

const SOURCE = {
  optional: true,
  format: 'uuid',
  description:
    'The environment that the resources come from. Default: the parent of the target, else the first environment of ' +
    'the type dev that is not the target.',
} as const;
const FINGERPRINT = 'Changes when the resource changes in the source or in the target.';

export class DiffEnvironmentsDto {
  @Text(SOURCE) sourceEnvironmentId?: string;
}

export class ResourceToPublishDto {
  @Choice(
    NAMED_TYPES,
    `\`${ANY_PROMOTED_TYPE}\`: every type that has a resource with this id, as clients of @novu/api send.`,
  )
  resourceType!: (typeof NAMED_TYPES)[number];

  @Text('The workflowId, the layoutId, or the id of the translation.', { minLength: 1, maxLength: 256 })
  resourceId!: string;

  @Text('The `fingerprint` of the diff. If the resource has changed since, nothing is published (409).', {
    optional: true,
    maxLength: 64,
  })
  fingerprint?: string;
}

export class PublishEnvironmentDto {
  @Text(SOURCE) sourceEnvironmentId?: string;

  @Flag('True changes nothing: the response shows what would change. Default false.', { optional: true })
  dryRun?: boolean;

  @Children(
    () => ResourceToPublishDto,
    'What is published. Without it everything that the diff shows, deletions included.',
    { optional: true, max: LIMITS.publishedResources },
  )
  resources?: ResourceToPublishDto[];
}

export class SyncWorkflowDto {
  @Text('Another environment of the organization.', { format: 'uuid' }) targetEnvironmentId!: string;
}

const ACTIONS = ['added', 'modified', 'deleted', 'unchanged', 'moved'] as const;
export type DiffAction = (typeof ACTIONS)[number];

export class ComparedResourceDto {
  @Text('The workflowId, the layoutId, the id of the translation, or the stepId.') id!: string;
  @Text() name!: string;
  @Text({ optional: true }) updatedAt?: string;
}

export class ResourceValuesDto {
  @JsonMap(
    'The values in the target by the path of the field; null for an added resource. A value with more than 16 KiB ' +
      'is shown by its size and SHA-256.',
    { nullable: true },
  )
  previous!: JsonObject | null;

  @JsonMap('The values in the source; null for a deleted resource.', { nullable: true }) new!: JsonObject | null;
}

export class ResourceChangeDto {
  @Choice(CHANGED_TYPES, 'step: a step of the workflow.') resourceType!: ChangedType;
  @Choice(ACTIONS) action!: DiffAction;
  @Child(() => ComparedResourceDto, { nullable: true }) sourceResource!: ComparedResourceDto | null;
  @Child(() => ComparedResourceDto, { nullable: true }) targetResource!: ComparedResourceDto | null;
  @Child(() => ResourceValuesDto, { optional: true }) diffs?: ResourceValuesDto;
  @Text({ optional: true }) stepType?: string;
  @Whole('The position of the step in the target.', { optional: true }) previousIndex?: number;
  @Whole('The position of the step in the source.', { optional: true }) newIndex?: number;
}

export class ChangeCountsDto {
  @Whole() added!: number;
  @Whole() modified!: number;
  @Whole() deleted!: number;
  @Whole() unchanged!: number;
}

const DEPENDENCY_REASONS = ['LAYOUT_REQUIRED_FOR_WORKFLOW', 'LAYOUT_EXISTS_IN_TARGET'] as const;

export class ResourceDependencyDto {
  @Choice(PROMOTED_TYPES) resourceType!: PromotedType;
  @Text() resourceId!: string;
  @Text() resourceName!: string;
  @Flag('True when the target does not have it: it has to be published before, or together.') isBlocking!: boolean;
  @Choice(DEPENDENCY_REASONS) reason!: (typeof DEPENDENCY_REASONS)[number];
}

export class ResourceDiffDto {
  @Choice(PROMOTED_TYPES) resourceType!: PromotedType;
  @Child(() => ComparedResourceDto, { nullable: true }) sourceResource!: ComparedResourceDto | null;
  @Child(() => ComparedResourceDto, { nullable: true }) targetResource!: ComparedResourceDto | null;
  @Children(() => ResourceChangeDto) changes!: ResourceChangeDto[];
  @Child(() => ChangeCountsDto, 'The entries of `changes` by action, and the unchanged steps.')
  summary!: ChangeCountsDto;
  @Children(() => ResourceDependencyDto, { optional: true }) dependencies?: ResourceDependencyDto[];
  @Texts('What the target does not have and messages will need, such as an active integration.') warnings!: string[];
  @Text(FINGERPRINT) fingerprint!: string;
}

export class DiffSummaryDto {
  @Whole('All resources that were compared.') totalEntities!: number;
  @Whole(`Those that differ; \`resources\` lists ${LIMITS.diffResources} of them at most.`) totalChanges!: number;
  @Flag() hasChanges!: boolean;
}

export class EnvironmentDiffDto {
  @Text() sourceEnvironmentId!: string;
  @Text() targetEnvironmentId!: string;
  @Children(() => ResourceDiffDto) resources!: ResourceDiffDto[];
  @Child(() => DiffSummaryDto) summary!: DiffSummaryDto;
}

const PUBLISH_ACTIONS = ['created', 'updated', 'skipped', 'deleted'] as const;
export type PublishAction = (typeof PUBLISH_ACTIONS)[number];

export class PublishedResourceDto {
  @Choice(PROMOTED_TYPES) resourceType!: PromotedType;
  @Text() resourceId!: string;
  @Text() resourceName!: string;
  @Choice(PUBLISH_ACTIONS) action!: PublishAction;
}

export class SkippedResourceDto {
  @Choice(PROMOTED_TYPES) resourceType!: PromotedType;
  @Text() resourceId!: string;
  @Text() resourceName!: string;
  @Text() reason!: string;
}

export class FailedResourceDto {
  @Choice(PROMOTED_TYPES) resourceType!: PromotedType;
  @Text() resourceId!: string;
  @Text() resourceName!: string;
  @Text() error!: string;
}

export class PublishResultDto {
  @Choice(PROMOTED_TYPES) resourceType!: PromotedType;
  @Children(() => PublishedResourceDto) successful!: PublishedResourceDto[];
  @Children(() => FailedResourceDto, 'Always empty: everything is published, or nothing.') failed!: FailedResourceDto[];
  @Children(() => SkippedResourceDto, 'Named resources that are the same in both environments.')
  skipped!: SkippedResourceDto[];
  @Whole() totalProcessed!: number;
}

export class PublishSummaryDto {
  @Whole() resources!: number;
  @Whole() successful!: number;
  @Whole() failed!: number;
  @Whole() skipped!: number;
}

export class PublishResponseDto {
  @Children(() => PublishResultDto, 'One entry for each type.') results!: PublishResultDto[];
  @Child(() => PublishSummaryDto) summary!: PublishSummaryDto;
  @Flag() dryRun!: boolean;
  @Text('The record in the history. Absent when nothing changed.', { optional: true }) publishId?: string;
  @Texts('What the target does not have and messages will need, such as an active integration.') warnings!: string[];
}

export class PublishedChangeDto extends PublishedResourceDto {
  @Child(() => ResourceValuesDto, 'Only in the response for one publish.', { optional: true })
  diffs?: ResourceValuesDto;
}

export class PublisherDto {
  @Choice(AUDIT_ACTOR_TYPES) type!: AuditActorType;
  @Text({ optional: true }) keyId?: string;
  @Text({ optional: true }) keyPrefix?: string;
}

export class PublishDto {
  @Text() _id!: string;
  @Text('The environment that was changed.') _environmentId!: string;
  @Text({ optional: true }) sourceEnvironmentId?: string;
  @Choice(PUBLISH_ORIGINS, 'files: from the command line. undo: restores what a publish replaced.')
  origin!: PublishOrigin;
  @Text('Of an undo: the publish that it has undone.', { optional: true }) undoes?: string;
  @Text('The publish that has undone this one.', { optional: true }) undoneBy?: string;
  @Child(() => PublisherDto) actor!: PublisherDto;
  @Children(() => PublishedChangeDto) resources!: PublishedChangeDto[];
  @Text() createdAt!: string;
}

export class ListPublishesQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, 'Default _id.', { optional: true }) orderBy: UnchangingOrder = '_id';
}

export class PublishListDto extends CursorEnvelope {
  @Children(() => PublishDto) data!: PublishDto[];
}

/** A layout in a file of `workflows pull`. */
export class LayoutFileDto extends UpdateLayoutDto {
  @Text(LAYOUT_ID) layoutId!: string;
}
