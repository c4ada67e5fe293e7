/** How rows of one kind are claimed and run. */
export type ClaimProtocol<Row extends { id: string }> = {
  /** Claims the rows that are free. Rows whose last holder crashed are claimed only when `alone` is true. */
  claim(ids: Row['id'][], alone: boolean): Promise<Row[]>;
  /** Of these ids, the free rows whose last holder crashed. */
  suspects(ids: Row['id'][]): Promise<Row['id'][]>;
  /** Runs claimed rows. `alone` is true for a suspect: the next suspect starts when the promise resolves. */
  run(rows: Row[], alone: boolean): Promise<void>;
  /** A suspect row could not be claimed or run; the next row is tried. */
  onError(error: unknown, id: Row['id']): void;
};

/**
 * Claims and runs rows in batches. A row whose last holder crashed may have caused the crash, so it is a suspect:
 * suspects run one at a time, after each other, and a row that crashes the process again takes no other row with it.
 */
export class ClaimRunner<Row extends { id: string }> {
  /** Resolves when all suspects found so far have run; never rejects. */
  private suspectsDone: Promise<void> = Promise.resolve();

  constructor(private readonly protocol: ClaimProtocol<Row>) {}

  /** Resolves when the rows that could be claimed have run; suspects among the others run in the background. */
  async run(ids: Row['id'][]): Promise<void> {
    const claimed = await this.protocol.claim(ids, false);
    if (claimed.length > 0) await this.protocol.run(claimed, false);
    if (claimed.length === ids.length) return;
    const claimedIds = new Set<Row['id']>(claimed.map(({ id }) => id));
    const suspects = await this.protocol.suspects(ids.filter((id) => !claimedIds.has(id)));
    if (suspects.length > 0) this.suspectsDone = this.suspectsDone.then(() => this.runOneByOne(suspects));
  }

  /** Resolves when every suspect found so far has run. */
  drain(): Promise<void> {
    return this.suspectsDone;
  }

  private async runOneByOne(ids: Row['id'][]): Promise<void> {
    for (const id of ids) {
      try {
        const claimed = await this.protocol.claim([id], true);
        if (claimed.length > 0) await this.protocol.run(claimed, true);
      } catch (error) {
        this.protocol.onError(error, id);
      }
    }
  }
}
