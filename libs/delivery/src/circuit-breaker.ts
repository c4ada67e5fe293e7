import type { IntegrationHealth } from '@clarion/contracts/core';

const WINDOW_MS = 30_000;
const FEWEST_CALLS = 20;
const FAILED_SHARE = 0.5;
const OPEN_MS = 30_000;

export type Gate = 'open' | { closedUntil: number; reason: string };

/**
 * One provider account. When half of its calls of the last while failed, nothing is sent for a while; then a single message
 * goes first. A pause that the provider asked for works the same way, but says nothing about its health.
 */
export class CircuitBreaker {
  private calls: { at: number; failed: boolean }[] = [];
  private health: IntegrationHealth | null = null;
  private probing = false;

  constructor(
    private readonly now: () => number,
    private readonly onChange: (health: IntegrationHealth | null) => void,
  ) {}

  /** What another worker found out, or an operator reset. */
  adopt(health: IntegrationHealth | null): void {
    this.health = health;
    if (!health) this.calls = [];
    this.probing = false;
  }

  /** Whether a call may be made now. After `closedUntil` one call is let through as a probe. */
  enter(): Gate {
    if (!this.health || this.health.state === 'closed') return 'open';
    const until = Date.parse(this.health.until ?? '');
    const now = this.now();
    if (now < until) return { closedUntil: until, reason: this.describe() };
    if (this.health.state === 'paused') {
      this.set(null);
      return 'open';
    }
    if (this.probing) return { closedUntil: now + 1_000, reason: this.describe() };
    this.probing = true;
    return 'open';
  }

  /** A call that the provider answered, well or not; only passing failures count against it. */
  leave(failed: boolean, reason?: string): void {
    const now = this.now();
    if (this.health?.state === 'open') {
      // A call that began before it opened says nothing about now.
      if (!this.probing) return;
      this.probing = false;
      if (failed) this.open(reason);
      else this.set(null);
      this.calls = [];
      return;
    }
    this.calls.push({ at: now, failed });
    if (!failed) return;
    this.calls = this.calls.filter(({ at }) => at > now - WINDOW_MS);
    const failures = this.calls.filter((call) => call.failed).length;
    if (this.calls.length >= FEWEST_CALLS && failures >= this.calls.length * FAILED_SHARE) this.open(reason);
  }

  /** The call that was let through is not made after all. */
  abandon(): void {
    this.probing = false;
  }

  /** The provider asked to be left alone. */
  pause(milliseconds: number, reason: string): void {
    if (this.health?.state === 'open') return;
    this.probing = false;
    this.set({ state: 'paused', since: this.iso(0), until: this.iso(milliseconds), reason });
  }

  private open(reason: string | undefined): void {
    this.calls = [];
    this.set({
      state: 'open',
      since: this.health?.since ?? this.iso(0),
      until: this.iso(OPEN_MS),
      ...(reason && { reason }),
    });
  }

  private set(health: IntegrationHealth | null): void {
    this.health = health;
    this.onChange(health);
  }

  private describe(): string {
    const { state, reason, until } = this.health!;
    return `${state === 'paused' ? 'paused by the provider' : 'circuit breaker open'} until ${until}${reason ? `: ${reason}` : ''}`;
  }

  private iso(offset: number): string {
    return new Date(this.now() + offset).toISOString();
  }
}
