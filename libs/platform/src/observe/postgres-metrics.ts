import type { Lag } from '@clarion/contracts/core';
import type { MetricSet } from './metric-set';

/** The metrics of what makes Postgres slower over time: forgotten maintenance, and dead rows that it must keep. */
export class PostgresMetrics {
  private readonly maintenanceAge = this.lag.gauge(
    'clarion_maintenance_age_seconds',
    'Time since the last maintenance ended.',
  );
  private readonly retentionObstacles = this.lag.gauge(
    'clarion_retention_obstacles',
    'Tables whose history past the retention the last maintenance could not drop.',
  );
  private readonly oldestTransaction = this.lag.gauge(
    'clarion_postgres_oldest_transaction_seconds',
    'The age of the oldest transaction of any program that keeps Postgres from removing dead rows.',
  );
  private readonly oldestSnapshot = this.lag.gauge(
    'clarion_postgres_oldest_snapshot_transactions',
    'Transactions since the oldest session, slot, standby or prepared transaction that keeps dead rows.',
  );
  private readonly deadRows = this.lag.gauge(
    'clarion_postgres_dead_rows',
    'Dead rows of the tables that change most, as estimated.',
    ['table'],
  );

  constructor(private readonly lag: MetricSet) {}

  writeLag(lag: Lag['postgres']): void {
    this.maintenanceAge.set(lag.maintenanceSeconds ?? Infinity);
    this.retentionObstacles.set(lag.retentionObstacles);
    this.oldestTransaction.set(lag.oldestTransactionSeconds);
    this.oldestSnapshot.set(lag.oldestSnapshotTransactions);
    for (const { table, rows } of lag.deadRows) this.deadRows.set({ table }, rows);
  }
}
