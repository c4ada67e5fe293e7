import {
  DomainError,
  type EnvironmentId,
  type OrganizationOf,
  TenantCounts,
  type TenantLevel,
  type TenantShare,
} from '@clarion/contracts/core';

export type SlotLimits = {
  /** Slots that may be used at a time: by the work of an environment, of its organization, and by all work. */
  share: (environmentId: EnvironmentId) => TenantShare;
  organizationOf: OrganizationOf;
  /** Pieces of work of one environment that may wait; more are refused. */
  waiting?: number;
  waitMs: number;
};

const WAITING = 500;

type Waiting = { slots: number; begin(): void; refuse(error: unknown): void };

/** Keeps one tenant from using every connection: work over its share waits in order, for a short time. */
export class EnvironmentSlots {
  private readonly used = new TenantCounts(this.limits.share, this.limits.organizationOf);
  private readonly queues = new Map<EnvironmentId, Waiting[]>();

  constructor(private readonly limits: SlotLimits) {}

  /** Resolves with a function that gives the slots back. Work that needs more than there are runs alone. */
  async take(environmentId: EnvironmentId, slots = 1): Promise<() => void> {
    const full = this.used.fullLevel(environmentId, slots);
    const giveBack =
      full || this.queues.has(environmentId)
        ? await this.wait(environmentId, slots, full ?? 'environment')
        : this.used.take(environmentId, slots);
    return () => {
      giveBack();
      this.beginWaiting();
    };
  }

  /** The level at which there is no room for so many more. */
  fullLevel(environmentId: EnvironmentId, slots: number): TenantLevel | undefined {
    return this.used.fullLevel(environmentId, slots);
  }

  /** Fails all waiting work of the environment, because it would fail in the same way later. */
  refuseWaiting(environmentId: EnvironmentId, error: unknown): void {
    const waiting = this.queues.get(environmentId) ?? [];
    this.queues.delete(environmentId);
    for (const { refuse } of waiting) refuse(error);
  }

  private wait(environmentId: EnvironmentId, slots: number, full: TenantLevel): Promise<() => void> {
    const queue = this.queues.get(environmentId) ?? [];
    if (queue.length >= (this.limits.waiting ?? WAITING)) return Promise.reject(busy(full));
    this.queues.set(environmentId, queue);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.queues.delete(environmentId);
        reject(busy(full));
        this.beginWaiting();
      }, this.limits.waitMs);
      const waiting: Waiting = {
        slots,
        // Takes the slots over at once, so that new work cannot overtake it.
        begin: () => {
          clearTimeout(timer);
          resolve(this.used.take(environmentId, slots));
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      queue.push(waiting);
    });
  }

  /** Begins what there is room for: first that of the organization, and then of the environment, that uses least. */
  private beginWaiting(): void {
    const use = (environmentId: EnvironmentId, level: TenantLevel): number => this.used.usedBy(environmentId, level);
    for (;;) {
      const next = [...this.queues]
        .filter(([environmentId, [first]]) => !this.used.fullLevel(environmentId, first!.slots))
        .sort(
          ([one], [other]) =>
            use(one, 'organization') - use(other, 'organization') ||
            use(one, 'environment') - use(other, 'environment'),
        )[0];
      if (!next) return;
      const [environmentId, queue] = next;
      queue.shift()!.begin();
      if (queue.length === 0) this.queues.delete(environmentId);
    }
  }
}

const busy = (level: TenantLevel): DomainError =>
  new DomainError(
    'unavailable',
    `The ${level} has too much work under way at once, please retry`,
    {},
    { 'Retry-After': '1' },
  );
