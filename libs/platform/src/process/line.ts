import { type Lane, laneAt, sharedLane } from '@clarion/contracts/core';

/** What waits, in the order of one number, the place (`placeOf`), and of one place in the order in which it came. */
export class Line<T> {
  private readonly places: { place: number; items: T[] }[] = [];
  private taken = 0;

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

  take(): T | undefined {
    return this.takeMany(1)[0];
  }

  takeMany(count: number): T[] {
    const taken: T[] = [];
    while (taken.length < count && this.places.length > 0) {
      const isAlone = this.places.length === 1;
      const chosen = isAlone ? this.places[0]! : this.next();
      taken.push(...chosen.items.splice(0, isAlone ? count - taken.length : 1));
      if (chosen.items.length === 0) this.places.splice(this.places.indexOf(chosen), 1);
    }
    return taken;
  }

  private next(): { place: number; items: T[] } {
    this.taken += 1;
    const lane = sharedLane(this.taken);
    return this.places.findLast(({ place }) => laneAt(place) === lane) ?? this.places[0]!;
  }
}
