import {
  type ChangeCountsDto,
  type ComparedResourceDto,
  isJsonObject,
  type JsonObject,
  type ResourceChangeDto,
  type ResourceDependencyDto,
  type ResourceDiffDto,
} from '@clarion/contracts';
import { type FieldChange, valuesOf } from './compare';
import type { Change, Plan } from './promotion';
import { comparableOf, type Resource } from './resource-kind';

/** The answer about one resource: its own fields are one change, and each step that differs is one. */
export async function toResourceDiff(plan: Plan, change: Change, warnings: string[]): Promise<ResourceDiffDto> {
  const changes = await changesIn(change);
  const dependencies = dependenciesOf(plan, change);
  return {
    resourceType: change.kind.type,
    sourceResource: shownOf(change.after),
    targetResource: shownOf(change.before),
    changes,
    summary: countsOf(change, changes),
    ...(dependencies.length > 0 && { dependencies }),
    warnings,
    fingerprint: change.fingerprint,
  };
}

const shownOf = (resource: Resource | undefined): ComparedResourceDto | null =>
  resource
    ? {
        id: resource.id,
        name: resource.name,
        ...(resource.updatedAt && { updatedAt: resource.updatedAt.toISOString() }),
      }
    : null;

async function changesIn(change: Change): Promise<ResourceChangeDto[]> {
  const { kind, before, after, fields } = change;
  const [sourceResource, targetResource] = [shownOf(after), shownOf(before)];
  const own = { resourceType: kind.type, sourceResource, targetResource };
  if (!before || !after) {
    const flat = flatten(change);
    const diffs = await bothSides(flat, before !== undefined, after !== undefined);
    return [{ ...own, action: before ? 'deleted' : 'added', diffs }];
  }
  const head = fields.filter(({ path }) => !/^(steps\.|stepOrder$)/.test(path));
  return [
    ...(head.length > 0 ? [{ ...own, action: 'modified' as const, diffs: await bothSides(head) }] : []),
    ...(await stepChanges(stepsOf(change, 'before'), stepsOf(change, 'after'), fields)),
  ];
}

/** The fields of a resource that only one side has. */
const flatten = ({ kind, before, after }: Change): FieldChange[] => {
  const definition = comparableOf(kind, (before ?? after)!.definition);
  return Object.entries(definition).map(([path, value]) => ({
    path,
    previous: before ? value : undefined,
    new: after ? value : undefined,
  }));
};

type Steps = Map<string, JsonObject & { index: number }>;

function stepsOf(change: Change, side: 'before' | 'after'): Steps {
  const { kind } = change;
  const resource = change[side];
  const { steps, stepOrder } = resource ? comparableOf(kind, resource.definition) : {};
  if (!isJsonObject(steps)) return new Map();
  const order = stepOrder as string[];
  return new Map(order.map((stepId, index) => [stepId, { ...(steps[stepId] as JsonObject), index }]));
}

async function stepChanges(before: Steps, after: Steps, fields: FieldChange[]): Promise<ResourceChangeDto[]> {
  const isMoved = movedSteps(before, after);
  const changes: ResourceChangeDto[] = [];
  for (const stepId of new Set([...after.keys(), ...before.keys()])) {
    const [old, next] = [before.get(stepId), after.get(stepId)];
    const inStep = fields.flatMap((field) => relativeTo(`steps.${stepId}`, field));
    if (inStep.length === 0 && !isMoved.has(stepId)) continue;
    const action = !old ? 'added' : !next ? 'deleted' : inStep.length > 0 ? 'modified' : 'moved';
    changes.push({
      resourceType: 'step',
      action,
      sourceResource: next ? { id: stepId, name: String(next['name']) } : null,
      targetResource: old ? { id: stepId, name: String(old['name']) } : null,
      stepType: String((next ?? old)!['type']),
      ...(inStep.length > 0 && { diffs: await bothSides(inStep, old !== undefined, next !== undefined) }),
      ...(old && { previousIndex: old.index }),
      ...(next && { newIndex: next.index }),
    });
  }
  return changes;
}

/** Steps that both sides have at another place among the steps that both have. */
function movedSteps(before: Steps, after: Steps): Set<string> {
  const old = [...before.keys()].filter((stepId) => after.has(stepId));
  const next = [...after.keys()].filter((stepId) => before.has(stepId));
  return new Set(next.filter((stepId, at) => old[at] !== stepId));
}

/** The field with its path inside the step; a whole step that was added or deleted is shown by its members. */
function relativeTo(prefix: string, { path, previous, new: next }: FieldChange): FieldChange[] {
  if (path.startsWith(`${prefix}.`)) return [{ path: path.slice(prefix.length + 1), previous, new: next }];
  if (path !== prefix) return [];
  const members = { ...(isJsonObject(previous) && previous), ...(isJsonObject(next) && next) };
  return Object.entries(members).map(([name, value]) => ({
    path: name,
    previous: previous === undefined ? undefined : value,
    new: next === undefined ? undefined : value,
  }));
}

const bothSides = async (fields: FieldChange[], hadIt = true, hasIt = true) => ({
  previous: hadIt ? await valuesOf(fields, 'previous') : null,
  new: hasIt ? await valuesOf(fields, 'new') : null,
});

function countsOf(change: Change, changes: ResourceChangeDto[]): ChangeCountsDto {
  const count = (...actions: string[]): number => changes.filter(({ action }) => actions.includes(action)).length;
  const changed = new Set(changes.flatMap(({ sourceResource }) => sourceResource?.id ?? []));
  const kept = change.before && change.after ? [...stepsOf(change, 'after').keys()] : [];
  return {
    added: count('added'),
    modified: count('modified', 'moved'),
    deleted: count('deleted'),
    unchanged: kept.filter((stepId) => !changed.has(stepId)).length,
  };
}

/** Layouts that the resource names, and whether the target has them. */
function dependenciesOf(plan: Plan, { kind, after }: Change): ResourceDependencyDto[] {
  const layouts = ((after && kind.needs?.(after.definition)) ?? []).filter(({ type }) => type === 'layout');
  return layouts.map(({ type, id }) => {
    const isThere = plan.present.get(type)?.has(id) ?? false;
    return {
      resourceType: type,
      resourceId: id,
      resourceName: plan.present.get(type)?.get(id) ?? plan.offered.get(type)?.get(id) ?? id,
      isBlocking: !isThere,
      reason: isThere ? 'LAYOUT_EXISTS_IN_TARGET' : 'LAYOUT_REQUIRED_FOR_WORKFLOW',
    };
  });
}
