import { CHANNEL_NAMES } from '../../api/channels';
import { HoldButton } from '../../shell/hold-button';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { formatDuration, formatNumber, plural } from '../../ui/time';
import { ActivityLink } from './activity-link';
import { waitsOf } from './figures';
import { isLate } from './late';
import styles from './overview.module.css';
import type { Overview } from './queries';
import { PART_WORDS, PARTS, type Parts, partsOf } from './series';

type Totals = Overview['totals'];
type Backlog = Overview['channels'][number]['backlog'];
/** A channel, or the sum of all. */
type Row = {
  channel?: Overview['channels'][number]['channel'];
  totals: Totals;
  backlog: Pick<Backlog, 'due' | 'delayed' | 'lagSeconds'>;
  parts: Parts;
};

export function ChannelTable({ overview }: { overview: Overview }) {
  const { after, before, channels, totals, reconciles } = overview;
  const rows: Row[] = channels
    .filter(({ totals: own, backlog }) => own.accepted > 0 || backlog.due > 0 || backlog.delayed > 0)
    .map((row) => ({ ...row, parts: partsOf(overview, row.channel) }));
  const backlog = {
    due: rows.reduce((sum, row) => sum + row.backlog.due, 0),
    delayed: rows.reduce((sum, row) => sum + row.backlog.delayed, 0),
    lagSeconds: Math.max(0, ...rows.map((row) => row.backlog.lagSeconds)),
  };
  const all: Row[] = rows.length > 1 ? [{ totals, backlog, parts: partsOf(overview, '') }] : [];
  const number = (name: string, read: (row: Row) => number): Column<Row> => ({
    name,
    isNumber: true,
    cell: (row) => (row.channel ? formatNumber(read(row)) : <strong>{formatNumber(read(row))}</strong>),
  });
  return (
    <Section
      title="Channels"
      actions={rows.length > 1 && reconciles && <span className="quiet">Every row and every column adds up</span>}
    >
      {rows.length === 0 ? (
        <p>No channel has steps in this range, and nothing waits.</p>
      ) : (
        <Table
          label="Figures by channel"
          rows={[...rows, ...all]}
          rowKey={({ channel }) => channel ?? 'all'}
          columns={[
            {
              name: 'Channel',
              cell: ({ channel }) =>
                channel ? (
                  <ActivityLink filter={{ channel: [channel], after, before }}>{CHANNEL_NAMES[channel]}</ActivityLink>
                ) : (
                  <strong>All channels</strong>
                ),
            },
            number('Accepted', (row) => row.totals.accepted),
            number('Delivered', (row) => row.totals.delivered),
            number('Failed', (row) => row.totals.failed),
            number('Skipped', (row) => row.totals.skipped),
            number('In flight', (row) => row.totals.inFlight),
            number('In doubt', (row) => row.totals.inDoubt),
            { name: 'Outcome', cell: (row) => <Outcome row={row} /> },
            number('Due now', (row) => row.backlog.due),
            number('Delayed', (row) => row.backlog.delayed),
            { name: 'Lag', isNumber: true, cell: (row) => <Lag backlog={row.backlog} /> },
            {
              name: 'Actions',
              cell: ({ channel }) =>
                channel && <HoldButton target="channel" id={channel} name={CHANNEL_NAMES[channel]} isInList />,
            },
          ]}
        />
      )}
    </Section>
  );
}

/** The parts of the bars as one line, and what is held or tried again in words. */
function Outcome({ row: { parts } }: { row: Row }) {
  const shown = PARTS.toReversed().filter((part) => parts[part] > 0);
  if (shown.length === 0) return null;
  return (
    <>
      <span className={styles['outcome']} aria-hidden="true">
        {shown.map((part) => (
          <i
            key={part}
            data-part={part}
            title={`${PART_WORDS[part]}: ${plural(parts[part], 'step')}`}
            style={{ flex: parts[part] }}
          />
        ))}
      </span>
      <span className={styles['waits']}>{waitsOf(parts)}</span>
    </>
  );
}

function Lag({ backlog }: Pick<Row, 'backlog'>) {
  if (backlog.due === 0) return 'None';
  const text = formatDuration(backlog.lagSeconds * 1_000);
  return isLate(backlog) ? <strong>{text}</strong> : text;
}
