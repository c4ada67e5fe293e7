import type { StepType, WaitedLimit } from '@clarion/contracts/core';
import type { LimitName, LimitUse } from './measurements';
import type { MetricSet } from './metric-set';

/** The metrics of limits: of environments, and of integrations on messages a second. */
export class LimitMetrics {
  private readonly refusals = this.own.counter(
    'clarion_limit_refused_events_total',
    'Events that this gateway refused because of a limit of their environment.',
    ['limit'],
  );
  private readonly waits = this.own.counter(
    'clarion_limit_waits_total',
    'Steps that began to wait for a limit: of their integration on messages a second, or of their environment on ' +
      'render time.',
    ['limit', 'channel'],
  );
  private readonly used = this.own.gauge(
    'clarion_limit_use_ratio',
    'How much of a limit is used, from 0 to 1 and above: of the environment that uses most of it.',
    ['limit'],
  );

  constructor(private readonly own: MetricSet) {}

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
