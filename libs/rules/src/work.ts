import { setImmediate } from 'node:timers/promises';
import type { Json } from '@clarion/contracts/core';

/** Looking through this many characters costs as much as one step of a rule. */
const CHARACTERS_PER_STEP = 64;

/** Measured: a step takes at most a microsecond, so all conditions of one step of a workflow take a tenth of a second at most. */
const MOST_WORK = 100_000;

export class TooMuchWork extends Error {
  constructor() {
    super('the rule takes too much work on this data');
    this.name = 'TooMuchWork';
  }
}

/**
 * What rules and conditions may cost. They come from tenants and are evaluated on the event loop, so everything that grows with
 * the rule or with the data is paid for before it is done. Work is counted and not timed: the same rule on the same data has the
 * same outcome on a busy machine.
 */
export class Work {
  /** By all of them in this process. */
  static total = 0;
  private spent = 0;

  /** `within` is what several have together. */
  constructor(
    private readonly within?: Work,
    private readonly most = MOST_WORK,
  ) {}

  get done(): number {
    return this.spent;
  }

  /** Throws when there is not that much left. */
  spend(steps: number): void {
    this.spent += steps;
    if (!this.within) Work.total += steps;
    if (this.spent > this.most) throw new TooMuchWork();
    this.within?.spend(steps);
  }

  /** For a value that is going to be compared or searched. */
  spendOn(value: Json | undefined): void {
    if (typeof value === 'string') this.spend(value.length / CHARACTERS_PER_STEP);
    else if (typeof value === 'object' && value !== null) this.spendOnAll(Object.values(value));
  }

  /** For a part that is looked for in a text. */
  spendOnSearch(text: string, part: string): void {
    this.spend((text.length * part.length) / CHARACTERS_PER_STEP ** 2);
  }

  private spendOnAll(values: Json[]): void {
    this.spend(values.length / 2);
    for (const value of values) this.spendOn(value);
  }
}

/** Work that is done at a stretch before everything else on the event loop has its turn. */
const SLICE_WORK = 10_000;
const STEPS_PER_MS = 2_000;

/**
 * Conditions of many steps, in slices: a loop over them asks before each whether its slice is over, and rests. Slices are
 * measured by work, too, so that nothing depends on how busy the machine is.
 */
export class Slices {
  private readonly first = Work.total;
  private begin = Work.total;

  get isOver(): boolean {
    return Work.total - this.begin > SLICE_WORK;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.begin = Work.total;
  }

  /** About what the work of all slices took, that of others meanwhile included. */
  get ms(): number {
    return (Work.total - this.first) / STEPS_PER_MS;
  }
}
