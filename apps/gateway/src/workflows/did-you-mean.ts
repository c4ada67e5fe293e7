import { closestName } from '../http/closest-name';

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

/** The known name that was probably meant, as a question to end a message with; nothing when none is near. */
export function didYouMean(given: string, known: readonly string[], prefix = ''): string {
  const other = OTHER_WORDS[given]?.find((word) => known.includes(word));
  const meant = other ?? closestName(given, known);
  return meant === undefined ? '' : `; did you mean "${prefix}${meant}"?`;
}
