import { newId, type SubscriberRowId } from '@clarion/contracts';
import type { PresenceRepository, PresentSubscriber } from '@clarion/persistence';
import type { FaultLog } from '@clarion/platform';

const WRITE_MS = 500;
const RENEW_MS = 5_000;
const BATCH = 1_000;

/**
 * Stores which subscribers are connected to this gateway. Connects and disconnects of half a second share a statement,
 * and a reload of a page within it writes nothing. The lease of a gateway that was killed ends, and another gateway
 * deletes its presences.
 */
export class Presence {
  private readonly gatewayId = newId();
  /** What the database has to store: the subscriber, or undefined for one who left. */
  private changes = new Map<SubscriberRowId, PresentSubscriber | undefined>();
  private readonly present = new Map<SubscriberRowId, PresentSubscriber>();
  private readonly stored = new Set<SubscriberRowId>();
  private writeTimer: NodeJS.Timeout | undefined;
  private renewTimer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly repository: PresenceRepository,
    private readonly faults: FaultLog,
    /** Called for subscribers that do not exist, such as one that was deleted after the token was issued. */
    private readonly onMissing: (subscriberId: SubscriberRowId) => void,
  ) {}

  join(subscriber: PresentSubscriber): void {
    this.present.set(subscriber.subscriberId, subscriber);
    this.note(subscriber.subscriberId, subscriber);
  }

  leave(subscriberId: SubscriberRowId): void {
    this.present.delete(subscriberId);
    this.note(subscriberId, undefined);
  }

  /** Stores that all connections of this gateway have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.writeTimer);
    clearTimeout(this.renewTimer);
    await this.writing;
    if (this.renewTimer === undefined) return;
    await this.repository.end(this.gatewayId).catch((error: unknown) => this.report(error));
  }

  private note(subscriberId: SubscriberRowId, change: PresentSubscriber | undefined): void {
    this.changes.set(subscriberId, change);
    if (!this.isClosed) this.writeTimer ??= setTimeout(() => this.write(), WRITE_MS);
  }

  private write(): void {
    this.writing = this.writing
      .then(() => this.writeChanges())
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.writeTimer = undefined;
        if (this.changes.size > 0 && !this.isClosed) this.writeTimer = setTimeout(() => this.write(), WRITE_MS);
      });
  }

  private async writeChanges(): Promise<void> {
    if (this.renewTimer === undefined) await this.renew();
    while (this.changes.size > 0) {
      const batch = [...this.changes].slice(0, BATCH);
      const joined = batch.flatMap(([id, change]) => (change && !this.stored.has(id) ? [change] : []));
      const left = batch.flatMap(([id, change]) => (change === undefined && this.stored.has(id) ? [id] : []));
      if (joined.length + left.length > 0) {
        const found = await this.repository.change(this.gatewayId, joined, left);
        for (const id of left) this.stored.delete(id);
        for (const { subscriberId } of joined) {
          if (found.has(subscriberId)) this.stored.add(subscriberId);
          else this.onMissing(subscriberId);
        }
      }
      // A change that was noted while the batch was stored stays.
      for (const [id, change] of batch) if (this.changes.get(id) === change) this.changes.delete(id);
    }
  }

  /** Without a lease the rows of this gateway may be deleted: all are stored again. */
  private async renew(): Promise<void> {
    clearTimeout(this.renewTimer);
    if (this.isClosed) return;
    this.renewTimer = setTimeout(() => void this.renew().catch((error: unknown) => this.report(error)), RENEW_MS);
    this.renewTimer.unref();
    const wasValid = await this.repository.renew(this.gatewayId);
    if (!wasValid) {
      this.stored.clear();
      for (const [id, subscriber] of this.present) this.note(id, subscriber);
    }
    await this.repository.endLapsed();
  }

  private report(error: unknown): void {
    this.faults.report('Which subscribers are online could not be stored. It is tried again.', error);
  }
}
