import { Batcher } from '@clarion/claims';

/** Rows that are claimed together, and batches that run concurrently. Larger batches delay the events of others. */
const BATCH_SIZE = 200;
const BATCHES = 2;

/** Combines small jobs that arrive together into one batch. */
export const openIntake = <Id extends string>(run: (ids: Id[]) => Promise<void>): Batcher<Id, void> =>
  new Batcher({
    maxItems: BATCH_SIZE,
    maxWaitMs: 0,
    concurrency: BATCHES,
    run: async (ids) => {
      await run([...new Set(ids)]);
      return ids.map(() => undefined);
    },
  });
