import { CHANNEL_NAMES } from '../../api/channels';
import { HoldButton } from '../../shell/hold-button';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { formatDuration, formatNumber } from '../../ui/time';
import { ActivityLink } from './activity-link';
import type { Overview } from './queries';

type Row = Overview['channels'][number];

const LONG_LAG_SECONDS = 60;

export function ChannelTable({ overview }: { overview: Overview }) {
  const { after, before } = overview;
  const rows = overview.channels.filter(
    ({ totals, backlog }) => totals.accepted > 0 || backlog.due > 0 || backlog.delayed > 0,
  );
  const number = (name: string, read: (row: Row) => number): Column<Row> => ({
    name,
    isNumber: true,
    cell: (row) => formatNumber(read(row)),
  });
  return (
    <Section title="Channels">
      {rows.length === 0 ? (
        <p>No channel has steps in this range, and nothing waits.</p>
      ) : (
        <Table
          label="Figures by channel"
          rows={rows}
          rowKey={({ channel }) => channel}
          columns={[
            {
              name: 'Channel',
              cell: ({ channel }) => (
                <ActivityLink filter={{ channel: [channel], after, before }}>{CHANNEL_NAMES[channel]}</ActivityLink>
              ),
            },
            number('Accepted', ({ totals }) => totals.accepted),
            number('Delivered', ({ totals }) => totals.delivered),
            number('Failed', ({ totals }) => totals.failed),
            number('Skipped', ({ totals }) => totals.skipped),
            number('In flight', ({ totals }) => totals.inFlight),
            number('In doubt', ({ totals }) => totals.inDoubt),
            number('Due now', ({ backlog }) => backlog.due),
            number('Delayed', ({ backlog }) => backlog.delayed),
            { name: 'Lag', isNumber: true, cell: ({ backlog }) => <Lag backlog={backlog} /> },
            {
              name: 'Actions',
              cell: ({ channel }) => (
                <HoldButton target="channel" id={channel} name={CHANNEL_NAMES[channel]} isInList />
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function Lag({ backlog: { due, lagSeconds } }: Pick<Row, 'backlog'>) {
  if (due === 0) return 'None';
  const text = formatDuration(lagSeconds * 1_000);
  return lagSeconds > LONG_LAG_SECONDS ? <strong>{text}</strong> : text;
}
