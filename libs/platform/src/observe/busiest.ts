/** The label of every environment that is not among the busiest. */
export const OTHERS = 'other';

/** Environments that are counted to find the busiest; those beyond are found after the next ranking. */
const MOST_COUNTED = 10_000;
const RANKED_EVERY_MS = 5 * 60_000;

/** The number of series stays the same. Half of what an environment did is forgotten at each ranking. */
export class Busiest {
  private counts = new Map<string, number>();
  private named = new Set<string>();
  private rankedAt = -Infinity;

  constructor(
    private readonly most: number,
    /** An environment is not among the busiest any more: its series end. */
    private readonly onDrop: (environmentId: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The label of something that an environment did. */
  label(environmentId: string): string {
    const known = this.counts.get(environmentId);
    if (known !== undefined || this.counts.size < MOST_COUNTED) this.counts.set(environmentId, (known ?? 0) + 1);
    // Until there are more than fit, each has its own label at once.
    if (this.named.size < this.most) this.named.add(environmentId);
    else if (this.now() - this.rankedAt >= RANKED_EVERY_MS) this.rank();
    return this.named.has(environmentId) ? environmentId : OTHERS;
  }

  private rank(): void {
    this.rankedAt = this.now();
    const ranked = [...this.counts].toSorted(([, one], [, other]) => other - one);
    const named = new Set(ranked.slice(0, this.most).map(([id]) => id));
    for (const id of this.named) if (!named.has(id)) this.onDrop(id);
    this.named = named;
    this.counts = new Map(ranked.filter(([, count]) => count > 1).map(([id, count]) => [id, count / 2]));
  }
}
