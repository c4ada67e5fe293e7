/** The items by key, keys and items in the order in which they first appear. */
export function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The items for which `belongs` is true, then the others, both in their given order. */
export function partition<T, Inside extends T>(
  items: Iterable<T>,
  belongs: (item: T) => item is Inside,
): [Inside[], Exclude<T, Inside>[]];
export function partition<T>(items: Iterable<T>, belongs: (item: T) => boolean): [T[], T[]];
export function partition<T>(items: Iterable<T>, belongs: (item: T) => boolean): [T[], T[]] {
  const inside: T[] = [];
  const outside: T[] = [];
  for (const item of items) (belongs(item) ? inside : outside).push(item);
  return [inside, outside];
}

export function pick<T, Name extends keyof T>(from: T, ...names: Name[]): Pick<T, Name> {
  const picked = {} as Pick<T, Name>;
  for (const name of names) picked[name] = from[name];
  return picked;
}
