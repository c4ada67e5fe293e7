import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { type Channel, CHANNEL_NAMES } from '../../api/channels';
import { holdsQuery } from '../../api/holds';
import { useProviderName } from '../../api/providers';
import { Select } from '../../ui/field';
import { Filters, Section } from '../../ui/page';
import { Mark, type Tone } from '../../ui/status';
import { Table } from '../../ui/table';
import { formatDuration, formatNumber, Time } from '../../ui/time';
import { openIncidents } from './incidents';
import styles from './overview.module.css';
import { errorGroupsQuery, overviewQuery, type Overview } from './queries';
import type { OverviewSearch } from './search';
import { type Bucket, bucketsOf, fittingRange, PART_WORDS, PARTS, scaleOf } from './series';

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const PIECES: Record<number, string> = { 60: 'minute', 3_600: 'hour', 86_400: 'day' };

/** The outcome of each piece of time, failures on the base line; a range that the data fills. */
export function OutcomeBars({ search, overview }: { search: OverviewSearch; overview: Overview }) {
  const [channel, setChannel] = useState<Channel | ''>('');
  const fitting = fittingRange(search, overview);
  const { data: closer } = useQuery({ ...overviewQuery(fitting ?? search), enabled: fitting !== undefined });
  const shown = fitting && closer ? closer : overview;
  const buckets = bucketsOf(shown, channel);
  const used = overview.channels.filter(({ totals }) => totals.accepted > 0);
  const events = useEvents(search, overview, channel);
  return (
    <Section
      title={`Outcome of each ${PIECES[shown.bucketSeconds] ?? formatDuration(shown.bucketSeconds * 1_000)}`}
      actions={
        <>
          <span className={styles['legend']} aria-hidden="true">
            {PARTS.filter((part) => buckets.some((bucket) => bucket[part] > 0)).map((part) => (
              <span key={part}>
                <i data-part={part} />
                {PART_WORDS[part]}
              </span>
            ))}
          </span>
          {used.length > 1 && (
            <Filters>
              <Select<Channel | ''>
                label="Channel of the bars"
                value={channel}
                options={[
                  { value: '', label: 'All channels' },
                  ...used.map((each) => ({ value: each.channel, label: CHANNEL_NAMES[each.channel] })),
                ]}
                onChange={setChannel}
              />
            </Filters>
          )}
        </>
      }
    >
      <Bars buckets={buckets} channel={channel} events={events} />
      <details>
        <summary>Show as a table</summary>
        <Table
          label="Outcomes as a table"
          rows={buckets.filter(({ accepted }) => accepted > 0)}
          rowKey={({ from }) => String(from)}
          columns={[
            { name: 'From', cell: ({ from }) => <Time at={new Date(from).toISOString()} /> },
            { name: 'Accepted', isNumber: true, cell: ({ accepted }) => formatNumber(accepted) },
            ...PARTS.map((part) => ({
              name: PART_WORDS[part],
              isNumber: true,
              cell: (row: Bucket) => formatNumber(row[part]),
            })),
          ]}
        />
      </details>
    </Section>
  );
}

type Event = { at: number; tone: Tone; text: string };

/** When providers began to refuse, and when something was held. */
function useEvents(search: OverviewSearch, overview: Overview, channel: Channel | ''): Event[] {
  const { data: groups } = useQuery(errorGroupsQuery(search));
  const { data: holds = [] } = useQuery(holdsQuery());
  const nameOf = useProviderName();
  const incidents = openIncidents(groups?.data ?? [], overview).filter((each) => !channel || each.channel === channel);
  return [
    ...incidents.map((each) => ({
      at: Date.parse(each.since),
      tone: 'bad' as const,
      text: `${each.providerId ? nameOf(each.providerId) : CHANNEL_NAMES[each.channel]} refuses`,
    })),
    ...holds.map(({ createdAt, name }) => ({ at: Date.parse(createdAt), tone: 'held' as const, text: `${name} held` })),
  ];
}

const SHOWN_EVENTS = 4;

function Events({ events, from, to }: { events: Event[]; from: number; to: number }) {
  const shown = events.filter(({ at }) => at >= from && at < to).toSorted((one, other) => one.at - other.at);
  return shown.slice(0, SHOWN_EVENTS).map(({ at, tone, text }, place) => {
    const share = (at - from) / (to - from);
    return (
      <span
        key={`${at} ${text}`}
        className={styles['event']}
        data-side={share > 0.5 ? 'left' : 'right'}
        aria-hidden="true"
        style={{ insetInlineStart: `${share * 100}%` }}
      >
        <b style={{ insetBlockStart: `${place * 1.375}rem` }}>
          <Mark tone={tone} size={12} /> {CLOCK.format(at)} {text}
        </b>
      </span>
    );
  });
}

function Bars({ buckets, channel, events }: { buckets: Bucket[]; channel: Channel | ''; events: Event[] }) {
  const [place, setPlace] = useState<number>();
  const top = scaleOf(Math.max(...buckets.map(({ accepted }) => accepted)));
  const span = buckets.length > 0 ? buckets.at(-1)!.to - buckets[0]!.from : 0;
  const word = (time: number): string => (span > 2 * 86_400_000 ? DAY : CLOCK).format(time);
  const move = (event: KeyboardEvent): void => {
    const next = { ArrowRight: (place ?? -1) + 1, ArrowLeft: (place ?? buckets.length) - 1 }[event.key];
    if (event.key === 'Escape') setPlace(undefined);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(Math.max(0, Math.min(buckets.length - 1, next)));
  };
  const pinned = place === undefined ? undefined : buckets[place];
  return (
    <div
      className={styles['bars']}
      role="group"
      aria-label="Outcomes over time, arrow keys read each bar"
      tabIndex={0}
      onKeyDown={move}
      onMouseLeave={() => setPlace(undefined)}
      onBlur={() => setPlace(undefined)}
    >
      <div className={styles['lines']} aria-hidden="true">
        {[1, 0.75, 0.5, 0.25].map((part) => (
          <span key={part}>{formatNumber(top * part)}</span>
        ))}
      </div>
      <div className={styles['plot']}>
        {buckets.map((bucket, index) => (
          <Link
            key={bucket.from}
            to="/activity"
            search={{
              channel: channel ? [channel] : undefined,
              after: new Date(bucket.from).toISOString(),
              before: new Date(bucket.to).toISOString(),
            }}
            className={styles['bar']}
            data-on={index === place || undefined}
            tabIndex={-1}
            aria-hidden="true"
            onMouseEnter={() => setPlace(index)}
          >
            {PARTS.map((part) => (
              <i key={part} data-part={part} style={{ height: `${(bucket[part] / top) * 100}%` }} />
            ))}
          </Link>
        ))}
        {span > 0 && <Events events={events} from={buckets[0]!.from} to={buckets.at(-1)!.to} />}
        {pinned && (
          <div
            className={styles['tip']}
            role="status"
            style={{ [place! < buckets.length / 2 ? 'left' : 'right']: `${edgeOf(place!, buckets.length)}%` }}
          >
            <strong>
              {word(pinned.from)} – {word(pinned.to)}
            </strong>
            {PARTS.filter((part) => pinned[part] > 0).map((part) => (
              <span key={part}>
                <i data-part={part} />
                {PART_WORDS[part]}
                <b>{formatNumber(pinned[part])}</b>
              </span>
            ))}
            <span className={styles['all']}>
              Accepted<b>{formatNumber(pinned.accepted)}</b>
            </span>
          </div>
        )}
      </div>
      <div className={styles['axis']} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75].map((part) => (
          <span key={part} style={{ insetInlineStart: `${part * 100}%` }}>
            {buckets.length > 0 && word(buckets[Math.floor(part * buckets.length)]!.from)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Where the tip begins: beside its bar, on the side that has room. */
const edgeOf = (place: number, count: number): number =>
  place < count / 2 ? ((place + 1) / count) * 100 : ((count - place) / count) * 100;
