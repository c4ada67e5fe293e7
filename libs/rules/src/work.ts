import { type Json, nextTurn } from '@clarion/contracts/core';

/** Characters whose search costs as much as one step of a rule. */
const CHARACTERS_PER_STEP = 64;

/** Measured: a step takes at most a microsecond, so all conditions of one workflow step take at most 0.1 s. */
const MOST_WORK = 100_000;

export class TooMuchWork extends Error {
  constructor() {
    super('the rule takes too much work on this data');
    this.name = 'TooMuchWork';
  }
}

/**
 * A budget for rules and conditions. Tenants write them and they are evaluated on the event loop, so all work that
 * grows with the rule or the data is counted before it is done. Work is counted and not timed: the same rule on the
 * same data has the same result on a busy machine.
 */
export class Work {
  /** The work of all budgets in this process. */
  static total = 0;
  private spent = 0;

  /** `within` is a larger budget that several budgets share. */
  constructor(
    private readonly within?: Work,
    private readonly most = MOST_WORK,
  ) {}

  get done(): number {
    return this.spent;
  }

  /** Throws when the budget is exceeded. */
  spend(steps: number): void {
    this.spent += steps;
    if (!this.within) Work.total += steps;
    if (this.spent > this.most) throw new TooMuchWork();
    this.within?.spend(steps);
  }

  /** Counts a value before it is compared or searched. */
  spendOn(value: Json | undefined): void {
    if (typeof value === 'string') this.spend(value.length / CHARACTERS_PER_STEP);
    else if (typeof value === 'object' && value !== null) this.spendOnAll(Object.values(value));
  }

  spendOnSearch(text: string, part: string): void {
    this.spend((text.length * part.length) / CHARACTERS_PER_STEP ** 2);
  }

  private spendOnAll(values: Json[]): void {
    this.spend(values.length / 2);
    for (const value of values) this.spendOn(value);
  }
}

/** Work in one slice, before the event loop handles other events. */
const SLICE_WORK = 10_000;
const STEPS_PER_MS = 2_000;

/** Measured by work, so that nothing depends on the load of the machine. */
export class Slices {
  private readonly first = Work.total;
  private begin = Work.total;

  get isOver(): boolean {
    return Work.total - this.begin > SLICE_WORK;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.begin = Work.total;
  }

  /** About the time of all slices in milliseconds, including other work in the meantime. */
  get ms(): number {
    return (Work.total - this.first) / STEPS_PER_MS;
  }
}
