import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, type Schemas, unwrap } from '../../api/client';
import { isStatus } from '../../api/error';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { Alert, Empty, Filters, Loading, messageOf } from '../../ui/page';
import { Table } from '../../ui/table';
import { formatNumber, Time } from '../../ui/time';
import { ENTRY_OPTIONS, ENTRY_TYPES } from './data';
import type { WebhooksSearch } from './search';
import styles from './webhooks.module.css';

type Entry = Schemas['LogEntryDto'];
type Log = Schemas['EventLogDto'];

const PAGE = 50;
/** The newest entries are read again and again, so that the reader sees what happens. */
const REFRESH_MS = 5_000;

const read = (query: { after?: number; limit: number; type?: Entry['type'][] }): Promise<Log> =>
  unwrap(api.GET('/v1/events/log', { params: { query } }));

/** The last page of the log. Its place follows from the number of the last entry. */
async function readNewest(): Promise<Log> {
  const { firstSequence, lastSequence } = await read({ limit: 1 });
  return read({ after: Math.max(firstSequence - 1, lastSequence - PAGE), limit: PAGE });
}

export function EventLog() {
  const search = useSearch({ from: '/signed-in/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const after = search.after !== undefined && /^\d{1,15}$/.test(search.after) ? Number(search.after) : undefined;
  const type = ENTRY_TYPES.filter((each) => search.type?.includes(each));
  const isNewest = after === undefined && type.length === 0;
  const log = useQuery({
    queryKey: ['event-log', after, type],
    queryFn: () => (isNewest ? readNewest() : read({ after, limit: PAGE, ...(type.length > 0 && { type }) })),
    placeholderData: keepPreviousData,
    refetchInterval: isNewest ? REFRESH_MS : false,
  });
  const go = (change: Partial<WebhooksSearch>) =>
    void navigate({ search: (before) => ({ ...before, tab: 'event-log' as const, ...change }) });
  const moveTo = (number: number) => go({ after: String(Math.max(0, number)) });
  const { data } = log;
  return (
    <>
      <p>
        Entries have consecutive numbers without gaps. A program that stores the last number and reads{' '}
        <code>GET /v1/events/log?after=</code> after it misses nothing.
      </p>
      {data && !data.isRecording && (
        <Alert tone="info">
          Nothing is recorded now. Switch the event log on in the settings of the environment, or create an endpoint.
        </Alert>
      )}
      <Filters>
        <Select
          label="Type"
          hint={type.length > 0 ? 'Begins with the oldest entry of this type.' : undefined}
          value={type[0] ?? ''}
          options={[{ value: '', label: 'Every type' }, ...ENTRY_OPTIONS]}
          onChange={(chosen) => go({ type: chosen === '' ? undefined : [chosen], after: undefined })}
        />
      </Filters>
      {isStatus(log.error, 410) ? (
        <Alert tone="warn" action={<Button onClick={() => go({ after: undefined })}>Show the newest</Button>}>
          {messageOf(log.error)} They were deleted with the history.
        </Alert>
      ) : !data ? (
        <Loading query={log} lines={6} />
      ) : (
        <>
          {data.data.length === 0 ? (
            <Empty title={data.lastSequence === 0 ? 'No entries yet' : 'No entry on this page'}>
              {data.lastSequence === 0
                ? 'An entry appears about a second after a message is sent, read or fails.'
                : 'There is none of this type up to here.'}
            </Empty>
          ) : (
            <Table label="Event log" rows={data.data} rowKey={({ id }) => id} columns={COLUMNS} />
          )}
          <nav className="row" aria-label="Pages">
            <span aria-live="polite">{rangeText(data)}</span>
            {type.length === 0 && firstOf(data) > data.firstSequence && (
              <Button onClick={() => moveTo(Math.max(data.firstSequence, firstOf(data) - PAGE) - 1)}>Earlier</Button>
            )}
            {data.hasMore && <Button onClick={() => moveTo(data.next)}>Later</Button>}
            {after !== undefined && type.length === 0 && (
              <Button onClick={() => go({ after: undefined })}>Newest</Button>
            )}
          </nav>
        </>
      )}
    </>
  );
}

const firstOf = ({ data, firstSequence }: Log): number => data[0]?.sequence ?? firstSequence;

function rangeText({ data, firstSequence, lastSequence }: Log): string {
  if (data.length === 0) return '';
  const kept = `${formatNumber(firstSequence)} to ${formatNumber(lastSequence)}`;
  return `Numbers ${formatNumber(data[0]!.sequence)} to ${formatNumber(data.at(-1)!.sequence)}; the log has ${kept}`;
}

const COLUMNS = [
  { name: 'Number', isNumber: true, cell: ({ sequence }: Entry) => formatNumber(sequence) },
  { name: 'Time', cell: ({ timestamp }: Entry) => <Time at={timestamp} relative /> },
  { name: 'Type', cell: ({ type }: Entry) => <strong className={styles['type']}>{type}</strong> },
  { name: 'About', cell: (entry: Entry) => <About data={entry.data} /> },
  {
    name: 'Data',
    cell: ({ data }: Entry) => (
      <details>
        <summary>{Object.keys(data).slice(0, 3).join(', ')}</summary>
        <pre className={styles['data']}>{JSON.stringify(data, null, 2)}</pre>
      </details>
    ),
  },
];

function About({ data }: { data: Entry['data'] }) {
  const { notificationId, subscriberId, workflowId } = data;
  return (
    <span className="row">
      {typeof notificationId === 'string' && (
        <Link to="/activity/$notificationId" params={{ notificationId }}>
          Notification
        </Link>
      )}
      {typeof subscriberId === 'string' && (
        <Link to="/subscribers/$subscriberId" params={{ subscriberId }}>
          {subscriberId}
        </Link>
      )}
      {typeof workflowId === 'string' && (
        <Link to="/workflows/$workflowId" params={{ workflowId }}>
          {workflowId}
        </Link>
      )}
    </span>
  );
}
