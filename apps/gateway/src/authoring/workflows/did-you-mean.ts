import { closestName } from '@clarion/contracts';

/** Names that other systems use for the controls. */
const OTHER_NAMES = new Map<string, string[]>(
  Object.entries({
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
  }),
);

/** The end of an error message that suggests the known name; empty when no name is similar. */
export function didYouMean(given: string, known: readonly string[], prefix = ''): string {
  const other = OTHER_NAMES.get(given)?.find((name) => known.includes(name));
  const meant = other ?? closestName(given, known);
  return meant === undefined ? '' : `; did you mean "${prefix}${meant}"?`;
}
