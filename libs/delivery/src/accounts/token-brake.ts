/** The brake is on when more than this share of at least so many results within the window were dead tokens. */
const WINDOW_MS = 60_000;
const MIN_RESULTS = 20;
const DEAD_SHARE = 0.2;

type Count = { since: number; results: number; dead: number };

/**
 * Prevents a wrong setting from removing the device tokens of all subscribers. With the key of another app, or with the
 * sandbox switch, every token looks dead. When that many are reported at once, the account is probably wrong.
 */
export class TokenBrake {
  private readonly counts = new Map<string, Count>();

  constructor(private readonly now: () => number) {}

  /** Counts one result of an account. */
  note(accountId: string, isDead: boolean): void {
    const now = this.now();
    let count = this.counts.get(accountId);
    if (!count || now - count.since > WINDOW_MS) {
      count = { since: now, results: 0, dead: 0 };
      this.counts.set(accountId, count);
    }
    count.results += 1;
    if (isDead) count.dead += 1;
  }

  isOn(accountId: string): boolean {
    const count = this.counts.get(accountId);
    return count !== undefined && count.results >= MIN_RESULTS && count.dead / count.results > DEAD_SHARE;
  }
}
