import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCanWrite } from '../../session/session';
import { ButtonLink } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { LoadError } from '../../ui/load-error';
import { Page } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { Catalogue } from './catalogue';
import { holdsQuery, integrationsQuery, providersQuery } from './data';
import { IntegrationDetails } from './integration-details';
import { IntegrationList } from './integration-list';
import { NewIntegration } from './new-integration';
import type { IntegrationsSearch } from './search';

/** The integrations of the environment, one of them, or the catalogue of providers. */
export function IntegrationsPage() {
  const search: IntegrationsSearch = useSearch({ strict: false });
  const canWrite = useCanWrite();
  const isAdding = search.add !== undefined && canWrite;
  return (
    <Page
      title="Integrations"
      actions={
        canWrite && !isAdding ? (
          <ButtonLink kind="primary" to="/integrations" search={{ add: 'catalogue' }}>
            Add integration
          </ButtonLink>
        ) : (
          !canWrite && <span>This key may only read.</span>
        )
      }
    >
      <Content search={search} isAdding={isAdding} />
    </Page>
  );
}

function Content({ search, isAdding }: { search: IntegrationsSearch; isAdding: boolean }) {
  const integrations = useQuery(integrationsQuery());
  const providers = useQuery(providersQuery);
  const holds = useQuery(holdsQuery());
  const failed = [integrations, providers, holds].find(({ error, data }) => error && !data);
  if (failed) return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!integrations.data || !providers.data || !holds.data) return <Skeleton lines={8} />;
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
        <Empty title="This integration does not exist any more">
          <ButtonLink to="/integrations">All integrations</ButtonLink>
        </Empty>
      );
    }
    return (
      <IntegrationDetails
        key={integration._id}
        integration={integration}
        provider={provider}
        hold={holds.data.find(
          ({ target, id, state }) => target === 'integration' && id === integration._id && state === 'held',
        )}
        tab={search.tab ?? 'settings'}
      />
    );
  }
  return <IntegrationList integrations={integrations.data} providers={providers.data} holds={holds.data} />;
}
