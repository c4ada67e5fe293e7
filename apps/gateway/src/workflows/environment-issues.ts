import {
  type EnvironmentId,
  isChannelStepType,
  type JsonObject,
  type StepIssues,
  type WorkflowStep,
} from '@clarion/contracts';
import type { IntegrationRepository, LayoutRepository } from '@clarion/persistence';

export type EnvironmentParts = { layouts: LayoutRepository; integrations: IntegrationRepository };

/**
 * Adds issues about the environment to steps: layouts that do not exist, channels without an active integration. They
 * are computed for each response and not stored, because they change without the workflow.
 */
export async function withEnvironmentIssues(
  { layouts, integrations }: EnvironmentParts,
  environmentId: EnvironmentId,
  steps: WorkflowStep[],
): Promise<WorkflowStep[]> {
  const channels = new Set(steps.map(({ type }) => type).filter(isChannelStepType));
  const named = new Set(steps.flatMap((step) => namedLayouts(step).map(([, layoutId]) => layoutId)));
  const [active, found] = await Promise.all([
    channels.size === 0 ? [] : integrations.listActive(environmentId),
    named.size === 0 ? [] : layouts.findMany(environmentId, [...named]),
  ]);
  const served = new Set(active.map(({ channel }) => channel));
  const existing = new Set(found.map(({ layoutId }) => layoutId));
  return steps.map((step) => {
    const issues: StepIssues = { ...step.issues, controls: { ...step.issues?.controls } };
    for (const [field, layoutId] of namedLayouts(step)) {
      if (existing.has(layoutId)) continue;
      const message = `${field} names a layout that does not exist: ${layoutId}`;
      issues.controls[field] = [...(issues.controls[field] ?? []), { issueType: 'UNSUPPORTED_PROPERTY', message }];
    }
    if (isChannelStepType(step.type) && !served.has(step.type)) {
      const message = `no active integration sends on the channel ${step.type}`;
      issues.integration = { [step.type]: [{ issueType: 'MISSING_INTEGRATION', message }] };
    }
    const isClean = Object.keys(issues.controls).length === 0 && !issues.integration;
    return isClean ? step : { ...step, issues };
  });
}

/** The layouts that the step and its variants name, each with the path of its control. */
export function namedLayouts({
  type,
  controlValues,
  variants,
}: Pick<WorkflowStep, 'type' | 'controlValues'> & { variants: { controlValues: JsonObject }[] }): [
  field: string,
  layoutId: string,
][] {
  if (type !== 'email') return [];
  const contents = [
    { field: 'layoutId', values: controlValues },
    ...variants.map((variant, index) => ({ field: `variants.${index}.layoutId`, values: variant.controlValues })),
  ];
  return contents.flatMap(({ field, values }): [string, string][] => {
    const { layoutId } = values;
    return typeof layoutId === 'string' ? [[field, layoutId]] : [];
  });
}
