import type { World } from '@clarion/testing/memory-store';

/** The probability of each fault, for every call that leaves a process. */
export type Faults = { crash: number; error: number; freeze: number; slow: number };

export const NO_FAULTS: Faults = { crash: 0, error: 0, freeze: 0, slow: 0 };

/** The name of a call to a provider; all others go to the database. */
export const PROVIDER = 'provider';

/** Longer than a lease. */
const FROZEN_MS = [35_000, 90_000] as const;

/**
 * An engine or a worker, seen through the calls that leave it and the answers that return. It can crash at any call,
 * before or after the effect of the call; then no code in it continues. A frozen process continues much later and
 * cannot detect that time has passed.
 */
export class Process {
  alive = true;
  private frozenUntil = 0;

  constructor(
    readonly name: string,
    private readonly world: World,
    /** The error of its clock. */
    private readonly skewMs: number,
    private readonly faults: () => Faults,
    private readonly onEnd: (process: Process) => void,
  ) {}

  readonly clock = (): number => this.world.now + this.skewMs;

  private ids = 0;
  private errors = 0;

  /** Ids are ordered by the clock of this process. */
  readonly newId = <T extends string>(): T => idOf(this.clock(), this.name, (this.ids += 1)) as T;

  get isAwake(): boolean {
    return this.alive && this.world.now >= this.frozenUntil;
  }

  crash(why: string): void {
    this.end('crashes', why);
  }

  /** Ends the process after a graceful stop. */
  stop(): void {
    this.end('stops', 'graceful stop');
  }

  private end(how: 'crashes' | 'stops', why: string): void {
    if (!this.alive) return;
    this.world.log(() => `${this.name} ${how} (${why})`);
    this.world.count(how);
    this.alive = false;
    this.onEnd(this);
  }

  /** Calls the store or a provider. `effect` runs there, in one instant. */
  call<T>(what: string, effect: () => T, tookMs?: number): Promise<T> {
    const { world } = this;
    const { random } = world;
    return new Promise<T>((resolve, reject) => {
      if (!this.alive) return;
      const fault = this.nextFault();
      if (fault === 'freeze') this.freeze(what);
      this.travel(fault, tookMs, () => {
        // A request that is on the network when its process crashes may or may not arrive.
        if (!this.alive && random.chance(0.5)) return;
        if (fault === 'crash before') return this.crash(`before ${what}`);
        if (what !== PROVIDER && world.isDatabaseAway)
          return this.travel(fault, 0, () => this.alive && reject(unavailable(`no database for ${what}`)));
        if (fault === 'error before')
          return this.travel(fault, 0, () => reject(this.error(`no connection for ${what}`)));
        let answer: () => void;
        try {
          const result = effect();
          answer = () => resolve(result);
        } catch (error) {
          answer = () => reject(error as Error);
        }
        if (fault === 'crash after') return this.crash(`after ${what}`);
        if (fault === 'error after') answer = () => reject(this.error(`connection lost after ${what}`));
        if (fault !== undefined) world.log(() => `${this.name}: ${fault} ${what}`);
        this.travel(fault, tookMs, () => this.alive && answer());
      });
    });
  }

  /** Some errors of the database are not known as such that pass. */
  private error(message: string): Error {
    this.errors += 1;
    return this.errors % 3 === 0 ? new Error(message) : unavailable(message);
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.travel(undefined, 2 * milliseconds, () => this.alive && resolve()));
  }

  private nextFault() {
    const { crash, error, freeze, slow } = this.faults();
    let draw = this.world.random.next();
    if ((draw -= crash) < 0) return this.world.random.pick(['crash before', 'crash after'] as const);
    if ((draw -= error) < 0) return this.world.random.pick(['error before', 'error after'] as const);
    if ((draw -= freeze) < 0) return 'freeze';
    if ((draw -= slow) < 0) return 'slow';
    return undefined;
  }

  private freeze(what: string): void {
    const milliseconds = this.world.random.between(...FROZEN_MS);
    this.frozenUntil = this.world.now + milliseconds;
    this.world.count('freezes');
    this.world.log(() => `${this.name} freezes for ${milliseconds} ms at ${what}`);
  }

  /** Carries a request or an answer. A frozen process neither sends nor receives. */
  private travel(fault: string | undefined, tookMs: number | undefined, arrive: () => void): void {
    const { world } = this;
    const travelMs = tookMs !== undefined ? tookMs / 2 : world.random.between(1, fault === 'slow' ? 5_000 : 15);
    world.calls += 1;
    const arriveAwake = (): void => {
      if (this.alive && world.now < this.frozenUntil) return world.after(this.frozenUntil - world.now, arriveAwake);
      world.calls -= 1;
      arrive();
    };
    world.after(travelMs, arriveAwake);
  }
}

const unavailable = (message: string): Error => Object.assign(new Error(message), { code: 'ECONNRESET' });

function idOf(time: number, name: string, count: number): string {
  const hex = time.toString(16).padStart(12, '0');
  // The last byte of a notification and its steps is a position.
  const node = `${name.padStart(5, '0').slice(-5)}${count.toString(16).padStart(5, '0')}00`;
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${node}`;
}
