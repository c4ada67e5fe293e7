import {
  CHANNELS,
  DELAY_TYPES,
  type EmbeddedWorkflowDto,
  isChannelStepType,
  type JsonObject,
  type NotificationGroupDto,
  PRIMARY_CHANNELS,
  type StepFilterDto,
  type StepMetadataDto,
} from '@clarion/contracts';
import type { ActiveChannel, EmbeddedWorkflow, KeyOwner } from '@clarion/persistence';
import { effectivePreferences, writtenWait } from '@clarion/rules';
import { withoutNulls } from '../../edge/http/page';
import { toTriggers } from '../../authoring/workflows/workflow-triggers';

type EmbeddedStep = EmbeddedWorkflow['steps'][number];

/** Replies to emails are not received. */
export const NO_REPLIES = { active: false };

/** There is one group; its id is that of the environment. */
export const generalGroup = ({ environmentId, organizationId }: KeyOwner): NotificationGroupDto & { _id: string } => ({
  _id: environmentId,
  name: 'General',
  _organizationId: organizationId,
  _environmentId: environmentId,
});

/** Converts the workflow of a message. Every field is present, because clients fail to parse an incomplete one. */
export function toEmbeddedWorkflow(
  owner: KeyOwner,
  row: EmbeddedWorkflow,
  active: ActiveChannel[],
): EmbeddedWorkflowDto {
  const { channels, critical } = effectivePreferences({ workflow: row.preferences });
  return {
    _id: row.id,
    name: row.name,
    description: row.description ?? '',
    active: row.active,
    draft: false,
    preferenceSettings: Object.fromEntries(CHANNELS.map((channel) => [channel, channels[channel].enabled])),
    critical,
    tags: row.tags,
    steps: row.steps.map((step, index) => ({
      ...contentOf(step, step, row.steps[index - 1]?.id),
      ...(!row.isCut && { variants: (step.variants ?? []).map((variant) => contentOf(variant, step)) }),
    })),
    _organizationId: owner.organizationId,
    _creatorId: row.createdBy ?? '',
    _environmentId: owner.environmentId,
    triggers: toTriggers(row),
    _notificationGroupId: owner.environmentId,
    notificationGroup: generalGroup(owner),
    data: {},
    workflowIntegrationStatus: integrationStatus(row, active),
    deleted: row.deletedAt !== null,
    deletedAt: row.deletedAt?.toISOString() ?? '',
    deletedBy: row.deletedBy ?? '',
    ...(row.isCut && { leftOut: LARGE_FIELDS }),
  };
}

const LARGE_FIELDS = ['steps.filters', 'steps.variants'];

/** The workflow without what its author wrote at length. */
export function withoutLargeFields(workflow: EmbeddedWorkflowDto): EmbeddedWorkflowDto {
  const steps = workflow.steps.map(({ filters: _, variants: __, ...step }) => step);
  return { ...workflow, steps, leftOut: LARGE_FIELDS };
}

export const largeFieldsOf = ({ steps }: EmbeddedWorkflowDto): unknown =>
  steps.map(({ filters, variants }) => [filters, variants]);

function contentOf(
  content: Pick<EmbeddedStep, 'id' | 'name' | 'active' | 'filters' | 'controlValues'>,
  { type, shouldStopOnFail }: Pick<EmbeddedStep, 'type' | 'shouldStopOnFail'>,
  parentId?: string,
) {
  return withoutNulls({
    _id: content.id,
    uuid: content.id,
    name: content.name,
    _templateId: content.id,
    _parentId: parentId,
    active: content.active ?? true,
    shouldStopOnFail,
    template: { type },
    filters: (content.filters ?? []) as StepFilterDto[],
    metadata: metadataOf(type, content.controlValues ?? {}),
    replyCallback: NO_REPLIES,
  });
}

/** The interface has two kinds of delays. */
const OTHER_DELAYS = DELAY_TYPES.filter((type) => type !== 'regular' && type !== 'scheduled');

function metadataOf(type: string, controls: JsonObject): StepMetadataDto | undefined {
  const wait: Partial<StepMetadataDto> & JsonObject = writtenWait(type, controls) ?? {};
  const isOther = type === 'delay' && OTHER_DELAYS.some((kind) => kind === wait['type']);
  if (wait.type === undefined || isOther) return undefined;
  const { delayPath, ...rest } = wait;
  return wait.type === 'scheduled'
    ? { type: 'scheduled', delayPath: String(delayPath ?? '') }
    : (rest as StepMetadataDto);
}

function integrationStatus({ steps }: EmbeddedWorkflow, active: ActiveChannel[]): JsonObject {
  const channels = [...new Set(steps.map(({ type }) => type).filter(isChannelStepType))].map((channel) => {
    const found = active.find((each) => each.channel === channel);
    const hasPrimary = PRIMARY_CHANNELS.includes(channel) && { hasPrimaryIntegrations: found?.hasPrimary ?? false };
    return [channel, { hasActiveIntegrations: found !== undefined, ...hasPrimary }] as const;
  });
  return {
    hasActiveIntegrations: channels.every(([, status]) => status.hasActiveIntegrations),
    hasPrimaryIntegrations: channels.every(([, status]) => status.hasPrimaryIntegrations ?? true),
    channels: Object.fromEntries(channels),
  };
}
