/** The word that the caller probably meant, or undefined when none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((name) => ({ name, distance: editDistance(word, name) }));
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (found, next) => (found && found.distance <= next.distance ? found : next),
    undefined,
  );
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
}

/** How many letters have to be inserted, removed or replaced to make one word from the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
