import { Batcher } from '@clarion/platform';

/** Rows that are claimed together, and batches that run concurrently. Larger batches delay the events of others. */
const BATCH_SIZE = 200;
const BATCHES = 2;

/** Combines small jobs that arrive together into one batch. */
export class Intake<Id extends string> {
  private readonly first: Batcher<Id, void>;
  private readonly others: Batcher<Id, void>;

  constructor(run: (ids: Id[]) => Promise<void>) {
    const open = (): Batcher<Id, void> =>
      new Batcher({
        maxItems: BATCH_SIZE,
        maxWaitMs: 0,
        concurrency: BATCHES,
        run: async (ids) => {
          await run([...new Set(ids)]);
          return ids.map(() => undefined);
        },
      });
    this.first = open();
    this.others = open();
  }

  /** Ids that go first do not wait behind batches of others. */
  async add(ids: Id[], goesFirst = false): Promise<void> {
    await (goesFirst ? this.first : this.others).addMany(ids);
  }

  async drain(): Promise<void> {
    await Promise.all([this.first.drain(), this.others.drain()]);
  }
}
