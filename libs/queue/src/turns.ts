import { type Lane, sharedPlaceOf, TENANT_LIMITS } from '@clarion/contracts/core';
import type { QueueName } from './jobs';

/** Items that an environment and its organization may offer at once before others go first. */
const QUIET = TENANT_LIMITS.quietItems();
/** Half of what was offered is forgotten after this time. */
const HALF_LIFE_MS = 1_000;
const TRACKED = 10_000;

/**
 * Environments take turns inside a lane. A queue is first in, first out, so an environment that fills it would delay
 * all others. The more an environment has offered lately, the later is its place: it moves back by one with each
 * doubling. So do all environments of an organization that have the same turn, when they are many: a quiet environment
 * does not wait for a noisy one of its organization, and an organization gains nothing by more environments.
 */
export class Turns {
  private readonly offered = new Map<string, { items: number; at: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The place of this many items, which count as offered. */
  placeOf(queue: QueueName, lane: Lane, environmentId: string, items: number, organizationId = environmentId): number {
    const own = doublings(this.count(`${queue} ${lane} ${environmentId}`, items) / QUIET.environment);
    const withTurn = this.count(`${queue} ${lane} ${own} organization ${organizationId}`, items);
    return sharedPlaceOf(lane, own + doublings(withTurn / (QUIET.organization * 2 ** own)));
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

const doublings = (times: number): number => Math.max(0, Math.ceil(Math.log2(times)));
