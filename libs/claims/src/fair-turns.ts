type Waiting = { owner: string; lane: number; start: () => void };

/** Lets few pieces of work run at a time: next comes the owner with the fewest, and of its work the lowest lane. */
export class FairTurns {
  private readonly running = new Map<string, number>();
  private readonly waiting: Waiting[] = [];
  private free: number;

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  async run<T>(owner: string, lane: number, work: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((start) => this.waiting.push({ owner, lane, start }));
    else this.begin(owner);
    try {
      return await work();
    } finally {
      this.end(owner);
    }
  }

  private begin(owner: string): void {
    this.free -= 1;
    this.running.set(owner, this.runningOf(owner) + 1);
  }

  private end(owner: string): void {
    this.free += 1;
    const left = this.runningOf(owner) - 1;
    if (left === 0) this.running.delete(owner);
    else this.running.set(owner, left);
    const [first, ...others] = this.waiting;
    if (!first) return;
    const next = others.reduce((best, other) => (this.isBefore(other, best) ? other : best), first);
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.begin(next.owner);
    next.start();
  }

  private isBefore(one: Waiting, other: Waiting): boolean {
    const fewer = this.runningOf(one.owner) - this.runningOf(other.owner);
    return fewer < 0 || (fewer === 0 && one.lane < other.lane);
  }

  private runningOf(owner: string): number {
    return this.running.get(owner) ?? 0;
  }
}
