import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Empty } from '../../ui/empty';
import { LoadError } from '../../ui/load-error';
import { Page, Section } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { Badge } from '../../ui/status';
import { Time } from '../../ui/time';
import { ChannelCharts } from './channel-charts';
import { ChannelTable } from './channel-table';
import { ErrorGroups } from './error-groups';
import { Figures } from './figures';
import { InboxWarning } from './inbox-warning';
import { IntegrationStates } from './integration-states';
import styles from './overview.module.css';
import { type Overview, overviewQuery } from './queries';
import type { OverviewSearch } from './search';
import { TimeRange } from './time-range';

export function OverviewPage() {
  const search = useSearch({ from: '/signed-in/overview' });
  const query = useQuery(overviewQuery(search));
  const { data, error, refetch } = query;
  return (
    <Page title="Overview" actions={<TimeRange search={search} />}>
      <InboxWarning />
      {data ? (
        <>
          <p className={styles['freshness']}>
            <span>
              <Time at={data.after} /> to <Time at={data.before} />
            </span>
            <Freshness updatedAt={query.dataUpdatedAt} isStale={query.failureCount > 0 || query.isPlaceholderData} />
          </p>
          {error && <LoadError error={error} onRetry={() => void refetch()} />}
          <Content search={search} overview={data} />
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

function Content({ search, overview }: { search: OverviewSearch; overview: Overview }) {
  const isEmpty = overview.totals.accepted === 0;
  return (
    <>
      <Section title="Outcomes">
        <Figures overview={overview} />
      </Section>
      {isEmpty ? (
        <Empty title="Nothing was accepted in this range" command={TRIGGER}>
          <p>Choose a longer time range, or trigger a workflow. Put in your API key and the id of a workflow.</p>
        </Empty>
      ) : (
        <ChannelCharts overview={overview} />
      )}
      <ChannelTable overview={overview} />
      <ErrorGroups search={search} overview={overview} />
    </>
  );
}

const TRIGGER = `curl -X POST ${location.origin}/v1/events/trigger \\
  -H "Authorization: ApiKey $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "welcome", "to": {"subscriberId": "ada", "email": "ada@x.test"}, "payload": {}}'`;

/** Says when the figures are from, and when they are not what the gateway would answer now. */
function Freshness({ updatedAt, isStale }: { updatedAt: number; isStale: boolean }) {
  return (
    <span>
      {isStale && <Badge tone="warn">Not current</Badge>} Figures of <Time at={new Date(updatedAt).toISOString()} />
    </span>
  );
}
