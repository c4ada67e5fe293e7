import type { EnvironmentId } from '@clarion/contracts/core';

type Row = { environmentId: EnvironmentId; organizationId: string };

/** Environments that are remembered. Far more than an installation has. */
const REMEMBERED = 100_000;

/** Environments never change their organization, so each is read once. Lookups of callers teach it too. */
export class KnownOrganizations {
  private readonly known = new Map<EnvironmentId, string>();
  private readonly missing = new Set<EnvironmentId>();
  private reading = false;

  constructor(private readonly read: (environmentIds: EnvironmentId[]) => Promise<Row[]>) {}

  learn(rows: Iterable<Row>): void {
    if (this.known.size > REMEMBERED) this.known.clear();
    for (const { environmentId, organizationId } of rows) this.known.set(environmentId, organizationId);
  }

  /** Until it is known, an environment counts as a separate organization. */
  readonly of = (environmentId: EnvironmentId): string => {
    const organizationId = this.known.get(environmentId);
    if (organizationId !== undefined) return organizationId;
    this.missing.add(environmentId);
    if (!this.reading) void this.readMissing();
    return environmentId;
  };

  private async readMissing(): Promise<void> {
    this.reading = true;
    try {
      for (let ids = [...this.missing]; ids.length > 0; ids = [...this.missing]) {
        this.missing.clear();
        this.learn(await this.read(ids));
      }
    } catch {
      // The next question asks again.
      this.missing.clear();
    } finally {
      this.reading = false;
    }
  }
}
