import { CHANNELS, type EmbeddedWorkflowDto } from '@clarion/contracts';
import type { EmbeddedWorkflow, KeyOwner } from '@clarion/persistence';
import { effectivePreferences } from '@clarion/rules';
import { toTriggers } from '../../authoring/workflows/workflow-triggers';

/** Converts the workflow of a message. Every field is present, because clients fail to parse an incomplete one. */
export function toEmbeddedWorkflow(owner: KeyOwner, row: EmbeddedWorkflow): EmbeddedWorkflowDto {
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
    steps: row.steps.map(({ id, name, type, active, shouldStopOnFail }, index) => ({
      _id: id,
      uuid: id,
      name,
      _templateId: id,
      ...(index > 0 && { _parentId: row.steps[index - 1]!.id }),
      active,
      shouldStopOnFail,
      template: { type },
    })),
    _organizationId: owner.organizationId,
    _creatorId: '',
    _environmentId: owner.environmentId,
    triggers: toTriggers(row),
    _notificationGroupId: '',
    deleted: row.deletedAt !== null,
    deletedAt: row.deletedAt?.toISOString() ?? '',
    deletedBy: '',
  };
}
