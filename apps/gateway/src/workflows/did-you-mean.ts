/** Words that other systems have for our controls. */
const OTHER_WORDS: Record<string, string[]> = {
  limit: ['threshold'],
  max: ['threshold'],
  count: ['threshold', 'amount'],
  window: ['amount'],
  duration: ['amount'],
  period: ['unit'],
  text: ['body'],
  content: ['body'],
  message: ['body'],
  html: ['body'],
  title: ['subject'],
  layout: ['layoutId'],
  key: ['digestKey', 'throttleKey', 'dynamicKey'],
  groupBy: ['digestKey', 'throttleKey'],
  if: ['runIf'],
  when: ['runIf'],
  condition: ['runIf'],
  conditions: ['runIf'],
};

const LONGEST = 64;

/** The known name that was probably meant, as a question to end a message with; nothing when none is near. */
export function didYouMean(given: string, known: readonly string[], prefix = ''): string {
  const other = OTHER_WORDS[given]?.find((word) => known.includes(word));
  const meant = other ?? nearest(given, known);
  return meant === undefined ? '' : `; did you mean "${prefix}${meant}"?`;
}

/** Up to a third of the letters may be wrong. */
function nearest(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    if (name.length > LONGEST) continue;
    const distance = distanceOf(given.toLowerCase(), name.toLowerCase());
    if (distance <= Math.max(given.length, name.length) / 3 && distance < (best?.distance ?? Infinity)) {
      best = { name, distance };
    }
  }
  return best?.name;
}

/** How many letters have to be changed, added or left out. */
function distanceOf(some: string, others: string): number {
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...some].entries()) {
    const next = [line + 1];
    for (let at = 1; at <= others.length; at += 1) {
      const change = row[at - 1]! + (others[at - 1] === letter ? 0 : 1);
      next.push(Math.min(change, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
