import type { DataSource } from 'typeorm';
import { type DataSourceOptions, openDataSource } from './data-source';
import { isDatabaseUnavailable, isRetryableConflict } from './database-errors';

export type ReadReplicaOptions = DataSourceOptions & {
  /** A replica that is further behind is not read. */
  mostLagSeconds: number;
  /** Called when reads begin to go to the replica, and when they go to the primary again. */
  onChange: (change: { isUsed: boolean; why: string }) => void;
};

const MEASURE_EVERY_MS = 1_000;
/** The positions of this many seconds are remembered: a longer lag is only known to be longer. */
const POSITIONS = 3_600;

type Position = { at: number; lsn: number };

/**
 * A standby that answers lists. The lag is measured with the clock of this process: each second it notes the position
 * of the primary, and looks which of the noted positions the replica has applied. So a replica that lost its primary
 * lags too, and one whose primary is idle does not.
 */
export class ReadReplica {
  private dataSource?: DataSource;
  private positions: Position[] = [];
  private appliedAt = performance.now();
  private isUsed = false;
  private isClosed = false;
  private timer?: NodeJS.Timeout;
  private measuring: Promise<void> = Promise.resolve();

  constructor(
    private readonly primary: DataSource,
    private readonly options: ReadReplicaOptions,
  ) {}

  /** Measures once before it resolves. The replica may be away. */
  async start(): Promise<void> {
    this.measuring = this.measure();
    await this.measuring;
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.start(), MEASURE_EVERY_MS).unref();
  }

  /** The data source for reads; undefined while the primary has to answer. */
  get current(): DataSource | undefined {
    return this.isUsed && this.lagSeconds <= this.options.mostLagSeconds ? this.dataSource : undefined;
  }

  /** Reads see every change that was committed this long ago, or longer. */
  get lagSeconds(): number {
    return (performance.now() - this.appliedAt) / 1000;
  }

  /** Whether a read that failed on the replica should be repeated on the primary. */
  refuses(error: unknown): boolean {
    // A statement that keeps the replica from applying changes is canceled as a conflict.
    if (!isDatabaseUnavailable(error) && !isRetryableConflict(error)) return false;
    if (!isRetryableConflict(error)) this.use(false, (error as Error).message);
    return true;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.measuring;
    await this.dataSource?.destroy();
  }

  private async measure(): Promise<void> {
    try {
      await this.notePrimary();
      this.dataSource ??= await openDataSource(this.options);
      const [row] = await this.dataSource.query<{ isStandby: boolean; lsn: number | null }[]>(
        `SELECT pg_is_in_recovery() AS "isStandby",
                pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 AS lsn`,
      );
      if (!row!.isStandby) return this.use(false, 'it is not a standby');
      const applied = this.positions.findLast(({ lsn }) => lsn <= (row!.lsn ?? 0));
      if (applied) this.appliedAt = applied.at;
      const isLate = this.lagSeconds > this.options.mostLagSeconds;
      this.use(!isLate, isLate ? `it is ${Math.round(this.lagSeconds)} s behind` : 'it answers and follows');
    } catch (error) {
      this.use(false, (error as Error).message);
    }
  }

  /** While the primary does not answer, no position is noted, and the lag grows. */
  private async notePrimary(): Promise<void> {
    const at = performance.now();
    const rows = await this.primary
      .query<{ lsn: number }[]>(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS lsn`)
      .catch(() => []);
    if (rows[0]) this.positions.push({ at, lsn: rows[0].lsn });
    if (this.positions.length > POSITIONS) this.positions.shift();
  }

  private use(isUsed: boolean, why: string): void {
    if (this.isUsed === isUsed) return;
    this.isUsed = isUsed;
    this.options.onChange({ isUsed, why });
  }
}
