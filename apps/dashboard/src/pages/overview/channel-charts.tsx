import { lazy, Suspense, useMemo } from 'react';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { formatNumber, Time } from '../../ui/time';
import { type Channel, CHANNEL_NAMES } from './channels';
import styles from './overview.module.css';
import type { Overview } from './queries';

const Chart = lazy(() => import('./chart'));

/** The library of the charts loads when the page is drawn; the place for them is there from the start. */
export function ChannelCharts({ overview }: { overview: Overview }) {
  const used = overview.channels.filter(({ totals }) => totals.accepted > 0).map(({ channel }) => channel);
  return (
    <div className={styles['charts']}>
      <SeriesChart title="Volume by channel" figure="accepted" overview={overview} channels={used} />
      <SeriesChart title="Failures by channel" figure="failed" overview={overview} channels={used} />
    </div>
  );
}

type Figure = 'accepted' | 'failed';
type ChartProps = { title: string; figure: Figure; overview: Overview; channels: Channel[] };

function SeriesChart({ title, figure, overview, channels }: ChartProps) {
  const { times, values } = useMemo(() => toSeries(overview, figure, channels), [overview, figure, channels]);
  const rows = times.map((time, place) => ({ time, values: values.map((line) => line[place]!) }));
  const filled = rows.filter((row) => row.values.some((value) => value !== 0));
  return (
    <Section title={title}>
      <ul className={styles['legend']}>
        {channels.map((channel) => (
          <li key={channel}>
            <span className={styles['swatch']} data-channel={channel} aria-hidden="true" />
            {CHANNEL_NAMES[channel]}
          </li>
        ))}
      </ul>
      <div className={styles['chart']} role="img" aria-label={`${title} over time. The table below has the figures.`}>
        <Suspense fallback={null}>
          <Chart times={times} values={values} channels={channels} />
        </Suspense>
      </div>
      <details>
        <summary>Show as a table</summary>
        {filled.length === 0 ? (
          <p>There is nothing to show in this range.</p>
        ) : (
          <Table
            label={`${title} as a table`}
            rows={filled}
            rowKey={({ time }) => String(time)}
            columns={[
              { name: 'From', cell: ({ time }) => <Time at={new Date(time * 1_000).toISOString()} /> },
              ...channels.map((channel, place) => ({
                name: CHANNEL_NAMES[channel],
                isNumber: true,
                cell: (row: (typeof filled)[number]) => formatNumber(row.values[place]!),
              })),
            ]}
          />
        )}
      </details>
    </Section>
  );
}

/** One value for each bucket of the range; the response leaves out buckets without counts. */
function toSeries({ after, before, bucketSeconds, series }: Overview, figure: Figure, channels: Channel[]) {
  const [first, last] = [after, before].map((time) => new Date(time).getTime() / 1_000) as [number, number];
  const times = Array.from({ length: (last - first) / bucketSeconds }, (_, place) => first + place * bucketSeconds);
  const values = channels.map((channel) => {
    const line = times.map(() => 0);
    for (const point of series) {
      if (point.channel !== channel) continue;
      const place = (new Date(point.at).getTime() / 1_000 - first) / bucketSeconds;
      if (place >= 0 && place < line.length) line[place] = point[figure];
    }
    return line;
  });
  return { times, values };
}
