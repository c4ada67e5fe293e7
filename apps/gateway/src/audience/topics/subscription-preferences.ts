import { Injectable } from '@nestjs/common';
import {
  invalidField,
  isId,
  LIMITS,
  type NewSubscriptionPreferenceDto,
  type SubscriptionPreferenceDto,
  type SubscriptionPreferences,
} from '@clarion/contracts';
import { type KeyOwner, type SubscriptionRow, WorkflowRepository, type WorkflowSummary } from '@clarion/persistence';
import { isCritical } from '@clarion/rules';

/** Converts preferences of topic subscriptions: callers name workflows or filters, a row stores them by workflow id. */
@Injectable()
export class SubscriptionPreferencesReader {
  constructor(private readonly workflows: WorkflowRepository) {}

  /** A filter is resolved now, to the workflows that match. Of several preferences for one, the last wins. */
  async read(
    owner: Pick<KeyOwner, 'environmentId'>,
    given: NewSubscriptionPreferenceDto[] | undefined,
  ): Promise<SubscriptionPreferences | undefined> {
    if (!given) return undefined;
    const names = given.flatMap(({ workflowId, filter }) => [
      ...(workflowId === undefined ? [] : [workflowId]),
      ...(filter?.workflowIds ?? []),
    ]);
    const workflows = await this.workflows.findSummaries(owner.environmentId, {
      ids: names.filter(isId),
      workflowIds: names,
      tags: given.flatMap(({ filter }) => filter?.tags ?? []),
    });
    const preferences: SubscriptionPreferences = {};
    for (const [index, element] of given.entries()) {
      const { enabled = true, condition } = element;
      for (const { id } of workflowsOf(element, workflows, `preferences.${index}`)) {
        preferences[id] = { enabled, ...(condition && { condition }) };
      }
    }
    if (Object.keys(preferences).length > LIMITS.subscriptionPreferences) {
      throw invalidField(
        'preferences',
        `preferences must not name more than ${LIMITS.subscriptionPreferences} workflows`,
      );
    }
    return preferences;
  }

  /** Converts stored preferences to the form of the interface, by subscription. Deleted workflows are left out. */
  async describe(
    owner: Pick<KeyOwner, 'environmentId'>,
    rows: SubscriptionRow[],
  ): Promise<Map<string, SubscriptionPreferenceDto[]>> {
    const withPreferences = rows.filter(({ preferences }) => preferences !== null);
    const ids = new Set(withPreferences.flatMap(({ preferences }) => Object.keys(preferences ?? {})));
    const workflows = await this.workflows.findSummaries(owner.environmentId, { ids: [...ids] });
    return new Map(
      withPreferences.map(({ id: subscriptionId, preferences }) => [
        subscriptionId,
        workflows.flatMap((workflow): SubscriptionPreferenceDto[] => {
          const preference = preferences?.[workflow.id];
          return preference ? [{ subscriptionId, workflow: toPreferredWorkflow(workflow), ...preference }] : [];
        }),
      ]),
    );
  }
}

function workflowsOf(
  { workflowId, filter }: NewSubscriptionPreferenceDto,
  workflows: WorkflowSummary[],
  path: string,
): WorkflowSummary[] {
  if ((workflowId === undefined) === (filter === undefined)) {
    throw invalidField(path, `${path} must have either a workflowId or a filter`);
  }
  const named = (name: string, field: string): WorkflowSummary => {
    const workflow =
      workflows.find((candidate) => candidate.workflowId === name) ??
      workflows.find(({ id }) => id === name.toLowerCase());
    if (!workflow) throw invalidField(`${path}.${field}`, `${path}.${field}: workflow ${name} was not found`, name);
    return workflow;
  };
  if (workflowId !== undefined) return [named(workflowId, 'workflowId')];
  const tags = filter?.tags ?? [];
  return [
    ...(filter?.workflowIds ?? []).map((name) => named(name, 'filter.workflowIds')),
    ...workflows.filter((workflow) => workflow.tags.some((tag) => tags.includes(tag))),
  ];
}

const toPreferredWorkflow = ({ id, workflowId, name, tags, severity, preferences }: WorkflowSummary) => ({
  id,
  identifier: workflowId,
  name,
  critical: isCritical(preferences),
  tags,
  severity,
});
