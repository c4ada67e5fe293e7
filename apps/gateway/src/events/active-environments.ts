import type { EnvironmentId } from '@clarion/contracts';

/** An environment that stored nothing for this long is not active. */
const ACTIVE_MS = 2_000;

type Use = { environmentId: EnvironmentId; at: number };

/** Knows whether an environment is the only one that stores events here. Keeps two uses, however many there are. */
export class ActiveEnvironments {
  private latest: Use | undefined;
  /** The latest use by another environment than that of `latest`. */
  private other: Use | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  note(environmentId: EnvironmentId): void {
    if (this.latest && this.latest.environmentId !== environmentId) this.other = this.latest;
    this.latest = { environmentId, at: this.now() };
  }

  isAlone(environmentId: EnvironmentId): boolean {
    const use = this.latest?.environmentId === environmentId ? this.other : this.latest;
    return use === undefined || this.now() - use.at > ACTIVE_MS;
  }
}
