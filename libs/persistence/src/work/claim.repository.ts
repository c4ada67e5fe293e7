import type { Database } from '../connection/database';
import { Repository } from '../connection/repository';
import { columnArrays } from '../sql/column-arrays';
import { byId } from '../sql/ids-with-bounds';
import { ABANDON, FIND_SUSPECTS, RENEW_CLAIMS, type Suspect } from './claims.sql';
import { IGNORE_ORPHANS, type OnOrphans } from './orphans';

/** What claims of triggers and of steps have in common. */
export abstract class ClaimRepository<Id extends string> extends Repository {
  /**
   * Claims whose rows are all settled. The next claim deletes their rows in its own statement, which costs no round
   * trip. Nothing depends on it: rows that have ended or have changed no longer belong to their claim, and the sweeper
   * deletes claims whose lease has ended.
   */
  private ended: string[] = [];

  constructor(
    database: Database,
    protected readonly onOrphans: OnOrphans = IGNORE_ORPHANS,
  ) {
    super(database);
  }

  /** The claimable rows whose last process crashed. They must not be claimed together with others. */
  suspects(ids: Id[]): Promise<Suspect<Id>[]> {
    return this.database.prepared('find-suspects', FIND_SUSPECTS, byId(ids));
  }

  /** Renews the leases of claims. Returns the claims that the caller still has. */
  async renew(claimIds: string[]): Promise<Set<string>> {
    const rows = await this.database.prepared<{ id: string }>('renew-claims', RENEW_CLAIMS, [claimIds]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Gives up rows after an error, as if their process had crashed: one that always fails is quarantined. */
  async abandon(rows: { id: Id; fence: number; claimId: string }[]): Promise<void> {
    await this.database.prepared('abandon-work', ABANDON, columnArrays(rows, 'id', 'fence', 'claimId'));
  }

  /** All rows of the claim are recorded, released or abandoned. */
  end(claimId: string): void {
    this.ended.push(claimId);
  }

  /** The claims that have ended, for the statement that deletes them. */
  protected takeEnded(): string[] {
    const taken = this.ended;
    this.ended = [];
    return taken;
  }
}
