import { type Channel, CHANNELS, type EnvironmentId, type StepIssues, type WorkflowStep } from '@clarion/contracts';
import type { IntegrationRepository, LayoutRepository } from '@clarion/persistence';

export type EnvironmentParts = { layouts: LayoutRepository; integrations: IntegrationRepository };

/**
 * The steps with what is missing around them: layouts that do not exist, channels that no active integration sends on. Looked up
 * for each answer and never stored: it changes without the workflow.
 */
export async function withEnvironmentIssues(
  { layouts, integrations }: EnvironmentParts,
  environmentId: EnvironmentId,
  steps: WorkflowStep[],
): Promise<WorkflowStep[]> {
  const channels = new Set(steps.map(({ type }) => type).filter(isChannel));
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
    if (isChannel(step.type) && !served.has(step.type)) {
      const message = `no active integration sends on the channel ${step.type}`;
      issues.integration = { [step.type]: [{ issueType: 'MISSING_INTEGRATION', message }] };
    }
    const isClean = Object.keys(issues.controls).length === 0 && !issues.integration;
    return isClean ? step : { ...step, issues };
  });
}

const isChannel = (type: string): type is Channel => (CHANNELS as readonly string[]).includes(type);

/** Of the step and its variants, with the control that names it. */
function namedLayouts({ type, controlValues, variants }: WorkflowStep): [field: string, layoutId: string][] {
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
