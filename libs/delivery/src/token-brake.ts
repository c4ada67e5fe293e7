/** Results that are looked at together, and how many it takes to say anything. */
const WINDOW_MS = 60_000;
const ENOUGH = 20;
const TOO_MANY = 0.2;

type Count = { since: number; results: number; dead: number };

/**
 * Keeps a wrong setting from wiping out everybody's devices. A key of another app or the sandbox switch makes every token
 * look dead; when that many die at once, it is rather the account that is wrong, and nothing is forgotten.
 */
export class TokenBrake {
  private readonly counts = new Map<string, Count>();

  constructor(private readonly now: () => number) {}

  /** Notes one result of an account. */
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
    return count !== undefined && count.results >= ENOUGH && count.dead / count.results > TOO_MANY;
  }
}
