import type { QueueName } from './jobs';

/** A queue with fewer waiting jobs than this keeps nobody waiting for long: everything may go in. */
const SHALLOW_JOBS = 50;
/** What one environment may put into a deep queue in one window before it counts as noisy. */
const QUIET_ITEMS = 200;
const WINDOW_MS = 2_000;
const SLOT_MS = 100;
/** A look at the depth costs a command, so a lone trigger never pays for one. */
const OFFERS_BETWEEN_LOOKS = 20;
const LOOK_INTERVAL_MS = 500;
const TRACKED = 10_000;

type Offered = { total: number; slots: { slot: number; items: number }[] };
type Depth = { deep: boolean; seenAt: number; askedAt: number; offers: number };

/**
 * Fairness of direct offers. A queue is first come, first served, so whoever fills it first makes everybody wait. While it
 * is shallow that does not matter; when it is deep, an environment that has just offered a lot is kept out. Its rows wait
 * in Postgres, and the sweeper feeds them in turn with everybody else's; a quiet environment still goes straight in.
 */
export class Admission {
  private readonly offered = new Map<string, Offered>();
  private readonly depths = new Map<QueueName, Depth>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether these items may be offered now; if so they count as offered. */
  admits(queue: QueueName, environmentId: string, items: number): boolean {
    const depth = this.depthOf(queue);
    depth.offers += 1;
    const offered = this.recentlyOffered(`${queue}/${environmentId}`);
    if (this.isDeep(depth) && offered.total > QUIET_ITEMS) return false;
    const slot = Math.floor(this.now() / SLOT_MS);
    const last = offered.slots.at(-1);
    if (last?.slot === slot) last.items += items;
    else offered.slots.push({ slot, items });
    offered.total += items;
    return true;
  }

  /** Tells how many jobs wait in the queue. */
  observe(queue: QueueName, waitingJobs: number): void {
    Object.assign(this.depthOf(queue), { deep: waitingJobs >= SHALLOW_JOBS, seenAt: this.now() });
  }

  /** True when somebody should look at the depth now; then not again for a while. */
  wantsLook(queue: QueueName): boolean {
    const depth = this.depthOf(queue);
    if (depth.offers < OFFERS_BETWEEN_LOOKS || this.now() - depth.askedAt < LOOK_INTERVAL_MS) return false;
    Object.assign(depth, { askedAt: this.now(), offers: 0 });
    return true;
  }

  /** An old look says nothing: where few offers are made, nobody looks, and nobody needs to be kept out. */
  private isDeep({ deep, seenAt }: Depth): boolean {
    return deep && this.now() - seenAt < WINDOW_MS;
  }

  private depthOf(queue: QueueName): Depth {
    const depth = this.depths.get(queue) ?? { deep: false, seenAt: -Infinity, askedAt: -Infinity, offers: 0 };
    this.depths.set(queue, depth);
    return depth;
  }

  private recentlyOffered(key: string): Offered {
    let offered = this.offered.get(key);
    if (!offered) {
      if (this.offered.size >= TRACKED) this.offered.clear();
      this.offered.set(key, (offered = { total: 0, slots: [] }));
    }
    const oldest = Math.floor((this.now() - WINDOW_MS) / SLOT_MS);
    while (offered.slots.length > 0 && offered.slots[0]!.slot <= oldest) offered.total -= offered.slots.shift()!.items;
    return offered;
  }
}
