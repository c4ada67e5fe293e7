/** An organization that stored nothing for this long is not active. */
const ACTIVE_MS = 2_000;

type Use = { organizationId: string; at: number };

/** Knows whether an organization is the only one that stores events here. Keeps two uses, however many there are. */
export class ActiveOrganizations {
  private latest: Use | undefined;
  /** The latest use by another organization than that of `latest`. */
  private other: Use | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  note(organizationId: string): void {
    if (this.latest && this.latest.organizationId !== organizationId) this.other = this.latest;
    this.latest = { organizationId, at: this.now() };
  }

  isAlone(organizationId: string): boolean {
    const use = this.latest?.organizationId === organizationId ? this.other : this.latest;
    return use === undefined || this.now() - use.at > ACTIVE_MS;
  }
}
