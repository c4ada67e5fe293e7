type Codes<Kind extends string> = Readonly<Partial<Record<Kind, readonly (string | number)[]>>>;

/** Turns codes that are listed by what they mean into a table of codes: `{ quota: [402] }` into `{ 402: 'quota' }`. */
export const byKind = <Kind extends string>(codes: Codes<Kind>): Readonly<Record<string, Kind>> =>
  Object.fromEntries(
    (Object.entries(codes) as [Kind, (string | number)[]][]).flatMap(([kind, own]) => own.map((code) => [code, kind])),
  ) as Record<string, Kind>;
