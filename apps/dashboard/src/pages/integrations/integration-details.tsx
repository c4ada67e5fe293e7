import { useNavigate } from '@tanstack/react-router';
import { useCanWrite, useSession } from '../../session/session';
import { chosenEnvironment } from '../../session/environment';
import { HoldButton } from '../../shell/hold-button';
import { Button } from '../../ui/button';
import { Alert, Facts, messageOf, Section } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { useChange } from '../../ui/use-change';
import { CheckButton, DeleteButton } from './actions';
import { ConditionsForm } from './conditions-form';
import {
  type Hold,
  type Integration,
  INTEGRATIONS,
  isOfOperator,
  makePrimary,
  type Provider,
  type Settings,
  updateIntegration,
} from './data';
import { EventsPanel } from './events-panel';
import { HealthPanel } from './health-panel';
import { ProviderFacts } from './provider-facts';
import type { IntegrationTab } from './search';
import { SettingsForm } from './settings-form';
import { OneState } from './state';

type IntegrationDetailsProps = {
  integration: Integration;
  provider: Provider;
  hold: Hold | undefined;
  tab: IntegrationTab;
};

/** One integration: its state, what can be done with it, and its settings. */
export function IntegrationDetails({ integration, provider, hold, tab }: IntegrationDetailsProps) {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const session = useSession();
  const { _id: id, channel, primary, priority } = integration;
  const promote = useChange(() => makePrimary(id), { stale: INTEGRATIONS, done: `${integration.name} is primary.` });
  const save = useChange((settings: Settings) => updateIntegration(id, settings), {
    stale: INTEGRATIONS,
    done: 'Saved.',
  });
  const canBePrimary = (channel === 'email' || channel === 'sms') && !provider.builtIn && !primary;
  return (
    <>
      <Section
        title={integration.name}
        actions={
          <>
            {canWrite && (
              <>
                <CheckButton integration={integration} />
                <HoldButton target="integration" id={id} name={integration.name} isInList />
                {canBePrimary && (
                  <Button isBusy={promote.isPending} onClick={() => promote.mutate()}>
                    Make primary
                  </Button>
                )}
                <DeleteButton integration={integration} />
              </>
            )}
          </>
        }
      >
        <div className="row">
          <OneState integration={integration} hold={hold} />
          {primary && <span className="quiet">Primary</span>}
          {(integration.conditions ?? []).length > 0 && <span className="quiet">With conditions</span>}
        </div>
        {promote.error && <Alert tone="bad">{messageOf(promote.error)}</Alert>}
        {hold && isOfOperator(hold) && <p>Only the operator of this installation can resume it.</p>}
        <Facts facts={{ Id: <code>{id}</code>, Identifier: <code>{integration.identifier}</code> }} />
        <ProviderFacts provider={provider} />
        {priority > 0 && !primary && (
          <p>It sends when the integrations before it fail, or when its conditions match.</p>
        )}
      </Section>
      <Section>
        <Tabs<IntegrationTab>
          label="Integration"
          selected={tab}
          onSelect={(next) =>
            void navigate({ to: '/integrations', search: { integration: id, tab: next }, replace: true })
          }
          tabs={[
            {
              id: 'settings',
              label: 'Settings',
              content: () =>
                canWrite ? (
                  <SettingsForm
                    provider={provider}
                    integration={integration}
                    error={save.error}
                    isBusy={save.isPending}
                    onSave={(settings) => save.mutate(settings)}
                  />
                ) : (
                  <StoredSettings integration={integration} provider={provider} />
                ),
            },
            {
              id: 'conditions',
              label: 'Conditions',
              content: () => (
                <ConditionsForm
                  conditions={integration.conditions ?? []}
                  isReadOnly={!canWrite}
                  error={save.error}
                  isBusy={save.isPending}
                  onSave={(conditions) => save.mutate({ conditions })}
                />
              ),
            },
            {
              id: 'events',
              label: 'Delivery events',
              content: () => (
                <EventsPanel
                  provider={provider}
                  integration={integration}
                  environmentId={chosenEnvironment() ?? session.environmentId}
                />
              ),
            },
            { id: 'health', label: 'Health', content: () => <HealthPanel id={id} /> },
          ]}
        />
      </Section>
    </>
  );
}

/** What a read key may see: which fields are set, and the values of those that are not secret. */
function StoredSettings({ integration, provider }: { integration: Integration; provider: Provider }) {
  const stored = integration.credentials as Record<string, unknown>;
  const facts = Object.fromEntries(
    provider.credentials
      .filter(({ name }) => stored[name] !== undefined && stored[name] !== '')
      .map(({ name, label, secret }) => [label, secret ? 'Set' : String(stored[name])]),
  );
  return (
    <>
      <p>This key may only read.</p>
      <Facts facts={facts} />
    </>
  );
}
