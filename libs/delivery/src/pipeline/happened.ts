/** The lines as facts of this moment, for those that are recorded after something else has happened. */
export const happened = <L extends object>(lines: L[], at = performance.now()): (L & { at: number })[] =>
  lines.map((line) => ({ at, ...line }));
