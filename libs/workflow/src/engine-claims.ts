import { ClaimLeases } from '@clarion/claims';
import { isDatabaseUnavailable, RENEW_MS, untilAvailable } from '@clarion/persistence';
import { FaultLog } from '@clarion/platform';
import type { EngineLog } from './ports';

const NOT_RELEASED = 'Rows could not be released. The engine tries again until the database is back.';

export type EngineClaimsParts = {
  store: { renew(claimIds: string[]): Promise<unknown>; end(claimId: string): void };
  pause(milliseconds: number): Promise<unknown>;
  log: EngineLog;
};

/** The claims that an engine works on. Renews their leases, and releases rows that could not be run. */
export class EngineClaims {
  private readonly faults = new FaultLog(this.parts.log);
  private readonly leases = new ClaimLeases({ renewMs: RENEW_MS, store: this.parts.store, faults: this.faults });

  constructor(private readonly parts: EngineClaimsParts) {}

  begin(claimId: string): void {
    this.leases.hold(claimId);
  }

  /** All rows of the claim are settled. */
  end(claimId: string): void {
    this.leases.settle(claimId);
  }

  /** Gives rows back, also if the database is away for some time. Never rejects; the lease is the fallback. */
  async giveBack(claimId: string, statement: () => Promise<void>): Promise<boolean> {
    try {
      await untilAvailable(statement, {
        pause: this.parts.pause,
        onWait: (error) => this.faults.report(NOT_RELEASED, error),
      });
      this.faults.over(NOT_RELEASED, 'Rows are released again.');
      return true;
    } catch {
      this.leases.release(claimId);
      return false;
    }
  }

  /** Logs why rows could not be run. While the database is away, every batch meets the same fault. */
  warn(text: string, error: unknown, fields: object): void {
    if (isDatabaseUnavailable(error)) this.faults.report(text, error);
    else this.parts.log.warn({ err: error, ...fields }, text);
  }

  close(): Promise<void> {
    return this.leases.close();
  }
}
