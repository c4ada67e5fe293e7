import {
  type AuditedBy,
  type Channel,
  type EnvironmentId,
  idAtTime,
  type Outcome,
  type TriggerId,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { keptSince } from '../schema/partitions';
import { selectTransactions } from '../work/transactions';
import { AUDIT_RANGE, AUDIT_ROLLUPS, AUDIT_TRIGGER, type AuditCheck, NO_NESTED_LOOPS } from './audit.sql';
import type { EnvironmentIds } from './usage.repository';

export { AUDIT_CHECKS, type AuditCheck } from './audit.sql';

type Ended = { accepted: number; delivered: number; failed: number; skipped: number; inDoubt: number };
type OfChannel = { environment_id: EnvironmentId; channel: Channel };

export type AuditFigures = Ended & { inFlight: number };

/** What the records of some notifications show. Counts of channel steps, by environment and channel. */
export type AuditedRecords = {
  figures: (OfChannel & AuditFigures)[];
  /** The ids of the steps behind each figure, as many as were asked for. */
  ids: (OfChannel & { outcome: Outcome; ids: string[] })[];
  /** The checks that found something. */
  checks: { name: AuditCheck; count: number; ids: string[] }[] | null;
  events: { accepted: number; failed: number; canceled: number; open: number };
  notifications: number;
};

/** The same figures as the statements that wrote the outcomes counted them. */
export type RolledUp = (OfChannel & Ended)[];

/** Reads the records for the reconciliation. Both reads are one statement, so everything is of one moment. */
export class AuditRepository extends Repository {
  /**
   * The notifications of a range of whole minutes; `ids` of each kind are listed. By rollups, the figures of ended
   * steps are those of the rollups, and the history of steps and messages is not read.
   */
  async range(
    environmentIds: EnvironmentIds,
    { after, before }: { after: Date; before: Date },
    ids: number,
    comparedBy: AuditedBy = 'rows',
  ): Promise<AuditedRecords & { rollups: RolledUp }> {
    const [first, last] = [idAtTime(after.getTime()), idAtTime(before.getTime())];
    const parameters = [ids, environmentIds ?? null, first, last, after, before];
    return this.compare(comparedBy === 'rows' ? AUDIT_RANGE : AUDIT_ROLLUPS, parameters);
  }

  async triggerOf(environmentId: EnvironmentId, transactionId: string): Promise<TriggerId | undefined> {
    const [row] = await this.database.query<{ trigger_id: TriggerId }>(selectTransactions('ARRAY[$2::text]'), [
      environmentId,
      transactionId,
    ]);
    return row?.trigger_id;
  }

  async trigger(environmentId: EnvironmentId, triggerId: TriggerId, ids: number): Promise<AuditedRecords> {
    return this.compare<AuditedRecords>(AUDIT_TRIGGER, [ids, environmentId, triggerId]);
  }

  private compare<Row>(statement: string, parameters: unknown[]): Promise<Row> {
    return this.database.transaction(async () => {
      await this.database.query(NO_NESTED_LOOPS);
      return this.database.one<Row>(statement, parameters);
    });
  }

  /** When the oldest partition begins whose notifications are all kept. Triggers are kept for longer. */
  async keptSince(): Promise<Date> {
    return new Date(await keptSince(this.database, 'notification'));
  }
}
