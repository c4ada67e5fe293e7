import type { BulkActionGroup, ReplayedStep } from '@clarion/persistence';
import { BulkActions } from './bulk-actions';

describe('the bulk actions of an engine', () => {
  it('works off steady actions while a batch of the failing ones takes long, and waits for that batch at its end', async () => {
    const slow = deferred<ReplayedStep[]>();
    const steadyMeanwhile = deferred<void>();
    let hasBegun = false;
    const runNextBatch = (group: BulkActionGroup): Promise<ReplayedStep[] | undefined> => {
      if (group === 'failing') {
        hasBegun = true;
        return slow.promise;
      }
      if (hasBegun) steadyMeanwhile.resolve();
      return Promise.resolve(undefined);
    };
    const actions = new BulkActions({
      store: { nextDueInMs: () => Promise.resolve(0), runNextBatch },
      offers: { steps: () => undefined },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    actions.start();
    await steadyMeanwhile.promise;
    let hasStopped = false;
    const stopped = actions.stop().then(() => (hasStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasStopped).toBe(false);
    slow.resolve([]);
    await stopped;
  });
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  return { promise: new Promise<T>((fulfil) => (resolve = fulfil)), resolve: (value) => resolve(value) };
}
