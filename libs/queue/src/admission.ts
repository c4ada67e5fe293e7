import { TENANT_LIMITS } from '@clarion/contracts/core';
import type { QueueName } from './jobs';

/** In a queue with fewer waiting jobs than this, no job waits for long: every offer is admitted. */
export const SHALLOW_JOBS = 50;
/**
 * How many items an environment and its organization may offer to a deep queue within one window before they count as
 * noisy, and how many items of all may go first. With more, the load comes from many organizations, and those that go
 * first would only delay each other.
 */
const QUIET = TENANT_LIMITS.quietItems();
const WINDOW_MS = 2_000;
const SLOT_MS = 100;
/** Reading the depth of the queue costs a command, so it is not read for a single offer. */
const OFFERS_BETWEEN_READS = 20;
const READ_INTERVAL_MS = 500;
const TRACKED_ENVIRONMENTS = 10_000;

type Offered = { total: number; slots: { slot: number; items: number }[] };
type Depth = { deep: boolean; seenAt: number; askedAt: number; offers: number; noisyAt: number };

/** `first`: the job is taken before those that wait already. `rejected`: the rows are left to the sweeper. */
export type Verdict = 'first' | 'in turn' | 'rejected';

/**
 * Fairness of direct offers. A queue is first in, first out, so an environment that fills it delays all others. While
 * the queue is shallow and no environment is noisy, this does not matter. When it is deep, offers of an environment
 * that has just offered a lot, or whose organization has, are rejected. Its rows wait in Postgres, and the sweeper
 * offers them in turn with those of other environments. The jobs of a quiet environment go first then: also a shallow
 * queue, and what the sweeper has offered, can be thousands of rows.
 */
export class Admission {
  private readonly offered = new Map<string, Offered>();
  private readonly wentFirst = new Map<QueueName, Offered>();
  private readonly depths = new Map<QueueName, Depth>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether and where these items may be offered now. Admitted items count as offered. */
  admit(queue: QueueName, environmentId: string, items: number, organizationId = environmentId): Verdict {
    const depth = this.depthOf(queue);
    depth.offers += 1;
    const offered = this.recently(this.offered, `${queue}/${environmentId}`);
    const ofAll = this.recently(this.offered, `${queue}/organization ${organizationId}`);
    const isNoisyWith = (more: number): boolean =>
      offered.total + more > QUIET.environment || ofAll.total + more > QUIET.organization;
    const isDeep = this.isDeep(depth);
    const isCrowded = isDeep || this.now() - depth.noisyAt < WINDOW_MS;
    if (isNoisyWith(items)) depth.noisyAt = this.now();
    if (isDeep && isNoisyWith(0)) return 'rejected';
    this.count(offered, items);
    this.count(ofAll, items);
    if (!isCrowded || isNoisyWith(0)) return 'in turn';
    const first = this.recently(this.wentFirst, queue);
    if (first.total + items > QUIET.gateway) return 'in turn';
    this.count(first, items);
    return 'first';
  }

  /** Items that the sweeper has chosen are always admitted. Many of them are a backlog, which others may go before. */
  grant(queue: QueueName, items: number): void {
    const granted = this.recently(this.offered, queue);
    this.count(granted, items);
    if (granted.total > QUIET.environment) this.depthOf(queue).noisyAt = this.now();
  }

  /** Records how many jobs wait in the queue. */
  observe(queue: QueueName, waitingJobs: number): void {
    Object.assign(this.depthOf(queue), { deep: waitingJobs >= SHALLOW_JOBS, seenAt: this.now() });
  }

  /** True when the caller should read the depth of the queue now and call `observe`. Then false for a while. */
  wantsDepth(queue: QueueName): boolean {
    const depth = this.depthOf(queue);
    if (depth.offers < OFFERS_BETWEEN_READS || this.now() - depth.askedAt < READ_INTERVAL_MS) return false;
    Object.assign(depth, { askedAt: this.now(), offers: 0 });
    return true;
  }

  /** An old depth is ignored: with few offers it is not read again, and no offer needs to be rejected. */
  private isDeep({ deep, seenAt }: Depth): boolean {
    return deep && this.now() - seenAt < WINDOW_MS;
  }

  private depthOf(queue: QueueName): Depth {
    let depth = this.depths.get(queue);
    if (!depth) {
      depth = { deep: false, seenAt: -Infinity, askedAt: -Infinity, offers: 0, noisyAt: -Infinity };
      this.depths.set(queue, depth);
    }
    return depth;
  }

  private count(offered: Offered, items: number): void {
    const slot = Math.floor(this.now() / SLOT_MS);
    const last = offered.slots.at(-1);
    if (last?.slot === slot) last.items += items;
    else offered.slots.push({ slot, items });
    offered.total += items;
  }

  /** What was counted under the key within the window. */
  private recently<Key extends string>(counts: Map<Key, Offered>, key: Key): Offered {
    let offered = counts.get(key);
    if (!offered) {
      if (counts.size >= TRACKED_ENVIRONMENTS) counts.clear();
      counts.set(key, (offered = { total: 0, slots: [] }));
    }
    const oldest = Math.floor((this.now() - WINDOW_MS) / SLOT_MS);
    while (offered.slots.length > 0 && offered.slots[0]!.slot <= oldest) offered.total -= offered.slots.shift()!.items;
    return offered;
  }
}
