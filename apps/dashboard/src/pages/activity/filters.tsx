import { useEffect, useState } from 'react';
import { CHANNEL_NAMES, CHANNELS } from '../../api/channels';
import { providerChoices, subscriberChoices, topicChoices, workflowChoices } from '../../api/choices';
import { CheckGroup, Select, TextField } from '../../ui/field';
import { Picker, type PickerProps } from '../../ui/picker';
import { OUTCOME_NAMES, outcomeWord } from '../../ui/status';
import styles from './activity.module.css';
import { type ActivityFilters, SEVERITIES } from './search';
import { RANGES, severityWord } from './words';

type Props = { filters: ActivityFilters; onChange(change: ActivityFilters): void };

/** Every filter by its name; what is set becomes a chip at once. */
export default function Filters({ filters, onChange }: Props) {
  return (
    <div ref={focusFirst} className={styles['filterGrid']} role="group" aria-label="Filters">
      <OneOfMany label="Status" name="status" known={OUTCOME_NAMES} word={outcomeWord} {...{ filters, onChange }} />
      <OneOfMany
        label="Channel"
        name="channel"
        known={CHANNELS}
        word={(name) => CHANNEL_NAMES[name]}
        {...{ filters, onChange }}
      />
      <OneChoice label="Workflow" name="workflowId" choices={workflowChoices} {...{ filters, onChange }} />
      <OneChoice label="Subscriber" name="subscriber" choices={subscriberChoices} isFree {...{ filters, onChange }} />
      <OneText label="Transaction id" name="transactionId" {...{ filters, onChange }} />
      <OneText label="Payload" name="payload" hint="A value, or order.id=42" {...{ filters, onChange }} />
      <OneText label="Reason" name="reason" hint="Any part" {...{ filters, onChange }} />
      <OneChoice label="Provider" name="providerId" choices={providerChoices} {...{ filters, onChange }} />
      <OneChoice label="Topic" name="topicKey" choices={topicChoices} {...{ filters, onChange }} />
      <OneOfMany label="Severity" name="severity" known={SEVERITIES} word={severityWord} {...{ filters, onChange }} />
      <TimeRange filters={filters} onChange={onChange} />
    </div>
  );
}

/** Filters are opened to be used, by keyboard too. */
const focusFirst = (group: HTMLElement | null): void => group?.querySelector<HTMLElement>('select, input')?.focus();

type OneOfManyProps<Name extends 'status' | 'channel' | 'severity'> = Props & {
  label: string;
  name: Name;
  known: readonly NonNullable<ActivityFilters[Name]>[number][];
  word(value: NonNullable<ActivityFilters[Name]>[number]): string;
};

const SEVERAL = 'several';

/** Chooses one value, or several by check boxes. */
function OneOfMany<Name extends 'status' | 'channel' | 'severity'>(props: OneOfManyProps<Name>) {
  const { label, name, known, word, filters, onChange } = props;
  type Value = NonNullable<ActivityFilters[Name]>[number];
  const values = (filters[name] ?? []) as Value[];
  const [isSeveral, setSeveral] = useState(values.length > 1);
  const choices = known.map((value) => ({ value: value as Value, label: word(value) }));
  return (
    <div className="stack">
      <Select<string>
        label={label}
        value={isSeveral ? SEVERAL : (values[0] ?? '')}
        options={[{ value: '', label: 'Any' }, ...choices, { value: SEVERAL, label: 'Several …' }]}
        onChange={(value) => {
          setSeveral(value === SEVERAL);
          if (value !== SEVERAL) onChange({ [name]: value === '' ? undefined : [value] });
        }}
      />
      {isSeveral && (
        <CheckGroup<Value>
          legend={`Any ${label.toLowerCase()} of`}
          options={choices}
          chosen={values}
          onChange={(chosen) => onChange({ [name]: chosen.length > 0 ? chosen : undefined })}
        />
      )}
    </div>
  );
}

type TextName = 'subscriber' | 'transactionId' | 'payload' | 'reason' | 'providerId' | 'topicKey' | 'workflowId';
const LISTS: readonly string[] = ['transactionId', 'providerId', 'workflowId'];

const SETTLE_MS = 400;

/** The text that is typed; it becomes a filter after a short pause, or with Enter. */
function useDraft(value: string, onSettled: (text: string) => void) {
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  if (value !== shown) {
    setShown(value);
    setDraft(value);
  }
  useEffect(() => {
    if (draft.trim() === value) return undefined;
    const timer = setTimeout(() => onSettled(draft.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  });
  return { draft, setDraft, settle: () => draft.trim() !== value && onSettled(draft.trim()) };
}

const changeOf = (name: TextName, text: string): ActivityFilters => ({
  [name]: text === '' ? undefined : LISTS.includes(name) ? [text] : text,
});

type Named = { label: string; name: TextName };

function OneText({ label, name, hint, filters, onChange }: Props & Named & { hint?: string }) {
  const value = [filters[name] ?? []].flat()[0] ?? '';
  const { draft, setDraft, settle } = useDraft(value, (text) => onChange(changeOf(name, text)));
  return (
    <TextField
      label={label}
      value={draft}
      placeholder={hint}
      onChange={setDraft}
      onKeyDown={(event) => void (event.key === 'Enter' && settle())}
    />
  );
}

/** Something that exists; the subscriber may also be searched by a part of an address. */
function OneChoice(props: Props & Named & Pick<PickerProps, 'choices' | 'isFree'>) {
  const { label, name, filters, onChange, ...rest } = props;
  const value = [filters[name] ?? []].flat()[0] ?? '';
  return <Picker {...rest} label={label} value={value} onChange={(text) => onChange(changeOf(name, text))} />;
}

/** A range is stored as fixed times, so that a colleague who gets the address sees the same rows. */
function TimeRange({ filters: { after, before }, onChange }: Props) {
  const isSet = after !== undefined || before !== undefined;
  return (
    <Select
      label="Time range"
      value={isSet ? 'chosen' : ''}
      options={[
        { value: '', label: 'Any time' },
        ...(isSet ? [{ value: 'chosen', label: 'As below' }] : []),
        ...RANGES.map(({ hours, label }) => ({ value: String(hours), label })),
      ]}
      onChange={(value) => {
        if (value === 'chosen') return;
        const since = value === '' ? undefined : new Date(Date.now() - Number(value) * 3_600_000).toISOString();
        onChange({ after: since, before: undefined });
      }}
    />
  );
}
