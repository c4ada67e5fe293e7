import { partition } from '@clarion/contracts/core';
import type { Isolation } from './isolation';

/** A row whose last holder crashed, and how often one did. */
type CrashedRow<Id> = { id: Id; crashes: number };

/** `leavesMore`: others of the same claim did not fit into it. They are claimed when these have run. */
type ClaimedRow = { id: string; leavesMore?: boolean };

const admitAll = (): Promise<void> => Promise.resolve();

export type ClaimProtocol<Row extends ClaimedRow> = {
  /** Claims free rows whose holders have not crashed more often: all, or as many as may be in memory at a time. */
  claim(ids: Row['id'][], mostCrashes: number): Promise<Row[]>;
  /** Of these ids, the free rows whose last holder crashed. */
  suspects(ids: Row['id'][]): Promise<CrashedRow<Row['id']>[]>;
  /** Runs claimed rows. For suspects the promise resolves when they have ended: the next suspects start then. */
  run(rows: Row[], areSuspects: boolean): Promise<void>;
  /** Suspects could not be claimed or run; the next ones are tried. */
  onError(error: unknown, ids: Row['id'][]): void;
};

/**
 * Suspects that run together, and groups that run at the same time. The next group starts when all rows of one have
 * ended, so groups are small: one slow row holds up few others. All of them are as many as a worker sends at once
 * through an account without batches. If the process is killed again, each of them runs alone after that.
 */
const GROUP_SIZE = 8;
const GROUPS_AT_ONCE = 4;
/** Rows whose holders crashed more often run alone. */
const CRASHES_IN_GROUPS = 1;
/** No row has more crashes: the column is that small. */
const ANY_CRASHES = 32_767;

/**
 * Claims and runs rows in batches. A row whose last holder crashed may have caused the crash, so it is a suspect and
 * does not run together with other rows. A process that is killed has hundreds of rows in flight that did not cause
 * it: after the first crash, suspects run in groups. Those that run when their process crashes again run one at a
 * time, each while no other row of the process runs. So a row that crashes its process three times is the cause.
 */
export class ClaimRunner<Row extends ClaimedRow> {
  /** Suspects that are not claimed yet. The sweeper offers them again meanwhile. */
  private readonly waiting = new Set<Row['id']>();
  private readonly grouped: Row['id'][] = [];
  private runningGroups = 0;
  private readonly onGroupsDone: (() => void)[] = [];
  private readonly singles: Row['id'][] = [];
  private singlesDone: Promise<void> = Promise.resolve();

  constructor(
    private readonly protocol: ClaimProtocol<Row>,
    private readonly isolation: Isolation,
  ) {}

  /** Resolves when the rows that could be claimed have run; suspects run in the background. */
  async run(ids: Row['id'][], admit: (count: number) => Promise<void> = admitAll): Promise<void> {
    await this.runParts(ids, async (part) => {
      await admit(part.length);
      return this.isolation.share(() => this.claimAndRun(part, 0));
    });
  }

  /** The same for rows that other rows of the process have opened, as a part of their run. */
  async runWithin(ids: Row['id'][]): Promise<void> {
    await this.runParts(ids, (part) => this.claimAndRun(part, 0));
  }

  /** Runs the suspects among these rows in the background, at once; the other rows are left alone. */
  async runSuspectsOf(ids: Row['id'][]): Promise<void> {
    await this.find(ids, []);
  }

  /** Resolves when every suspect found so far has run. */
  async drain(): Promise<void> {
    if (this.runningGroups > 0) await new Promise<void>((resolve) => this.onGroupsDone.push(resolve));
    await this.singlesDone;
  }

  private async runParts(ids: Row['id'][], claimAndRun: (part: Row['id'][]) => Promise<Row[]>): Promise<void> {
    for (let left = ids; ;) {
      const claimed = await claimAndRun(left);
      if (!claimed.some(({ leavesMore }) => leavesMore)) return this.find(left, claimed);
      const taken = new Set<Row['id']>(claimed.map(({ id }) => id));
      left = left.filter((id) => !taken.has(id));
    }
  }

  /** Finds the suspects among the rows that were not claimed. */
  private async find(ids: Row['id'][], claimed: Row[]): Promise<void> {
    if (claimed.length === ids.length) return;
    const claimedIds = new Set<Row['id']>(claimed.map(({ id }) => id));
    const left = ids.filter((id) => !claimedIds.has(id) && !this.waiting.has(id));
    if (left.length === 0) return;
    // Another job may have named the same rows meanwhile.
    const suspects = (await this.protocol.suspects(left)).filter(({ id }) => !this.waiting.has(id));
    for (const { id } of suspects) this.waiting.add(id);
    const [few, many] = partition(suspects, ({ crashes }) => crashes <= CRASHES_IN_GROUPS);
    this.grouped.push(...few.map(({ id }) => id));
    while (this.runningGroups < GROUPS_AT_ONCE && this.grouped.length > 0) void this.runGroups();
    if (many.length === 0) return;
    this.singles.push(...many.map(({ id }) => id));
    this.singlesDone = this.singlesDone.then(() => this.runSingles());
  }

  private async runGroups(): Promise<void> {
    this.runningGroups += 1;
    while (this.grouped.length > 0) {
      const ids = this.grouped.splice(0, GROUP_SIZE);
      await this.runSuspects(ids, () => this.isolation.share(() => this.claimAndRun(ids, CRASHES_IN_GROUPS)));
    }
    this.runningGroups -= 1;
    if (this.runningGroups === 0) for (const resolve of this.onGroupsDone.splice(0)) resolve();
  }

  private async runSingles(): Promise<void> {
    for (;;) {
      await this.leaveOutTaken();
      if (this.singles.length === 0) return;
      await this.isolation.isolate(async () => {
        const id = this.singles.shift()!;
        await this.runSuspects([id], () => this.claimAndRun([id], ANY_CRASHES));
        return this.singles.length > 0;
      });
    }
  }

  /** Another process may have run some of them meanwhile: this one would finish all its other rows for nothing. */
  private async leaveOutTaken(): Promise<void> {
    const ids = this.singles.splice(0);
    if (ids.length === 0) return;
    try {
      const left = new Set((await this.protocol.suspects(ids)).map(({ id }) => id));
      for (const id of ids) if (!left.has(id)) this.waiting.delete(id);
      this.singles.push(...ids.filter((id) => left.has(id)));
    } catch (error) {
      for (const id of ids) this.waiting.delete(id);
      this.protocol.onError(error, ids);
    }
  }

  private async runSuspects(ids: Row['id'][], run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.protocol.onError(error, ids);
    }
  }

  private async claimAndRun(ids: Row['id'][], mostCrashes: number): Promise<Row[]> {
    const areSuspects = mostCrashes > 0;
    const claimed = await this.protocol.claim(ids, mostCrashes).finally(() => {
      if (areSuspects) for (const id of ids) this.waiting.delete(id);
    });
    if (claimed.length > 0) await this.protocol.run(claimed, areSuspects);
    return claimed;
  }
}
