import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CHANNEL_NAMES } from '../../api/channels';
import { useProviderName } from '../../api/providers';
import { Loaded, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { type IntegrationOverview, integrationStatesQuery } from './queries';

/** The state of every integration: whether calls are made, and what went wrong last. */
export function IntegrationStates() {
  const nameOf = useProviderName();
  return (
    <Section title="Integrations">
      <Loaded query={useQuery(integrationStatesQuery)}>
        {({ data }) =>
          data.length === 0 ? (
            <p>
              There is no integration. <Link to="/integrations">Add one</Link> to send messages.
            </p>
          ) : (
            <Table
              label="State of integrations"
              rows={data}
              rowKey={({ _id }) => _id}
              columns={[
                { name: 'Name', cell: ({ name, providerId }) => name || providerId },
                { name: 'Channel', cell: ({ channel }) => CHANNEL_NAMES[channel] },
                { name: 'Provider', cell: ({ providerId }) => nameOf(providerId) },
                { name: 'State', cell: (row) => <State row={row} /> },
                { name: 'Last error', cell: ({ health }) => <LastError health={health} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

function State({ row: { active, primary, health } }: { row: IntegrationOverview }) {
  if (!active) return <Badge tone="calm">Off</Badge>;
  const until = health.pausedUntil && (
    <>
      {' '}
      until <Time at={health.pausedUntil} />
    </>
  );
  if (health.state === 'open') {
    return (
      <>
        <Badge tone="bad">Calls stopped</Badge>
        {until}
      </>
    );
  }
  if (health.state === 'paused') {
    return (
      <>
        <Badge tone="warn">Paused</Badge>
        {until}
      </>
    );
  }
  return <Badge tone="good">{primary ? 'Working, primary' : 'Working'}</Badge>;
}

function LastError({ health: { lastError, lastErrorAt } }: Pick<IntegrationOverview, 'health'>) {
  if (!lastError) return <span className="quiet">None in 7 days</span>;
  return (
    <>
      {lastError} {lastErrorAt && <span className="quiet">({<Time at={lastErrorAt} relative />})</span>}
    </>
  );
}
