import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { Filters } from '../../ui/page';
import styles from './overview.module.css';
import { type OverviewSearch, type RangeName, RANGES, timesOf } from './search';

const WORDS: Record<RangeName, string> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
  custom: 'Custom',
};

/** The range is a part of the address, so that it can be sent to a colleague. */
export function TimeRange({ search }: { search: OverviewSearch }) {
  const navigate = useNavigate({ from: '/overview' });
  const choose = (next: OverviewSearch): void => void navigate({ search: (before) => ({ ...before, ...next }) });
  const range = search.range ?? 'day';
  return (
    <div className={styles['range']}>
      <Filters>
        <Select
          label="Time range"
          value={range}
          options={RANGES.map((value) => ({ value, label: WORDS[value] }))}
          onChange={(value) =>
            choose(
              value === 'custom'
                ? { range: value, ...timesOf(search), before: new Date().toISOString() }
                : { range: value === 'day' ? undefined : value, after: undefined, before: undefined },
            )
          }
        />
      </Filters>
      {range === 'custom' && <CustomRange key={`${search.after} ${search.before}`} search={search} onChoose={choose} />}
    </div>
  );
}

function CustomRange({ search, onChoose }: { search: OverviewSearch; onChoose(search: OverviewSearch): void }) {
  const [after, setAfter] = useState(toLocal(search.after));
  const [before, setBefore] = useState(toLocal(search.before));
  const isReversed = after !== '' && before !== '' && after > before;
  return (
    <form
      className={styles['custom']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReversed) onChoose({ range: 'custom', after: fromLocal(after), before: fromLocal(before) });
      }}
    >
      <TextField
        label="From"
        type="datetime-local"
        value={after}
        onChange={setAfter}
        error={isReversed ? 'From is later than To.' : undefined}
      />
      <TextField label="To" type="datetime-local" value={before} onChange={setBefore} />
      <Button type="submit">Apply</Button>
    </form>
  );
}

function toLocal(time: string | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const fromLocal = (text: string): string | undefined => (text === '' ? undefined : new Date(text).toISOString());
