import { type Lane, laneAt, shareOf, Shares } from '@clarion/contracts/core';

/** How many are taken, or how many of those that wait. */
type Count<T> = number | ((waiting: readonly T[]) => number);

/** What waits, in the order of one number, the place (`placeOf`), and of one place in the order in which it came. */
export class WaitingLine<T> {
  private readonly places: { place: number; items: T[] }[] = [];
  private readonly shares = new Shares();

  get length(): number {
    return this.places.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** How many wait in this lane and before it. */
  lengthUpTo(lane: Lane): number {
    return this.places.reduce((sum, { place, items }) => (laneAt(place) > lane ? sum : sum + items.length), 0);
  }

  add(item: T, place: number): void {
    const index = this.places.findIndex((other) => other.place >= place);
    if (this.places[index]?.place === place) this.places[index].items.push(item);
    else this.places.splice(index === -1 ? this.places.length : index, 0, { place, items: [item] });
  }

  /** The first place; undefined when nothing waits. */
  get first(): number | undefined {
    return this.places[0]?.place;
  }

  take(): T | undefined {
    return this.takeMany(1)[0];
  }

  /** Takes from one place: a few that go first are not handled together with many that do not. */
  takeMany(count: Count<T>): T[] {
    if (this.places.length < 2) return this.takeFirst(count);
    const share = this.shares.due;
    const chosen = share && shareOf(share, this.places);
    const taken = this.takeFrom(chosen ?? this.places[0]!, count);
    if (chosen) this.shares.give(share, taken.length);
    else if (share) this.shares.skip(share, taken.length);
    this.shares.count(taken.length);
    return taken;
  }

  /** Takes from the first place, also while another lane has its share. */
  takeFirst(count: Count<T>): T[] {
    return this.places.length === 0 ? [] : this.takeFrom(this.places[0]!, count);
  }

  private takeFrom(chosen: { items: T[]; place: number }, count: Count<T>): T[] {
    const taken = chosen.items.splice(0, typeof count === 'number' ? count : count(chosen.items));
    if (chosen.items.length === 0) this.places.splice(this.places.indexOf(chosen), 1);
    return taken;
  }
}
