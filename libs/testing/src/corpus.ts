/** Whether `npm test` runs without arguments: the first tier of the suite. */
const isFirstTier = process.env['CLARION_TEST_PART'] === 'first';

/** How often something is tried with random input: few times in the first tier. */
export const runs = (all: number, few: number): number => (isFirstTier ? few : all);

/** Of many values that are tried alike: few of them, evenly spread, in the first tier, and all of them otherwise. */
export function corpus<T>(all: readonly T[], few: number): T[] {
  if (!isFirstTier || all.length <= few) return [...all];
  return Array.from({ length: few }, (_, at) => all[Math.floor((at * all.length) / few)]!);
}
