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

/** The kinds of a step: the words that choose one, and its sentence, in which names between braces are controls. */
const KINDS: Partial<Record<DraftStep['type'], Record<string, readonly [choice: string, sentence: string]>>> = {
  delay: {
    regular: ['for', 'Wait {type} {amount} {unit}, then go on.'],
    timed: ['until it is', 'Wait {type} {schedule}.'],
    scheduled: ['until the date in', 'Wait {type} {delayPath}.'],
    dynamic: ['as long as it says in', 'Wait {type} {dynamicKey}.'],
    until_read: ['until they read', 'Wait {type} {step}, at most {amount} {unit}.'],
  },
  digest: {
    regular: ['for', 'Wait {type} {amount} {unit}, then send one message with everything that arrived.'],
    backoff: [
      'for, unless it was quiet before,',
      'Wait {type} {amount} {unit}, then send one message with everything that arrived.',
    ],
    timed: ['until it is', 'Wait {type} {schedule}, then send one message with everything that arrived.'],
  },
  throttle: {
    fixed: ['in', 'Let {threshold} through {type} {amount} {unit}; later ones end here.'],
    dynamic: ['in the time that it says in', 'Let {threshold} through {type} {dynamicKey}; later ones end here.'],
  },
};

/** The words that choose a kind of a step. */
export const kindChoice = (type: DraftStep['type'], kind: string): string => KINDS[type]?.[kind]?.[0] ?? kind;

/** The kind that the values select. */
export const kindOf = (type: DraftStep['type'], values: Values): string =>
  String(values['type'] ?? ('cron' in values || 'timed' in values ? 'timed' : Object.keys(KINDS[type] ?? {})[0]));

/** The sentence of a step that waits, collects or limits: words at even places, names of controls at odd ones. */
export const spoken = (type: DraftStep['type'], kind: string): string[] =>
  (KINDS[type]?.[kind]?.[1] ?? '{type}').split(/\{(\w+)\}/);

/** The time of a schedule in words. */
export function scheduleWords({ cron, timed }: Values): string {
  const { atTime, weekDays } = (timed ?? {}) as { atTime?: string; weekDays?: string[] };
  const days = weekDays?.length ? ` on ${weekDays.map(capital).join(', ')}` : '';
  if (atTime) return `${atTime}${days}`;
  return cron ? `the next time of ${String(cron)}` : `the next time of the schedule${days}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What a step that waits, collects or limits does; undefined for the others. */
function timeSentence({ type, values }: DraftStep): string | undefined {
  if (!KINDS[type]) return undefined;
  const kind = kindOf(type, values);
  const unit = String(values['unit'] ?? '');
  const shown: Values = {
    threshold: 1,
    ...values,
    type: kindChoice(type, kind),
    unit: values['amount'] === 1 ? unit.replace(/s$/, '') : unit,
    schedule: scheduleWords(values),
  };
  const said = spoken(type, kind).map((part, place) => (place % 2 === 0 ? part : String(shown[part] ?? '…')));
  const each = values['digestKey'] ? ` Separately for each ${labelOf(String(values['digestKey'])).toLowerCase()}.` : '';
  return said.join('') + each;
}

const PLAIN = /<[^<>]*>/g;

export function summaryOf(step: DraftStep): string {
  const { subject, body } = step.values;
  const text = [subject, body].find((value) => typeof value === 'string' && value !== '') as string | undefined;
  if (text?.startsWith('{"type":"doc"')) return 'Blocks without a subject';
  return timeSentence(step) ?? text?.replaceAll(PLAIN, ' ').trim().slice(0, 120) ?? '';
}
