import { DomainError, type EnvironmentId } from '@clarion/contracts/core';

export type SlotLimits = {
  /** Transactions of one environment at a time. */
  open: number;
  /** Transactions of one environment that may wait; more are refused. */
  waiting: number;
  waitMs: number;
};

type Queue = { open: number; waiting: (() => void)[] };

/** Keeps one environment from holding every connection: transactions over its share wait in order, for a short time. */
export class TransactionSlots {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly limits: SlotLimits) {}

  /** Resolves with a function that gives the slot back. */
  async take(environmentId: EnvironmentId): Promise<() => void> {
    const queue = this.queues.get(environmentId) ?? { open: 0, waiting: [] };
    this.queues.set(environmentId, queue);
    if (queue.open < this.limits.open) queue.open += 1;
    else await this.wait(queue);
    return () => this.giveBack(environmentId, queue);
  }

  private wait(queue: Queue): Promise<void> {
    if (queue.waiting.length >= this.limits.waiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1);
        reject(busy());
      }, this.limits.waitMs);
      queue.waiting.push(begin);
    });
  }

  /** The next waiting transaction takes the slot over, so that a new one cannot overtake it. */
  private giveBack(environmentId: EnvironmentId, queue: Queue): void {
    const next = queue.waiting.shift();
    if (next) return next();
    queue.open -= 1;
    if (queue.open === 0) this.queues.delete(environmentId);
  }
}

const busy = (): DomainError =>
  new DomainError(
    'unavailable',
    'The environment has too many changes under way at once, please retry',
    {},
    { 'Retry-After': '1' },
  );
