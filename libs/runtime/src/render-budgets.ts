import { LimitRepository } from '@clarion/persistence';
import { FaultLog } from '@clarion/platform';
import type { Resources } from './resources';

type Parts = Pick<Resources, 'database' | 'templates'> & { log: ConstructorParameters<typeof FaultLog>[0] };

/** How soon a limit on render time applies. */
const READ_MS = 5_000;

/** Reads the limits of environments on render time again and again. Returns the function that ends it. */
export function readRenderBudgets({ database, templates, log }: Parts): () => void {
  const limits = new LimitRepository(database);
  const faults = new FaultLog(log);
  const timer = setInterval(() => {
    limits
      .renderBudgets()
      .then((budgets) => templates.setBudgets(budgets))
      .catch((error: unknown) => faults.report('Limits on render time could not be read.', error));
  }, READ_MS);
  timer.unref();
  return () => clearInterval(timer);
}
