import type { Lane } from './lanes';
import type { StepType } from './step-types';
import type { Channel, DueCause, HoldCause, IntegrationState } from './vocabulary';

/** The backlog of the whole installation, as it is read from the database for the metrics. */
export type Lag = {
  steps: { type: StepType; lane: Lane; cause: DueCause; due: number; oldestSeconds: number }[];
  /** Due steps that a process could do now, by environment; the one with the most first. */
  environments: { environmentId: string; due: number; oldestSeconds: number }[];
  triggers: { open: number; oldestSeconds: number };
  /** The number of integrations in a state, or a single integration with its ids. */
  accounts: {
    channel: Channel;
    providerId: string;
    state: IntegrationState;
    integrations: number;
    environmentId?: string;
    integrationId?: string;
  }[];
  held: { target: HoldCause; steps: number }[];
  /**
   * Entries that active endpoints still have to get, the age of the oldest of them, and the endpoints by state. The age
   * is that of endpoints whose last call did not fail: a receiver that fails is no fault of the workers.
   */
  webhooks: {
    waiting: number;
    oldestSeconds: number;
    endpoints: { active: number; failing: number; disabled: number };
  };
  /** Copies that wait to be sent, and the mirrors in use; the last call of the failing ones failed. */
  mirrors: { waiting: number; mirrors: { working: number; failing: number } };
  /** What makes Postgres slower over time. */
  postgres: {
    /** Since the last maintenance ended; null before the first. */
    maintenanceSeconds: number | null;
    /** Tables with partitions past the retention that it could not drop. */
    retentionObstacles: number;
    /** Of the oldest transaction, and transactions since the oldest one that keeps dead rows. */
    oldestTransactionSeconds: number;
    oldestSnapshotTransactions: number;
    deadRows: { table: string; rows: number }[];
  };
};
