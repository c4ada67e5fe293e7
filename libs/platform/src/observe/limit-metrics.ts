import type { StepType, WaitedLimit } from '@clarion/contracts/core';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LimitName, LimitUse } from './measurements';

/** The metrics of limits: of environments, and of integrations on messages a second. */
export class LimitMetrics {
  private readonly refusals = new Counter({
    name: 'clarion_limit_refused_events_total',
    help: 'Events that this gateway refused because of a limit of their environment.',
    labelNames: ['limit'],
    registers: [this.registry],
  });
  private readonly waits = new Counter({
    name: 'clarion_limit_waits_total',
    help:
      'Steps that began to wait for a limit: of their integration on messages a second, or of their environment on ' +
      'render time.',
    labelNames: ['limit', 'channel'],
    registers: [this.registry],
  });
  private readonly used = new Gauge({
    name: 'clarion_limit_use_ratio',
    help: 'How much of a limit is used, from 0 to 1 and above: of the environment that uses most of it.',
    labelNames: ['limit'],
    registers: [this.registry],
  });

  constructor(private readonly registry: Registry) {}

  refuse(limit: LimitName, events: number): void {
    this.refusals.inc({ limit }, events);
  }

  /** A step that did not wait for the limit before. */
  wait(limit: WaitedLimit, channel: StepType): void {
    this.waits.inc({ limit, channel });
  }

  /** The limits of all environments, as this gateway read them last. */
  use(limits: LimitUse[]): void {
    const highest = (ratios: number[]): number => Math.max(0, ...ratios);
    const events = limits.map(({ eventsPerSecond, askedPerSecond, otherEventsPerSecond }) =>
      eventsPerSecond === null ? 0 : (askedPerSecond + otherEventsPerSecond) / eventsPerSecond,
    );
    const messages = limits.map(({ messagesPerDay, messagesToday }) =>
      messagesPerDay === null ? 0 : messagesToday / messagesPerDay,
    );
    this.used.set({ limit: 'events_per_second' }, highest(events));
    this.used.set({ limit: 'messages_per_day' }, highest(messages));
  }
}
