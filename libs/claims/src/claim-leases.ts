type ClaimLeasesParts = {
  renewMs: number;
  store: { renew(claimIds: string[]): Promise<unknown>; end(claimId: string): void };
  faults: { report(text: string, error: unknown, fields: object): void; over(text: string, isOver: string): void };
  /** Called after each renewal; it is tried again with the next one. */
  afterRenewal?(this: void): Promise<void>;
};

/** The claims that a process works on. Renews their leases, and ends each claim with the last of its rows. */
export class ClaimLeases {
  private readonly rows = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private readonly notRenewed: string;

  constructor(private readonly parts: ClaimLeasesParts) {
    this.notRenewed = `Leases could not be renewed. They are renewed again every ${parts.renewMs} ms.`;
    this.timer = setInterval(() => void (this.rows.size > 0 && this.renew()), parts.renewMs);
    this.timer.unref();
  }

  hold(claimId: string): void {
    this.rows.set(claimId, (this.rows.get(claimId) ?? 0) + 1);
  }

  settle(claimId: string): void {
    const left = (this.rows.get(claimId) ?? 1) - 1;
    if (left > 0) this.rows.set(claimId, left);
    else if (this.rows.delete(claimId)) this.parts.store.end(claimId);
  }

  /** Leaves the rows of the claim to the next holder, when its lease is over. */
  release(claimId: string): void {
    this.rows.delete(claimId);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.attempt(() => this.parts.afterRenewal?.());
  }

  private renew(): Promise<void> {
    const { store, faults, afterRenewal } = this.parts;
    return this.attempt(async () => {
      await store.renew([...this.rows.keys()]);
      faults.over(this.notRenewed, 'Leases are renewed again.');
      await afterRenewal?.();
    });
  }

  private async attempt(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.faults.report(this.notRenewed, error, { claims: this.rows.size });
    }
  }
}
