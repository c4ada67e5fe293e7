import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CHANNEL_NAMES } from '../../api/channels';
import { useProviderName } from '../../api/providers';
import { Loaded, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { OneState, useIntegrations } from '../integrations/state';
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
                {
                  name: 'Name',
                  cell: ({ _id, name, providerId }) => (
                    <Link to="/integrations" search={{ integration: _id }}>
                      {name || providerId}
                    </Link>
                  ),
                },
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

function State({ row }: { row: IntegrationOverview }) {
  const found = useIntegrations()?.find(({ integration }) => integration._id === row._id);
  return found ? <OneState {...found} /> : null;
}

function LastError({ health: { lastError, lastErrorAt } }: Pick<IntegrationOverview, 'health'>) {
  if (!lastError) return <span className="quiet">None in 7 days</span>;
  return (
    <>
      {lastError} {lastErrorAt && <span className="quiet">({<Time at={lastErrorAt} relative />})</span>}
    </>
  );
}
