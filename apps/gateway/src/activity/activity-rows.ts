import { type ActivityRowDto, type ErrorGroupDto, LIMITS } from '@clarion/contracts';
import type { ActivityRow, ErrorGroup } from '@clarion/persistence';

export const toActivityRowDto = ({ subscriber, workflow, ...row }: ActivityRow): ActivityRowDto => ({
  _id: row.id,
  createdAt: row.createdAt.toISOString(),
  transactionId: row.transactionId,
  severity: row.severity,
  outcome: row.outcome,
  workflow: workflow && { _id: workflow.id, workflowId: workflow.workflowId, name: workflow.name },
  subscriber: subscriber && {
    _id: subscriber.id,
    subscriberId: subscriber.subscriberId,
    name: subscriber.name,
    email: subscriber.email,
  },
  topicKeys: row.topicKeys ?? [],
  steps: (row.steps ?? []).map(({ id, stepKey, state, endedAt, ...step }) => ({
    _id: id,
    stepId: stepKey,
    type: step.type,
    outcome: step.outcome,
    status: state,
    providerId: step.providerId,
    reason: step.reason,
    code: step.code,
    endedAt: endedAt && new Date(endedAt).toISOString(),
  })),
});

/** The groups that an answer has, of several lists. */
export const largestFirst = <Group extends { count: number }>(groups: Group[]): Group[] =>
  groups.sort((one, other) => other.count - one.count).slice(0, LIMITS.errorGroups);

export const toErrorGroupDto = ({ firstAt, lastAt, counts, since, until, ...group }: ErrorGroup): ErrorGroupDto => ({
  ...group,
  bars: { from: since.toISOString(), until: until.toISOString(), counts },
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
});
