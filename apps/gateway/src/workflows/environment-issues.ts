import { environmentVariables, readsEnvironment, readsTranslations } from '@clarion/content';
import {
  type EnvironmentId,
  isChannelStepType,
  type JsonObject,
  type StepIssues,
  type WorkflowStep,
} from '@clarion/contracts';
import type { Database, IntegrationRepository, LayoutRepository, WorkflowWithSteps } from '@clarion/persistence';
import { readContents } from '../translations/read-contents';

export type EnvironmentParts = { layouts: LayoutRepository; integrations: IntegrationRepository; database: Database };

/**
 * Adds issues about the environment to steps: layouts that do not exist, channels without an active integration,
 * variables and translations without a value. They are computed for each response and not stored, because they change
 * without the workflow.
 */
export async function withEnvironmentIssues(
  { layouts, integrations, database }: EnvironmentParts,
  { environmentId, id, steps }: WorkflowWithSteps,
): Promise<WorkflowStep[]> {
  const channels = new Set(steps.map(({ type }) => type).filter(isChannelStepType));
  const named = new Set(steps.flatMap((step) => namedLayouts(step).map(([, layoutId]) => layoutId)));
  const [active, found, missing] = await Promise.all([
    channels.size === 0 ? [] : integrations.listActive(environmentId),
    named.size === 0 ? [] : layouts.findMany(environmentId, [...named]),
    findMissing(database, environmentId, id, steps),
  ]);
  const served = new Set(active.map(({ channel }) => channel));
  const existing = new Set(found.map(({ layoutId }) => layoutId));
  return steps.map((step, index) => {
    const issues: StepIssues = { ...step.issues, controls: { ...step.issues?.controls } };
    for (const [field, layoutId] of namedLayouts(step)) {
      if (existing.has(layoutId)) continue;
      const message = `${field} names a layout that does not exist: ${layoutId}`;
      issues.controls[field] = [...(issues.controls[field] ?? []), { issueType: 'UNSUPPORTED_PROPERTY', message }];
    }
    for (const [field, message] of missing[index]!) {
      issues.controls[field] = [...(issues.controls[field] ?? []), { issueType: 'MISSING_VALUE', message }];
    }
    if (isChannelStepType(step.type) && !served.has(step.type)) {
      const message = `no active integration sends on the channel ${step.type}`;
      issues.integration = { [step.type]: [{ issueType: 'MISSING_INTEGRATION', message }] };
    }
    const isClean = Object.keys(issues.controls).length === 0 && !issues.integration;
    return isClean ? step : { ...step, issues };
  });
}

/** The variables and translations without a value that each step names, with the path of the control. */
async function findMissing(
  database: Database,
  environmentId: EnvironmentId,
  workflowId: string,
  steps: WorkflowStep[],
): Promise<[field: string, message: string][][]> {
  const contents = steps.flatMap(({ type, controlValues, variants }, step) =>
    [
      { prefix: '', controlValues },
      ...variants.map((variant, at) => ({ ...variant, prefix: `variants.${at}.` })),
    ].flatMap(({ prefix, controlValues: values }) =>
      Object.entries(values).map(([name, value]) => ({
        step,
        field: prefix + name,
        item: {
          environmentId,
          resourceId: workflowId,
          isEmail: type === 'email',
          controls: { [name]: value },
          locale: null,
        },
      })),
    ),
  );
  const read = contents.filter(
    ({ item: { controls, isEmail } }) => readsEnvironment(controls) || readsTranslations(controls, { isEmail }),
  );
  const missing = steps.map((): [string, string][] => []);
  if (read.length === 0) return missing;
  const stored = await readContents(database, environmentId);
  const known = new Set(['name', 'type', ...Object.keys(stored.variables(environmentId) ?? {})]);
  const keys = await stored.missingKeys(read.map(({ item }) => item));
  for (const [index, { step, field, item }] of read.entries()) {
    for (const key of keys[index]!)
      missing[step]!.push([field, `the translation key "${key}" has no text in the default locale`]);
    for (const name of environmentVariables(item.controls, item)) {
      if (!known.has(name)) missing[step]!.push([field, `the environment has no variable "${name}"`]);
    }
  }
  return missing;
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
