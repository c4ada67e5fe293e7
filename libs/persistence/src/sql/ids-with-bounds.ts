/** The ids with their bounds: a plan for any list of ids can then skip the partitions that hold none of them. */
export const byId = (ids: string[]): [string[], string, string] => {
  const sorted = ids.toSorted();
  return [sorted, sorted[0]!, sorted.at(-1)!];
};
