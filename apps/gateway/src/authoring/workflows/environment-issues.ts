import { readsEnvironment, readsTranslations, type Template, type TemplateRenderer } from '@clarion/content';
import {
  type EnvironmentId,
  isChannelStepType,
  type JsonObject,
  type StepIssues,
  type StepType,
  TimeSlices,
  type WorkflowStep,
} from '@clarion/contracts';
import type { Database, IntegrationRepository, LayoutRepository, WorkflowWithSteps } from '@clarion/persistence';
import { readContents } from '../translations/read-contents';
import { ISSUES_PER_STEP } from './template-issues';

type ContentParts = { database: Database; renderer: TemplateRenderer };
export type EnvironmentParts = ContentParts & { layouts: LayoutRepository; integrations: IntegrationRepository };

/** For each step, what its templates name and the environment does not have: the control and the reason. */
export type MissingNames = [field: string, message: string][][];

/**
 * Adds issues about the environment to steps: layouts that do not exist, channels without an active integration,
 * variables and translations without a value. They are computed for each response and not stored, because they change
 * without the workflow. `names` were found before a transaction, which must not wait for the render processes.
 */
export async function withEnvironmentIssues(
  parts: EnvironmentParts,
  { environmentId, id, steps }: WorkflowWithSteps,
  names?: MissingNames,
): Promise<WorkflowStep[]> {
  const { layouts, integrations } = parts;
  const channels = new Set(steps.map(({ type }) => type).filter(isChannelStepType));
  const named = new Set(steps.flatMap((step) => namedLayouts(step).map(([, layoutId]) => layoutId)));
  const [active, existing, missing] = await Promise.all([
    channels.size === 0 ? [] : integrations.listActive(environmentId),
    named.size === 0 ? named : layouts.existing(environmentId, [...named]),
    names ?? missingNames(parts, environmentId, steps, () => id),
  ]);
  const served = new Set(active.map(({ channel }) => channel));
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

export type StepContents = {
  type: StepType;
  controlValues?: JsonObject | null;
  variants?: { controlValues?: JsonObject | null }[];
};

const readsNames = (controls: JsonObject): boolean => readsEnvironment(controls) || readsTranslations(controls);

/** The variables and translations without a value that each step names. `workflowId` is undefined for a new one. */
export async function missingNames(
  parts: ContentParts,
  environmentId: EnvironmentId,
  steps: StepContents[],
  workflowId: () => string | undefined | Promise<string | undefined>,
): Promise<MissingNames> {
  const slices = new TimeSlices();
  const read: { step: number; field: string; template: Template }[] = [];
  for (const [step, { type, controlValues, variants = [] }] of steps.entries()) {
    for (const [at, values] of [controlValues, ...variants.map((variant) => variant.controlValues)].entries()) {
      if (!values || !readsNames(values)) continue;
      const prefix = at === 0 ? '' : `variants.${at - 1}.`;
      await slices.rest();
      for (const [name, value] of Object.entries(values)) {
        const controls = { [name]: value };
        if (readsNames(controls))
          read.push({ step, field: prefix + name, template: { isEmail: type === 'email', controls } });
        if (slices.isOver) await slices.pause();
      }
    }
  }
  const missing: MissingNames = steps.map(() => []);
  if (read.length === 0) return missing;
  const stored = await readContents(parts, environmentId);
  const known = new Set(['name', 'type', ...Object.keys(stored.variables(environmentId) ?? {})]);
  const names = await stored.namesIn(
    { environmentId, resourceId: await workflowId(), locale: null },
    read.map(({ template }) => template),
  );
  for (const [index, { step, field }] of read.entries()) {
    for (const key of names[index]!.missing)
      missing[step]!.push([field, `the translation key "${key}" has no text in the default locale`]);
    for (const name of names[index]!.environment) {
      if (!known.has(name)) missing[step]!.push([field, `the environment has no variable "${name}"`]);
    }
  }
  return missing.map((found) => found.slice(0, ISSUES_PER_STEP));
}

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
