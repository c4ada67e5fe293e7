import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/button';
import { Section } from '../../ui/page';
import { useChange } from '../../ui/use-change';
import { createIntegration, INTEGRATIONS, type Provider } from './data';
import styles from './integrations.module.css';
import { ProviderFacts } from './provider-facts';
import { SettingsForm } from './settings-form';

export function NewIntegration({ provider }: { provider: Provider }) {
  const navigate = useNavigate();
  const { id: providerId, channel, displayName } = provider;
  const create = useChange(createIntegration, {
    stale: INTEGRATIONS,
    done: `${displayName} is added.`,
    then: ({ _id }) => navigate({ to: '/integrations', search: { integration: _id } }),
  });
  return (
    <Section
      title={`New integration with ${displayName}`}
      actions={
        <ButtonLink to="/integrations" search={{ add: 'catalogue' }}>
          Another provider
        </ButtonLink>
      }
    >
      <div className={styles['aside']}>
        <SettingsForm
          provider={provider}
          error={create.error}
          isBusy={create.isPending}
          onSave={(settings) => create.mutate({ ...settings, providerId, channel })}
        />
        <ProviderFacts provider={provider} />
      </div>
    </Section>
  );
}
