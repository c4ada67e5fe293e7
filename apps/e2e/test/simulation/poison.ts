import type { JsonObject } from '@clarion/contracts';
import type { StepRow } from '@clarion/testing/memory-store';
import type { Process } from './process';
import type { Poison } from './scenario';

/** Whether the payload crashes the process that runs this step in its present state. */
export const isPoison = (payload: JsonObject, { stepKey, state }: { stepKey: string; state: string }): boolean => {
  const poison = payload['poison'] as Poison | undefined;
  return poison?.stepKey === stepKey && poison.at === state;
};

export const isPoisoned = (step: StepRow): boolean => isPoison(step.notification.trigger.payload, step);

/** Crashes the process. The promise never settles, because a crashed process runs no more code. */
export function crashByPoison(process: Process, ids: string[]): Promise<never> {
  process.crash(`poisoned by ${ids.join(', ')}`);
  return new Promise(() => undefined);
}
