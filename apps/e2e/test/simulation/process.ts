import type { World } from './world';

/** What goes wrong, and how often: the chance for each call that leaves a process. */
export type Faults = { crash: number; error: number; freeze: number; slow: number };

export const NO_FAULTS: Faults = { crash: 0, error: 0, freeze: 0, slow: 0 };

/** Longer than any lease. */
const FROZEN_MS = [35_000, 90_000] as const;

/**
 * A process of Clarion as far as the world can see it: calls that leave it and answers that come back. It ends at any
 * of them, before or after the other side did its part, and then nothing in it ever goes on. A frozen one goes on much
 * later and does not know.
 */
export class Process {
  alive = true;
  private frozenUntil = 0;

  constructor(
    readonly name: string,
    private readonly world: World,
    /** How far its clock is off. */
    private readonly skewMs: number,
    private readonly faults: () => Faults,
    private readonly onEnd: (process: Process) => void,
  ) {}

  readonly clock = (): number => this.world.now + this.skewMs;

  private ids = 0;

  /** Ordered by time, as this process sees it. */
  readonly newId = <T extends string>(): T => idOf(this.clock(), this.name, (this.ids += 1)) as T;

  get isAwake(): boolean {
    return this.alive && this.world.now >= this.frozenUntil;
  }

  crash(why: string): void {
    this.end('crashes', why);
  }

  /** As it was asked to. */
  leave(): void {
    this.end('leaves', 'it was asked to');
  }

  private end(how: 'crashes' | 'leaves', why: string): void {
    if (!this.alive) return;
    this.world.tell(() => `${this.name} ${how} (${why})`);
    this.world.count(how);
    this.alive = false;
    this.onEnd(this);
  }

  /** `act` is the other side: it happens in one instant. */
  call<T>(what: string, act: () => T, tookMs?: number): Promise<T> {
    const { world } = this;
    const { random } = world;
    return new Promise<T>((resolve, reject) => {
      if (!this.alive) return;
      const fault = this.nextFault();
      if (fault === 'freeze') this.freeze(what);
      this.travel(fault, tookMs, () => {
        // What is on its way when its process dies arrives, or does not.
        if (!this.alive && random.chance(0.5)) return;
        if (fault === 'crash before') return this.crash(`before ${what}`);
        if (fault === 'error before')
          return this.travel(fault, 0, () => reject(new Error(`no connection for ${what}`)));
        let answer: () => void;
        try {
          const result = act();
          answer = () => resolve(result);
        } catch (error) {
          answer = () => reject(error as Error);
        }
        if (fault === 'crash after') return this.crash(`after ${what}`);
        if (fault === 'error after') answer = () => reject(new Error(`connection lost after ${what}`));
        if (fault !== undefined) world.tell(() => `${this.name}: ${fault} ${what}`);
        this.travel(fault, tookMs, () => this.alive && answer());
      });
    });
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.travel(undefined, 2 * milliseconds, () => this.alive && resolve()));
  }

  private nextFault() {
    const { crash, error, freeze, slow } = this.faults();
    let dice = this.world.random.next();
    if ((dice -= crash) < 0) return this.world.random.pick(['crash before', 'crash after'] as const);
    if ((dice -= error) < 0) return this.world.random.pick(['error before', 'error after'] as const);
    if ((dice -= freeze) < 0) return 'freeze';
    if ((dice -= slow) < 0) return 'slow';
    return undefined;
  }

  private freeze(what: string): void {
    const milliseconds = this.world.random.between(...FROZEN_MS);
    this.frozenUntil = this.world.now + milliseconds;
    this.world.count('freezes');
    this.world.tell(() => `${this.name} freezes for ${milliseconds} ms at ${what}`);
  }

  /** A way there or back. A frozen process neither sends nor hears. */
  private travel(fault: string | undefined, tookMs: number | undefined, arrive: () => void): void {
    const { world } = this;
    const way = tookMs !== undefined ? tookMs / 2 : world.random.between(1, fault === 'slow' ? 5_000 : 15);
    world.calls += 1;
    const arriveAwake = (): void => {
      if (this.alive && world.now < this.frozenUntil) return world.after(this.frozenUntil - world.now, arriveAwake);
      world.calls -= 1;
      arrive();
    };
    world.after(way, arriveAwake);
  }
}

function idOf(time: number, name: string, count: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${count.toString(16).padStart(6, '0')}${name.padStart(6, '0').slice(-6)}`;
}
