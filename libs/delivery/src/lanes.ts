type Lane = { running: number; waiting: (() => void)[] };

/**
 * How many calls one provider account gets at a time, and how many wait for it. What does not fit is to come back later,
 * so that a slow account fills its own lane and not the whole worker.
 */
export class Lanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly width: number,
    private readonly depth: number,
  ) {}

  /** Whoever finds it full should come back later. */
  isFull(name: string): boolean {
    return (this.lanes.get(name)?.waiting.length ?? 0) >= this.depth;
  }

  /** A turn, which ends when the returned function is called. */
  enter(name: string): Promise<() => void> {
    let lane = this.lanes.get(name);
    if (!lane) this.lanes.set(name, (lane = { running: 0, waiting: [] }));
    const taken = lane;
    const leave = (): void => this.leave(name, taken);
    if (lane.running < this.width) {
      lane.running += 1;
      return Promise.resolve(leave);
    }
    return new Promise((resolve) => taken.waiting.push(() => resolve(leave)));
  }

  private leave(name: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next) return next();
    lane.running -= 1;
    if (lane.running === 0) this.lanes.delete(name);
  }
}
