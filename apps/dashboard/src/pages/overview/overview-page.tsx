import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { providersQuery } from '../../api/providers';
import { Empty, LoadError, Page, Section, Skeleton } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Time } from '../../ui/time';
import { BulkActionDialog } from '../activity/bulk/bulk-action-dialog';
import type { ActivityFilters } from '../activity/search';
import { OutcomeBars } from './bars';
import { ChannelTable } from './channel-table';
import { PastErrors } from './error-groups';
import { Figures } from './figures';
import { InboxWarning } from './inbox-warning';
import { IntegrationStates } from './integration-states';
import { Now } from './now';
import { type Overview, overviewQuery } from './queries';
import type { OverviewSearch } from './search';
import { TimeRange } from './time-range';

export function OverviewPage() {
  const { environment: _, ...search } = useSearch({ from: '/signed-in/overview' });
  const [replayed, setReplayed] = useState<ActivityFilters>();
  const query = useQuery(overviewQuery(search));
  usePrefetchQuery(providersQuery);
  const { data, error, refetch } = query;
  return (
    <Page
      title="Overview"
      actions={
        <>
          {data && (
            <Freshness updatedAt={query.dataUpdatedAt} isStale={query.failureCount > 0 || query.isPlaceholderData} />
          )}
          <TimeRange search={search} />
        </>
      }
    >
      <InboxWarning />
      {(replayed ?? search.bulk) && (
        <BulkActionDialog action="replay" filter={replayed} onClose={() => setReplayed(undefined)} />
      )}
      {data ? (
        <>
          {error && <LoadError error={error} onRetry={() => void refetch()} />}
          <Content search={search} overview={data} onReplay={setReplayed} />
        </>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Skeleton isBlock />
          <Skeleton isBlock />
          <Skeleton lines={6} />
        </>
      )}
      <IntegrationStates />
    </Page>
  );
}

type ContentProps = { search: OverviewSearch; overview: Overview; onReplay(filters: ActivityFilters): void };

function Content({ search, overview, onReplay }: ContentProps) {
  const isEmpty = overview.totals.accepted === 0;
  return (
    <>
      <Now search={search} overview={overview} onReplay={onReplay} />
      <Section title="Outcomes">
        <Figures overview={overview} />
      </Section>
      {isEmpty ? (
        <Empty title="Nothing was accepted in this range" command={TRIGGER}>
          Choose a longer time range, or trigger a workflow. Put in your API key and the id of a workflow.
        </Empty>
      ) : (
        <OutcomeBars search={search} overview={overview} />
      )}
      <ChannelTable overview={overview} />
      <PastErrors search={search} overview={overview} onReplay={onReplay} />
    </>
  );
}

const TRIGGER = `curl -X POST ${location.origin}/v1/events/trigger \\
  -H "Authorization: ApiKey $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "welcome", "to": {"subscriberId": "ada", "email": "ada@x.test"}, "payload": {}}'`;

/** Says when the figures are from, and when they are not what the gateway would answer now. */
function Freshness({ updatedAt, isStale }: { updatedAt: number; isStale: boolean }) {
  return (
    <span className="quiet">
      {isStale && <Badge tone="warn">Not current</Badge>} Figures of{' '}
      <Time at={new Date(updatedAt).toISOString()} relative />
    </span>
  );
}
