import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig } from 'pg';

type ConnectCallback = Parameters<Pool['connect']>[0];

/** Opened without waiting: enough for an idle process, whose periodic reads are short. */
const READY_CONNECTIONS = 2;
const GROW_AFTER_MS = 20;

/**
 * A pool that opens another connection only when callers have waited for a free one: most statements end sooner than a
 * connection opens, and each connection is a process of the server with its own plans. As in every pool, the connection
 * that was used last is reused first, and one without work is closed after `idleTimeoutMillis`.
 */
export class OnDemandPool extends Pool {
  private readonly mostConnections: number;
  private readonly growAfterMs: number;
  private established = 0;
  private isGrowing = false;

  constructor({ growAfterMs = GROW_AFTER_MS, ...config }: PoolConfig & { growAfterMs?: number } = {}) {
    super(config);
    this.growAfterMs = growAfterMs;
    this.mostConnections = this.options.max;
    this.options.max = Math.min(READY_CONNECTIONS, this.mostConnections);
    this.on('connect', () => void (this.established += 1));
    this.on('remove', () => {
      this.established -= 1;
      this.options.max = Math.min(Math.max(READY_CONNECTIONS, this.totalCount), this.mostConnections);
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    // Without a callback the pool returns a promise; the declared types know either form only.
    const result = super.connect(callback!) as Promise<PoolClient> | void;
    if (this.waitingCount > 0 && !this.isGrowing) void this.grow();
    return result;
  }

  /** Opens one connection after the other, until no caller waits. */
  private async grow(): Promise<void> {
    this.isGrowing = true;
    try {
      while (this.waitingCount > 0 && this.totalCount < this.mostConnections) {
        await delay(this.growAfterMs, undefined, { ref: false });
        if (this.waitingCount === 0 || this.ending) return;
        if (this.established < this.totalCount) continue;
        this.options.max = this.totalCount + 1;
        // The pool gives the released connection to the caller that has waited longest.
        (await super.connect()).release();
      }
    } catch {
      // The callers that wait get the error of a connection themselves, or their timeout.
    } finally {
      this.isGrowing = false;
    }
  }
}
