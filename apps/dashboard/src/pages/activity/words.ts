import { type Channel, CHANNEL_NAMES } from '../../api/channels';
import { type Outcome, outcomeWord } from '../../ui/status';
import type { ActivityFilters, Severity } from './search';

export const severityWord = (severity: Severity): string => severity.charAt(0).toUpperCase() + severity.slice(1);

export const RANGES = [
  { hours: 1, label: 'Last hour' },
  { hours: 24, label: 'Last 24 hours' },
  { hours: 24 * 7, label: 'Last 7 days' },
  { hours: 24 * 30, label: 'Last 30 days' },
] as const;

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const timeWord = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : TIME.format(new Date(text)));

const LABELS: Record<keyof ActivityFilters, string> = {
  status: 'Status',
  channel: 'Channel',
  workflowId: 'Workflow',
  providerId: 'Provider',
  reason: 'Reason',
  errorGroup: 'Error group',
  subscriber: 'Subscriber',
  topicKey: 'Topic',
  transactionId: 'Transaction id',
  severity: 'Severity',
  payload: 'Payload',
  after: 'From',
  before: 'Until',
};

const WORDS: Partial<Record<keyof ActivityFilters, (value: string) => string>> = {
  status: (value) => outcomeWord(value as Outcome),
  channel: (value) => CHANNEL_NAMES[value as Channel],
  errorGroup: () => 'only this one',
  severity: (value) => severityWord(value as Severity),
  after: timeWord,
  before: timeWord,
};

type Chip = { label: string; text: string; without: ActivityFilters; all: ActivityFilters };

/** Each value that is chosen, the change that removes it, and the change that removes its filter. */
export function chosenFilters(filters: ActivityFilters): Chip[] {
  return (Object.keys(LABELS) as (keyof ActivityFilters)[]).flatMap((name) => {
    const values = [filters[name] ?? []].flat();
    return values.map((value): Chip => {
      const others = values.filter((other) => other !== value);
      return {
        label: LABELS[name],
        text: WORDS[name]?.(value) ?? value,
        without: { [name]: others.length > 0 ? others : undefined },
        all: { [name]: undefined },
      };
    });
  });
}

/** Ids begin with their time, so only the ends of those of one minute differ. */
export const shortId = (id: string | null | undefined): string =>
  id && id.length > 20 ? `${id.startsWith('txn_') ? 'txn_' : ''}…${id.slice(-12)}` : (id ?? '');
