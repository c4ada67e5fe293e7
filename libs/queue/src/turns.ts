import { type Lane, placeOf, TENANT_LIMITS } from '@clarion/contracts/core';
import type { QueueName } from './jobs';

/** Items that an environment and its organization may offer at once before others go first. */
const QUIET = TENANT_LIMITS.quietItems();
/** Half of what was offered is forgotten after this time. */
const HALF_LIFE_MS = 1_000;
const TRACKED = 10_000;

/**
 * Environments take turns inside a lane. A queue is first in, first out, so an environment that fills it would delay
 * all others. The more an environment or its organization has offered lately, the later is its place: it moves back
 * by one with each doubling.
 */
export class Turns {
  private readonly offered = new Map<string, { items: number; at: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The place of this many items, which count as offered. */
  placeOf(queue: QueueName, lane: Lane, environmentId: string, items: number, organizationId = environmentId): number {
    const own = this.count(`${queue} ${lane} ${environmentId}`, items);
    const ofAll = this.count(`${queue} ${lane} organization ${organizationId}`, items);
    const doublings = Math.log2(Math.max(own / QUIET.environment, ofAll / QUIET.organization));
    return placeOf(lane, Math.max(0, Math.ceil(doublings)));
  }

  private count(key: string, items: number): number {
    const now = this.now();
    const before = this.offered.get(key);
    if (!before && this.offered.size >= TRACKED) this.offered.clear();
    const left = before ? before.items * 0.5 ** ((now - before.at) / HALF_LIFE_MS) : 0;
    this.offered.set(key, { items: left + items, at: now });
    return left + items;
  }
}
