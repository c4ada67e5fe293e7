/** Longer names are not compared: they are unlikely to be typing errors, and comparing them takes time. */
const LONGEST = 64;
const FARTHEST = 2;
/** Known names of about the same length that are compared. Callers choose some lists of names, such as schemas. */
const MOST_NAMES = 100;

/** Returns the known name with the fewest edits from the given one, at most two; undefined if there is none. */
export function closestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > LONGEST) return undefined;
  let best: string | undefined;
  // Short names allow fewer edits: two edits turn a name of three letters into nearly any other.
  let distance = Math.min(FARTHEST, Math.floor(given.length / 3)) + 1;
  let compared = 0;
  for (const name of known) {
    if (name.length > LONGEST || Math.abs(name.length - given.length) >= distance) continue;
    if ((compared += 1) > MOST_NAMES) break;
    const found = editDistance(given.toLowerCase(), name.toLowerCase());
    if (found < distance) [best, distance] = [name, found];
  }
  return best;
}

const WIDTH = 2 * FARTHEST + 1;

/**
 * Counts insertions, deletions and replacements of one character and swaps of two neighbours. Only counts up to
 * `FARTHEST` are exact: for those, a character has no place that is farther away. So each row has the few columns
 * around its own number, and the same column is one place later in the row before it.
 */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: WIDTH }, (_, place) => (place < FARTHEST ? Infinity : place - FARTHEST));
  for (let row = 1; row <= from.length; row += 1) {
    const current: number[] = [];
    for (let place = 0; place < WIDTH; place += 1) {
      const column = row + place - FARTHEST;
      let cost = column === 0 ? row : Infinity;
      if (column > 0 && column <= to.length) {
        const isSame = from[row - 1] === to[column - 1];
        cost = Math.min(last[place]! + (isSame ? 0 : 1), (last[place + 1] ?? Infinity) + 1);
        cost = Math.min(cost, (current[place - 1] ?? Infinity) + 1);
        const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
        if (isSwap) cost = Math.min(cost, beforeLast[place]! + 1);
      }
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length - from.length + FARTHEST] ?? Infinity;
}
