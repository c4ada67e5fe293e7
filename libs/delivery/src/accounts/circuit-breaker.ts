import type { IntegrationHealth } from '@clarion/contracts/core';

/** The breaker opens when this share of at least so many calls within the window failed. */
const WINDOW_SECONDS = 30;
const MIN_CALLS = 20;
const FAILED_SHARE = 0.5;
const OPEN_MS = 30_000;
/** It opens as well when the provider rejected the account so often, without a success in between. */
export const MOST_REJECTIONS = 3;
/** Longer than so many attempts of one message take. */
const ATTEMPTS_MS = 60_000;
/** The account fails when it sent none of so many messages, over so long. It is called nevertheless. */
const MOST_UNSENT = 10;
const UNSENT_MS = 60_000;
/** How long other calls wait while a probe is in flight. */
const PROBE_WAIT_MS = 1_000;

/** `refused`: the message was not sent, for a reason that does not pass. */
export type CallEnd = 'well' | 'refused' | 'failed';

/** Whether a call to the account may start now; if not, until when the account is unavailable (epoch ms) and why. */
export type BreakerAnswer = { allowed: true; isProbe: boolean } | { allowed: false; until: number; reason: string };

const ALLOWED: BreakerAnswer = { allowed: true, isProbe: false };
const PROBE: BreakerAnswer = { allowed: true, isProbe: true };

/**
 * Guards one provider account. The breaker opens when half of the recent calls failed, or the provider keeps rejecting
 * the account: no call is allowed for a while, then a single call is allowed as a probe. A pause that the provider
 * asked for ends with a probe as well: all messages that waited would otherwise be sent at once to a provider that may
 * ask for another pause. A worker also reports an account as failing that sends none of its messages, even if they are
 * few.
 */
export class CircuitBreaker {
  /** The calls of each second of the window: a worker makes thousands in one. */
  private calls: { second: number; all: number; failed: number }[] = [];
  private health: IntegrationHealth | null = null;
  private isProbing = false;
  private rejections = 0;
  /** The last call for which the provider accepted the account. */
  private acceptedAt = -Infinity;
  /** Since the last message that was sent. */
  private unsent = { count: 0, since: 0 };

  constructor(
    private readonly now: () => number,
    private readonly onChange: (health: IntegrationHealth | null, before: IntegrationHealth | null) => void,
  ) {}

  /** Takes over the stored health: another worker changed it, or an operator reset it. */
  adopt(health: IntegrationHealth | null): void {
    this.health = health;
    if (!health) this.forget();
    this.isProbing = false;
  }

  /** While it is open: when it allows the next call (epoch ms). */
  get opensUntil(): number | undefined {
    return this.health?.state === 'open' ? Date.parse(this.health.until ?? '') : undefined;
  }

  /** Asks for one call. An allowed call ends with `leave`; a probe that is not made ends with `abandon`. */
  enter(): BreakerAnswer {
    const answer = this.recheck();
    if (answer.allowed || this.isProbing || this.now() < Date.parse(this.health!.until ?? '')) return answer;
    this.isProbing = true;
    return PROBE;
  }

  /** Whether a call that was allowed before it waited for its permit may still start, if it is no probe. */
  recheck(): BreakerAnswer {
    if (!this.health || this.health.state === 'closed' || this.health.state === 'failing') return ALLOWED;
    const until = Math.max(Date.parse(this.health.until ?? ''), this.now() + PROBE_WAIT_MS);
    return { allowed: false, until, reason: this.describe() };
  }

  /** A call has ended. Only failures that may pass open the breaker. */
  leave(end: CallEnd, reason?: string): void {
    const failed = end === 'failed';
    if (!failed) {
      this.rejections = 0;
      this.acceptedAt = this.now();
    }
    if (this.health?.state === 'open') {
      // A call that began before the breaker opened does not decide whether it closes.
      if (!this.isProbing) return;
      this.isProbing = false;
      if (failed) this.open(reason);
      else this.set(null);
      this.calls = [];
      return;
    }
    if (this.health && this.isProbing) {
      this.isProbing = false;
      this.set(failed ? { ...this.health, until: this.iso(PROBE_WAIT_MS) } : null);
    }
    this.count(failed);
    if (failed && this.failsOften()) return this.open(reason);
    this.countUnsent(end, reason);
  }

  private count(failed: boolean): void {
    const second = Math.floor(this.now() / 1_000);
    let last = this.calls.at(-1);
    if (last?.second !== second) {
      last = { second, all: 0, failed: 0 };
      this.calls = [...this.calls.filter((earlier) => earlier.second > second - WINDOW_SECONDS), last];
    }
    last.all += 1;
    if (failed) last.failed += 1;
  }

  private failsOften(): boolean {
    const all = this.calls.reduce((sum, one) => sum + one.all, 0);
    const failures = this.calls.reduce((sum, { failed }) => sum + failed, 0);
    return all >= MIN_CALLS && failures >= all * FAILED_SHARE;
  }

  private countUnsent(end: CallEnd, reason: string | undefined): void {
    const now = this.now();
    if (end === 'well') {
      this.unsent.count = 0;
      if (this.health?.state === 'failing') this.set(null);
      return;
    }
    if (this.unsent.count === 0) this.unsent.since = now;
    this.unsent.count += 1;
    if (this.health || this.unsent.count < MOST_UNSENT || now - this.unsent.since < UNSENT_MS) return;
    this.set({ state: 'failing', since: this.iso(this.unsent.since - now), ...(reason && { reason }) });
  }

  /**
   * A call has ended: the provider rejects the account, so it would reject every message. Other workers may have made
   * the earlier attempts of this one; they count unless the account was accepted here meanwhile.
   */
  reject(reason: string, attempt: number): void {
    if (this.health?.state === 'open') return this.leave('failed', reason);
    const elsewhere = this.now() - this.acceptedAt > ATTEMPTS_MS ? attempt : 0;
    this.rejections = Math.max(this.rejections + 1, elsewhere);
    this.isProbing = false;
    if (this.rejections >= MOST_REJECTIONS) this.open(reason);
  }

  /** A probe was not made. */
  abandon(): void {
    this.isProbing = false;
  }

  /** The provider asked for no calls for a time. */
  pause(milliseconds: number, reason: string): void {
    if (this.health?.state === 'open') return;
    this.isProbing = false;
    this.set({ state: 'paused', since: this.iso(0), until: this.iso(milliseconds), reason });
  }

  private forget(): void {
    this.calls = [];
    this.rejections = 0;
    this.unsent.count = 0;
  }

  private open(reason: string | undefined): void {
    this.forget();
    this.set({
      state: 'open',
      since: this.health?.since ?? this.iso(0),
      until: this.iso(OPEN_MS),
      ...(reason && { reason }),
    });
  }

  private set(health: IntegrationHealth | null): void {
    const before = this.health;
    this.health = health;
    this.onChange(health, before);
  }

  private describe(): string {
    const { state, reason, until } = this.health!;
    const what = state === 'paused' ? 'paused by the provider' : 'circuit breaker open';
    return `${what} until ${until}${reason ? `: ${reason}` : ''}`;
  }

  private iso(offset: number): string {
    return new Date(this.now() + offset).toISOString();
  }
}
