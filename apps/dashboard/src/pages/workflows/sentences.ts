import type { DraftStep, Filter, Values } from './draft';
import { labelOf } from './blocks/labels';

type Part = Filter['children'][number];

export const OPERATOR_WORDS: Record<string, string> = {
  EQUAL: 'is',
  NOT_EQUAL: 'is not',
  LARGER: 'is more than',
  SMALLER: 'is less than',
  LARGER_EQUAL: 'is at least',
  SMALLER_EQUAL: 'is at most',
  IN: 'is one of',
  ANY_IN: 'has one of',
  ALL_IN: 'is all in',
  NOT_IN: 'is none of',
  BETWEEN: 'is between',
  NOT_BETWEEN: 'is not between',
  LIKE: 'contains',
  NOT_LIKE: 'does not contain',
};

const partSentence = ({ on, field, operator, value }: Part): string =>
  `${labelOf(`${on}.${field}`).toLowerCase()} ${OPERATOR_WORDS[operator] ?? operator} ${value || '…'}`;

/** When a step runs, in a few words; undefined when it always does. */
export function conditionSentence({ filters, values }: DraftStep): string | undefined {
  const parts = filters.flatMap(({ children }) => children);
  const rules = ['runIf', 'skip'].filter((name) => values[name] !== undefined && values[name] !== null).length;
  const [first] = parts;
  const more = parts.length + rules - 1;
  if (!first) return rules > 0 ? 'If a rule is true' : undefined;
  return `If ${partSentence(first)}${more > 0 ? `, and ${more} more` : ''}`;
}

const amountOf = ({ amount, unit }: Values): string =>
  `${String(amount ?? '…')} ${amount === 1 ? String(unit ?? '').replace(/s$/, '') : String(unit ?? '')}`.trim();

const at = ({ cron, timed }: Values): string => {
  const { atTime, weekDays } = (timed ?? {}) as { atTime?: string; weekDays?: string[] };
  const days = weekDays?.length ? ` on ${weekDays.join(', ')}` : '';
  return atTime
    ? `${atTime}${days}`
    : cron
      ? `the next time of ${String(cron)}`
      : `the next time of the schedule${days}`;
};

const SENTENCES: Partial<Record<DraftStep['type'], (values: Values) => string>> = {
  delay: (values) => {
    switch (values['type']) {
      case 'timed':
        return `Wait until ${at(values)}.`;
      case 'scheduled':
        return `Wait until the date in ${String(values['delayPath'] ?? '…')}.`;
      case 'dynamic':
        return `Wait as long as ${String(values['dynamicKey'] ?? '…')} says.`;
      case 'until_read':
        return `Wait until the message of ${String(values['step'] ?? '…')} is read, at most ${amountOf(values)}.`;
      default:
        return `Wait ${amountOf(values)}, then go on.`;
    }
  },
  digest: (values) => {
    const each = values['digestKey'] ? `, for each ${labelOf(String(values['digestKey'])).toLowerCase()}` : '';
    const isTimed = values['type'] === 'timed' || 'cron' in values || 'timed' in values;
    const wait = isTimed ? `Collect until ${at(values)}` : `Wait ${amountOf(values)}`;
    return `${wait}, then send one message with everything that arrived${each}.`;
  },
  throttle: (values) =>
    values['type'] === 'dynamic'
      ? `Let ${String(values['threshold'] ?? 1)} through in the time that ${String(values['dynamicKey'] ?? '…')} says.`
      : `Let ${String(values['threshold'] ?? 1)} through in ${amountOf(values)}; later ones end here.`,
};

/** What a step that waits, collects or limits does; undefined for the others. */
export const timeSentence = ({ type, values }: DraftStep): string | undefined => SENTENCES[type]?.(values);

/** The words of a kind of waiting, where its name is not enough. */
export const KIND_WORDS: Record<string, string> = {
  regular: 'for a time',
  timed: 'until a time of the day or week',
  scheduled: 'until a date in the payload',
  dynamic: 'as a variable says',
  until_read: 'until a message is read',
  backoff: 'for a time, not after a quiet time',
  fixed: 'in a fixed time',
};

const PLAIN = /<[^<>]*>/g;

export function summaryOf(step: DraftStep): string {
  const { subject, body } = step.values;
  const text = [subject, body].find((value) => typeof value === 'string' && value !== '') as string | undefined;
  if (text?.startsWith('{"type":"doc"')) return 'Blocks without a subject';
  return timeSentence(step) ?? text?.replaceAll(PLAIN, ' ').trim().slice(0, 120) ?? '';
}
