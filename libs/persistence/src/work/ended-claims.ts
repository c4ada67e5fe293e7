/**
 * Claims whose rows are all settled. The next claim deletes their rows in its own statement, which costs no round trip.
 * Nothing depends on it: rows that have ended or have changed no longer belong to their claim, and the sweeper deletes
 * claims whose lease has ended.
 */
export class EndedClaims {
  private ids: string[] = [];

  add(claimId: string): void {
    this.ids.push(claimId);
  }

  /** All of them, for the statement that deletes them. */
  take(): string[] {
    const taken = this.ids;
    this.ids = [];
    return taken;
  }
}
