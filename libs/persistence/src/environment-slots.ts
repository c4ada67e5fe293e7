import { DomainError, type EnvironmentId } from '@clarion/contracts/core';

export type SlotLimits = {
  /** Slots that the work of an environment may use at a time. */
  open: (environmentId: EnvironmentId) => number;
  /** Pieces of work of one environment that may wait; more are refused. */
  waiting?: number;
  waitMs?: number;
};

const WAITING = 500;
const WAIT_MS = 5_000;

type Waiting = { slots: number; begin(): void; refuse(error: unknown): void };
type Queue = { environmentId: EnvironmentId; open: number; waiting: Waiting[] };

/** Keeps one environment from using every connection: work over its share waits in order, for a short time. */
export class EnvironmentSlots {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly limits: SlotLimits) {}

  /** Resolves with a function that gives the slots back. Work that needs more than there are runs alone. */
  async take(environmentId: EnvironmentId, slots = 1): Promise<() => void> {
    const queue = this.queues.get(environmentId) ?? { environmentId, open: 0, waiting: [] };
    this.queues.set(environmentId, queue);
    if (queue.waiting.length === 0 && this.hasRoom(queue, slots)) queue.open += slots;
    else await this.wait(queue, slots);
    return () => this.giveBack(queue, slots);
  }

  /** Fails all waiting work of the environment, because it would fail in the same way later. */
  refuseWaiting(environmentId: EnvironmentId, error: unknown): void {
    const waiting = this.queues.get(environmentId)?.waiting.splice(0) ?? [];
    for (const { refuse } of waiting) refuse(error);
  }

  private hasRoom({ environmentId, open }: Queue, slots: number): boolean {
    return open === 0 || open + slots <= this.limits.open(environmentId);
  }

  private wait(queue: Queue, slots: number): Promise<void> {
    if (queue.waiting.length >= (this.limits.waiting ?? WAITING)) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        reject(busy());
        this.beginWaiting(queue);
      }, this.limits.waitMs ?? WAIT_MS);
      const waiting: Waiting = {
        slots,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      queue.waiting.push(waiting);
    });
  }

  /** Waiting work takes the slots over at once, so that new work cannot overtake it. */
  private giveBack(queue: Queue, slots: number): void {
    queue.open -= slots;
    this.beginWaiting(queue);
    if (queue.open === 0) this.queues.delete(queue.environmentId);
  }

  /** Begins what there is room for, in the order of arrival. */
  private beginWaiting(queue: Queue): void {
    for (let next = queue.waiting[0]; next && this.hasRoom(queue, next.slots); next = queue.waiting[0]) {
      queue.waiting.shift();
      queue.open += next.slots;
      next.begin();
    }
  }
}

const busy = (): DomainError =>
  new DomainError(
    'unavailable',
    'The environment has too many changes under way at once, please retry',
    {},
    { 'Retry-After': '1' },
  );
