import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCanWrite } from '../../session/session';
import { ButtonLink } from '../../ui/button';
import { Empty, Loading, Page } from '../../ui/page';
import { Catalogue } from './catalogue';
import { holdsQuery, integrationsQuery, providersQuery } from './data';
import { IntegrationDetails } from './integration-details';
import { IntegrationList } from './integration-list';
import { NewIntegration } from './new-integration';
import type { IntegrationsSearch } from './search';
import { holdOf, statusOf, useIntegrations } from './state';

export function IntegrationsPage() {
  const search: IntegrationsSearch = useSearch({ strict: false });
  const canWrite = useCanWrite();
  const isAdding = search.add !== undefined && canWrite;
  const isList = !isAdding && search.integration === undefined;
  return (
    <Page
      title="Integrations"
      note={isList && <Summary />}
      actions={
        !isList ? (
          <ButtonLink to="/integrations">All integrations</ButtonLink>
        ) : canWrite ? (
          <ButtonLink kind="primary" to="/integrations" search={{ add: 'catalogue' }}>
            Add integration
          </ButtonLink>
        ) : (
          <span>This key may only read.</span>
        )
      }
    >
      <Content search={search} isAdding={isAdding} />
    </Page>
  );
}

function Summary() {
  const counts = new Map<string, { rank: number; count: number }>();
  for (const { integration, hold } of useIntegrations() ?? []) {
    const { rank, word } = statusOf(integration, hold);
    counts.set(word, { rank, count: (counts.get(word)?.count ?? 0) + 1 });
  }
  const words = [...counts].toSorted(([, one], [, other]) => one.rank - other.rank);
  return <span>{words.map(([word, { count }]) => `${count} ${word.toLowerCase()}`).join(', ')}</span>;
}

function Content({ search, isAdding }: { search: IntegrationsSearch; isAdding: boolean }) {
  const integrations = useQuery(integrationsQuery());
  const providers = useQuery(providersQuery);
  const holds = useQuery(holdsQuery());
  if (!integrations.data || !providers.data || !holds.data) {
    return <Loading query={[integrations, providers, holds].find(({ error }) => error) ?? holds} lines={8} />;
  }
  if (isAdding) {
    const provider = providers.data.find(({ id }) => id === search.add);
    return provider ? (
      <NewIntegration provider={provider} />
    ) : (
      <Catalogue providers={providers.data} find={search.find ?? ''} channel={search.channel} />
    );
  }
  if (search.integration !== undefined) {
    const integration = integrations.data.find(({ _id }) => _id === search.integration);
    const provider = integration && providers.data.find(({ id }) => id === integration.providerId);
    if (!integration || !provider) {
      return (
        <Empty
          title="This integration does not exist any more"
          action={<ButtonLink to="/integrations">All integrations</ButtonLink>}
        />
      );
    }
    return (
      <IntegrationDetails
        key={integration._id}
        integration={integration}
        provider={provider}
        hold={holdOf(integration, holds.data)}
        tab={search.tab ?? 'settings'}
      />
    );
  }
  return <IntegrationList integrations={integrations.data} providers={providers.data} holds={holds.data} />;
}
