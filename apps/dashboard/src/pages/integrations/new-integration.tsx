import { useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/button';
import { Section } from '../../ui/page';
import { createIntegration, type Provider, useChange } from './data';
import { ProviderFacts } from './provider-facts';
import { SettingsForm } from './settings-form';

export function NewIntegration({ provider }: { provider: Provider }) {
  const navigate = useNavigate();
  const { id: providerId, channel, displayName } = provider;
  const create = useChange(createIntegration, `${displayName} is added.`);
  return (
    <Section
      title={`New integration with ${displayName}`}
      actions={
        <ButtonLink to="/integrations" search={{ add: 'catalogue' }}>
          Another provider
        </ButtonLink>
      }
    >
      <ProviderFacts provider={provider} />
      <SettingsForm
        provider={provider}
        error={create.error}
        isBusy={create.isPending}
        onSave={(settings) =>
          create.mutate(
            { ...settings, providerId, channel },
            {
              onSuccess: ({ _id }) => void navigate({ to: '/integrations', search: { integration: _id } }),
            },
          )
        }
      />
    </Section>
  );
}
