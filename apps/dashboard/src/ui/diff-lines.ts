export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** Longer texts are compared as a whole: the table of the comparison grows with the product of the lengths. */
const COMPARED_LINES = 1_500;

/** The longest common subsequence of the lines. An absent text has no lines; an empty one has one. */
export function diffLines(before: string | undefined, after: string | undefined): DiffLine[] {
  const old = before?.split('\n') ?? [];
  const now = after?.split('\n') ?? [];
  if (old.length > COMPARED_LINES || now.length > COMPARED_LINES) {
    if (before === after) return old.map((text) => ({ kind: 'same', text }));
    return [...old.map((text) => removed(text)), ...now.map((text) => added(text))];
  }
  const lengths = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i]! });
      i += 1;
      j += 1;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push(removed(old[i++]!));
    else lines.push(added(now[j++]!));
  }
  return [...lines, ...old.slice(i).map(removed), ...now.slice(j).map(added)];
}

const added = (text: string): DiffLine => ({ kind: 'added', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });

/** For each pair of places, the number of lines that the rests have in common. */
function commonLengths(old: string[], now: string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i]![j] =
        old[i] === now[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}
