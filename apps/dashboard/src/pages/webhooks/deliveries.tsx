import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api, type Schemas, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { Filters, Loaded, Section } from '../../ui/page';
import { Badge, type Tone } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { DELIVERY_STATES, type WebhookSearch } from './search';
import styles from './webhooks.module.css';

type Delivery = Schemas['WebhookDeliveryDto'];

const PAGE_SIZE = 25;
const REFRESH_MS = 2_000;
const STATES: Record<Delivery['state'], { tone: Tone; word: string }> = {
  waiting: { tone: 'info', word: 'Waiting' },
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Failed' },
};
const OPTIONS = [
  { value: '', label: 'Every state' },
  ...DELIVERY_STATES.map((value) => ({ value, label: STATES[value].word })),
] as const;

export function Deliveries({ endpointId }: { endpointId: string }) {
  const { state, page: given } = useSearch({ from: '/signed-in/webhooks/$endpointId' });
  const navigate = useNavigate({ from: '/webhooks/$endpointId' });
  const page = Math.max(0, Math.trunc(Number(given ?? 0)) || 0);
  const list = useQuery({
    queryKey: ['webhooks', endpointId, 'deliveries', state, page],
    queryFn: () => {
      const params = { path: { endpointId }, query: { state, page, limit: PAGE_SIZE } };
      return unwrap(api.GET('/v1/webhook-endpoints/{endpointId}/deliveries', { params }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const go = (search: WebhookSearch) => void navigate({ search });
  return (
    <Section title="Deliveries">
      <Filters>
        <Select<Delivery['state'] | ''>
          label="State"
          value={state ?? ''}
          options={OPTIONS}
          onChange={(chosen) => go({ state: chosen === '' ? undefined : chosen })}
        />
      </Filters>
      <Loaded query={list} lines={5}>
        {({ data }) =>
          data.length > 0 ? (
            <Table label="List of deliveries" rows={data} rowKey={({ _id }) => _id} columns={COLUMNS} />
          ) : (
            <p>
              {state === undefined && page === 0
                ? 'Nothing was sent to this endpoint in the last seven days. Send a test.'
                : 'No delivery matches.'}
            </p>
          )
        }
      </Loaded>
      {list.data && (page > 0 || list.data.hasMore) && (
        <nav className="row" aria-label="Pages">
          {page > 0 && <Button onClick={() => go({ state, page: String(page - 1) })}>Previous page</Button>}
          {list.data.hasMore && <Button onClick={() => go({ state, page: String(page + 1) })}>Next page</Button>}
        </nav>
      )}
    </Section>
  );
}

const COLUMNS = [
  { name: 'Created', cell: ({ createdAt }: Delivery) => <Time at={createdAt} relative /> },
  {
    name: 'Entry',
    cell: ({ type, sequence }: Delivery) =>
      sequence === undefined ? (
        type
      ) : (
        <Link to="/webhooks" search={{ tab: 'event-log', after: String(sequence - 1) }}>
          {type} {sequence}
        </Link>
      ),
  },
  {
    name: 'State',
    cell: ({ state }: Delivery) => <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>,
  },
  { name: 'Attempts', isNumber: true, cell: ({ attempts }: Delivery) => attempts },
  { name: 'Last answer', cell: (delivery: Delivery) => <Answer delivery={delivery} /> },
  {
    name: 'Next attempt',
    cell: ({ state, nextAttemptAt }: Delivery) => {
      if (state !== 'waiting' || !nextAttemptAt) return '—';
      return new Date(nextAttemptAt) > new Date() ? <Time at={nextAttemptAt} relative /> : 'due';
    },
  },
];

function Answer({ delivery: { responseStatus, responseText, error, attempts } }: { delivery: Delivery }) {
  if (attempts === 0) return '—';
  return (
    <>
      {responseStatus !== undefined && <strong>{responseStatus}</strong>} {error}
      {responseText && <div className={styles['answer']}>{responseText}</div>}
    </>
  );
}
