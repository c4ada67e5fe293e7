type Lane = { running: number; waiting: (() => void)[] };

/** So many times the width stand before the door, ready to go in. */
const APPROACHING = 8;

/**
 * How many calls one provider account gets at a time, and how many wait for it. What does not fit is to come back later,
 * so that a slow account fills its own lane and not the whole worker. Before the door there is room for some more: what has
 * to be written before a call is written there, for many at a time.
 */
export class Lanes {
  private readonly inside: Turns;
  private readonly atTheDoor: Turns;

  constructor(
    width: number,
    private readonly depth: number,
  ) {
    this.inside = new Turns(width);
    this.atTheDoor = new Turns(width * APPROACHING);
  }

  /** Whoever finds it full should come back later. */
  isFull(name: string): boolean {
    return this.atTheDoor.waiting(name) >= this.depth;
  }

  /** A place before the door, until the returned function is called. */
  approach(name: string, perCall = 1): Promise<() => void> {
    return this.atTheDoor.take(name, perCall);
  }

  /** A turn, which ends when the returned function is called. So many share a call of this account. */
  enter(name: string, perCall = 1): Promise<() => void> {
    return this.inside.take(name, perCall);
  }
}

/** So many at a time for each name, in the order in which they came. */
class Turns {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly width: number) {}

  waiting(name: string): number {
    return this.lanes.get(name)?.waiting.length ?? 0;
  }

  take(name: string, perCall: number): Promise<() => void> {
    let lane = this.lanes.get(name);
    if (!lane) this.lanes.set(name, (lane = { running: 0, waiting: [] }));
    const taken = lane;
    const leave = (): void => this.leave(name, taken);
    if (lane.running < this.width * perCall) {
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
