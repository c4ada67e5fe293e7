import { Metrics } from '@clarion/platform';
import type { StoreCall } from '@clarion/testing/memory-store';
import type { Process } from './process';
import type { Scenario } from './scenario';

/** No test reads these metrics. */
export const METRICS = new Metrics();
export const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** No workflow of a scenario reads the state of earlier steps. */
export const NO_EARLIER_STEPS = { load: () => Promise.resolve(new Map()) };
export const NO_CONTEXTS = { load: () => Promise.resolve(() => ({ contexts: [] })) };

/** The calls to the store leave the process, which may crash or freeze at each of them. */
export const callsOf =
  (process: Process): StoreCall =>
  (what, effect) =>
    process.call(what, effect);

/** The workflows of the scenario. A process reads them once and keeps them, as the cache of workflows does. */
export function workflowsOf(process: Process, scenario: Scenario) {
  let known = false;
  return {
    load: async () => {
      if (!known) await process.call('load workflows', () => undefined);
      known = true;
      return ({ workflowId }: { workflowId: string }) => scenario.workflows.get(workflowId)!;
    },
  };
}
