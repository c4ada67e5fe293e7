/** Renews the leases of the claims that a process works on. */
export class ClaimLeases {
  private readonly claimIds = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    renewMs: number,
    private readonly parts: { renew(claimIds: string[]): Promise<unknown>; onError(error: unknown): void },
  ) {
    this.timer = setInterval(() => void this.renew(), renewMs);
    this.timer.unref();
  }

  hold(claimId: string): void {
    this.claimIds.add(claimId);
  }

  /** The claim has ended, or its rows are left to the next holder. */
  letGo(claimId: string): void {
    this.claimIds.delete(claimId);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    if (this.claimIds.size > 0) await this.parts.renew([...this.claimIds]).catch((error) => this.parts.onError(error));
  }
}
