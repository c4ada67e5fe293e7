import { type EnvironmentId, executionDetail, type StepId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { textOf } from '../history/detail-text';
import { passDigestsOn } from './steps/pass-digests-on';

/** Runs a cancellation of `trigger.sql.ts`. A digest that other steps joined continues without the canceled one. */
export function cancelSteps<Canceled>(
  database: Database,
  { lock, cancel }: { lock: string; cancel: string },
  environmentId: EnvironmentId,
  what: string | string[],
): Promise<Canceled> {
  return database.transaction(async () => {
    await database.query(lock, [environmentId, what]);
    const [row] = await database.query<{ canceled: Canceled; opened: { id: StepId; dueAt: string }[] | null }>(cancel, [
      environmentId,
      what,
      ...textOf(executionDetail('stepCanceledByRequest')),
    ]);
    const { canceled, opened } = row!;
    if (opened) {
      await passDigestsOn(
        database,
        opened.map(({ id, dueAt }) => ({ stepId: id, dueAt: new Date(dueAt) })),
      );
    }
    return canceled;
  });
}
