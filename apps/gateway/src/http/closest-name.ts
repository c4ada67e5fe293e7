/** Longer names are not compared: they are unlikely to be typing errors, and comparing them takes time. */
const LONGEST = 64;
const FARTHEST = 2;

/** Returns the known name with the fewest edits from the given one, at most two; undefined if there is none. */
export function closestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > LONGEST) return undefined;
  let best: string | undefined;
  // Short names allow fewer edits: two edits turn a name of three letters into nearly any other.
  let distance = Math.min(FARTHEST, Math.floor(given.length / 3)) + 1;
  for (const name of known) {
    if (name.length > LONGEST || Math.abs(name.length - given.length) >= distance) continue;
    const found = editDistance(given.toLowerCase(), name.toLowerCase());
    if (found < distance) [best, distance] = [name, found];
  }
  return best;
}

/** Counts insertions, deletions and replacements of one character and swaps of two neighbours. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1));
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      }
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
