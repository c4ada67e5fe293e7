import type { EnvironmentId, StepType } from '@clarion/contracts/core';

/** What an open row cannot run without. Rows of deleted partitions, or a deletion by hand, leave such rows behind. */
export type Gone = 'event' | 'notification' | 'workflow version';

/** An open row that was ended instead of claimed, because what it belongs to is gone. */
export type OrphanedRow = { id: string; type: StepType; environmentId: EnvironmentId; gone: Gone };

export type OnOrphans = (rows: OrphanedRow[]) => void;

export const IGNORE_ORPHANS: OnOrphans = () => undefined;

/** The version `v` of a workflow that the trigger `t` names. Without the workflow there are no versions. */
export const joinVersion = (workflowId: string): string =>
  `LEFT JOIN workflow_version v ON v.workflow_id = ${workflowId} AND v.version = t.workflow_version`;

export const ORPHANS_ENDED = 'Open rows were ended, because their event, notification or workflow version is gone.';
