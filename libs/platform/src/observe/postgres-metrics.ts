import { Gauge, type Registry } from 'prom-client';
import type { PostgresLag } from './measurements';

/** The metrics of what makes Postgres slower over time: forgotten maintenance, and dead rows that it must keep. */
export class PostgresMetrics {
  private readonly maintenanceAge: Gauge;
  private readonly retentionObstacles: Gauge;
  private readonly oldestTransaction: Gauge;
  private readonly oldestSnapshot: Gauge;
  private readonly deadRows: Gauge;

  constructor(lagRegistry: Registry) {
    const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
      new Gauge({ name, help, labelNames, registers: [lagRegistry] });
    this.maintenanceAge = gauge('clarion_maintenance_age_seconds', 'Time since the last maintenance ended.');
    this.retentionObstacles = gauge(
      'clarion_retention_obstacles',
      'Tables whose history past the retention the last maintenance could not drop.',
    );
    this.oldestTransaction = gauge(
      'clarion_postgres_oldest_transaction_seconds',
      'The age of the oldest transaction of any program that keeps Postgres from removing dead rows.',
    );
    this.oldestSnapshot = gauge(
      'clarion_postgres_oldest_snapshot_transactions',
      'Transactions since the oldest session, slot, standby or prepared transaction that keeps dead rows.',
    );
    this.deadRows = gauge('clarion_postgres_dead_rows', 'Dead rows of the tables that change most, as estimated.', [
      'table',
    ]);
  }

  writeLag(lag: PostgresLag): void {
    if (lag.maintenanceSeconds !== null) this.maintenanceAge.set(lag.maintenanceSeconds);
    this.retentionObstacles.set(lag.retentionObstacles);
    this.oldestTransaction.set(lag.oldestTransactionSeconds);
    this.oldestSnapshot.set(lag.oldestSnapshotTransactions);
    for (const { table, rows } of lag.deadRows) this.deadRows.set({ table }, rows);
  }
}
