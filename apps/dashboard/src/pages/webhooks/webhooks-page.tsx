import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { NewButton } from '../../ui/new-button';
import { Empty, Loaded, Page } from '../../ui/page';
import { Table } from '../../ui/table';
import { Tabs } from '../../ui/tabs';
import { formatNumber, Time } from '../../ui/time';
import { type Endpoint, endpointsQuery, filterText } from './data';
import { EndpointForm } from './endpoint-form';
import { EndpointBadge } from './endpoint-state';
import { EventLog } from './event-log';
import type { WebhooksTab } from './search';

/** How other programs learn what happened: calls to their endpoints, or the event log that they read. */
export function WebhooksPage() {
  const { tab = 'endpoints' } = useSearch({ from: '/signed-in/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  return (
    <Page
      title="Webhooks"
      actions={
        <NewButton words="New endpoint" hasShortcut>
          {(onClose) => <EndpointForm onClose={onClose} />}
        </NewButton>
      }
    >
      <Tabs<WebhooksTab>
        label="Webhooks"
        selected={tab}
        onSelect={(id) => void navigate({ search: { tab: id } })}
        tabs={[
          { id: 'endpoints', label: 'Endpoints', content: () => <Endpoints /> },
          { id: 'event-log', label: 'Event log', content: () => <EventLog /> },
        ]}
      />
    </Page>
  );
}

function Endpoints() {
  return (
    <Loaded query={useQuery(endpointsQuery())} lines={5}>
      {(endpoints) => <EndpointTable endpoints={endpoints} />}
    </Loaded>
  );
}

function EndpointTable({ endpoints }: { endpoints: Endpoint[] }) {
  if (endpoints.length === 0) {
    return (
      <Empty title="No endpoints yet" command={COMMAND}>
        An endpoint is a URL of your program. It gets a signed call when a message is sent, fails or is read, when a
        preference changes, and when a workflow is published.
      </Empty>
    );
  }
  return (
    <Table
      label="Endpoints"
      rows={endpoints}
      rowKey={({ _id }) => _id}
      columns={[
        {
          name: 'URL',
          cell: ({ _id, url, description }) => (
            <>
              <Link to="/webhooks/$endpointId" params={{ endpointId: _id }}>
                {url}
              </Link>
              {description && <div>{description}</div>}
            </>
          ),
        },
        { name: 'State', cell: (endpoint) => <EndpointBadge endpoint={endpoint} /> },
        { name: 'Gets', cell: (endpoint) => filterText(endpoint) },
        {
          name: 'Last delivered',
          cell: ({ lastDeliveredAt }) => (lastDeliveredAt ? <Time at={lastDeliveredAt} relative /> : 'never'),
        },
        {
          name: 'Waiting',
          isNumber: true,
          cell: ({ waitingDeliveries, waitingEntries }) => formatNumber(waitingDeliveries + waitingEntries),
        },
      ]}
    />
  );
}

const COMMAND = `curl ${location.origin}/v1/webhook-endpoints -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"url": "https://example.com/webhooks", "events": ["message.failed"]}'`;
