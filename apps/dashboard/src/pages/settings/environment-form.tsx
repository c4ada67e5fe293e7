import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { localeChoices } from '../../api/locales';
import { chosenEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import { Button } from '../../ui/button';
import { CheckBox, Columns, editorOf, Form, Select, TextField } from '../../ui/field';
import { Section } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { useChange } from '../../ui/use-change';
import { DeleteEnvironment } from './delete-environment';
import { type Environment, KINDS, reloadEnvironments } from './environments-data';
import { InboxSection } from './inbox-section';

type Settings = Omit<Required<Schemas['UpdateEnvironmentDto']>, 'tracking'> & { tracking: Environment['tracking'] };

const DIALECTS = [
  { value: '', label: 'Default of the installation' },
  { value: 'spec', label: 'spec, as documented' },
  { value: 'novu', label: 'novu, for its SDKs' },
] as const;

const WITHOUT_INTEGRATION = [
  { value: 'fail', label: 'Fail' },
  { value: 'hold', label: 'Wait until an integration is active' },
] as const;

/** Without what a request may not have. */
const settingsOf = (environment: Environment): Settings => ({
  name: environment.name,
  identifier: environment.identifier,
  parentId: environment._parentId ?? null,
  color: environment.color ?? '',
  kind: environment.kind,
  sandboxRedirect: environment.sandboxRedirect,
  withoutIntegration: environment.withoutIntegration,
  dialect: environment.dialect,
  allowRecipientOverrides: environment.allowRecipientOverrides,
  allowRaisedPriority: environment.allowRaisedPriority,
  allowedOrigins: environment.allowedOrigins,
  inboxSignatures: environment.inboxSignatures,
  eventLog: environment.eventLog,
  tracking: environment.tracking,
  oneClickUnsubscribe: environment.oneClickUnsubscribe,
  defaultLocale: environment.defaultLocale,
});

/** The fields that were changed. The others are not sent, so that they keep what another person saved meanwhile. */
function changesOf(before: Settings, after: Settings): Schemas['UpdateEnvironmentDto'] {
  const isChanged = (name: keyof Settings) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries(Object.entries(after).filter(([name]) => isChanged(name as keyof Settings)));
}

export function EnvironmentForm({ environment, all }: { environment: Environment; all: Environment[] }) {
  const session = useSession();
  const navigate = useNavigate({ from: '/settings' });
  const [settings, setSettings] = useState(() => settingsOf(environment));
  const [origins, setOrigins] = useState(environment.allowedOrigins?.join('\n') ?? '');
  const [isDeleting, setDeleting] = useState(false);
  const set = (change: Partial<Settings>) => setSettings((before) => ({ ...before, ...change }));
  const close = () => void navigate({ search: { tab: 'environments' } });
  const put = () => {
    const params = { path: { environmentId: environment._id } };
    const allowedOrigins = settings.allowedOrigins && origins.split(/\s+/).filter(Boolean);
    const body = changesOf(settingsOf(environment), { ...settings, allowedOrigins });
    return unwrap(api.PUT('/v1/environments/{environmentId}', { params, body }));
  };
  const saved = (): void => {
    reloadEnvironments();
    close();
  };
  const { faults, ...save } = useChange(put, { done: 'The environment is saved.', then: saved });
  const { field, box } = editorOf(settings, set, faults);
  const isCurrent = environment._id === (chosenEnvironment() ?? session.environmentId);
  return (
    <>
      <p>
        <Link to="/settings" search={{ tab: 'environments' }}>
          All environments
        </Link>
      </p>
      <Form onSubmit={() => !save.isPending && save.mutate()} error={save.error}>
        <Section
          title={`Settings of ${environment.name}`}
          actions={
            session.scope === 'admin' &&
            environment._id !== session.environmentId && (
              <Button kind="danger" onClick={() => setDeleting(true)}>
                Delete the environment
              </Button>
            )
          }
        >
          <Columns>
            <TextField label="Name" {...field('name')} required maxLength={60} />
            <TextField
              label="Application id"
              hint="Pages with the inbox use it. Those that still have the old one can no longer sign in."
              {...field('identifier')}
              required
            />
            <Select
              label="Takes its content from"
              hint="The usual source of a publish to this environment."
              value={settings.parentId ?? ''}
              onChange={(parentId) => set({ parentId: parentId || null })}
              options={[
                { value: '', label: 'No environment' },
                ...all
                  .filter(({ _id }) => _id !== environment._id)
                  .map(({ _id, name }) => ({ value: _id, label: name })),
              ]}
              error={faults['parentId']}
            />
            <Picker
              label="Default locale"
              isFree
              choices={localeChoices}
              hint="Of texts that have no translation in the locale of the subscriber."
              {...field('defaultLocale')}
              required
            />
            <TextField label="Color" hint="For other tools, such as #1a2b3c." {...field('color')} />
          </Columns>
        </Section>
        <Section title="Sending">
          <Columns>
            <Select
              label="Kind"
              hint="Production switches the demo providers of the outbox off. A sandbox calls no provider."
              value={settings.kind}
              onChange={(kind) => set({ kind, ...(kind !== 'sandbox' && { sandboxRedirect: null }) })}
              options={KINDS}
            />
            {settings.kind === 'sandbox' && (
              <>
                <TextField
                  label="All emails go to"
                  hint="Without an address they go into the outbox."
                  value={settings.sandboxRedirect?.email ?? ''}
                  onChange={(email) => set({ sandboxRedirect: { ...settings.sandboxRedirect, email: email || null } })}
                  error={faults['sandboxRedirect.email']}
                />
                <TextField
                  label="All text messages go to"
                  hint="A phone number such as +15550001111. Without one they go into the outbox."
                  value={settings.sandboxRedirect?.phone ?? ''}
                  onChange={(phone) => set({ sandboxRedirect: { ...settings.sandboxRedirect, phone: phone || null } })}
                  error={faults['sandboxRedirect.phone']}
                />
              </>
            )}
            <Select
              label="Messages of a channel without an active integration"
              {...field('withoutIntegration')}
              options={WITHOUT_INTEGRATION}
            />
            <Select<'' | 'spec' | 'novu'>
              label="Dialect"
              hint="How responses to API keys are written."
              value={settings.dialect ?? ''}
              onChange={(dialect) => set({ dialect: dialect || null })}
              options={DIALECTS}
            />
          </Columns>
          <CheckBox
            label="Keys of the scope trigger may change sender and recipients by overrides"
            {...box('allowRecipientOverrides')}
          />
          <CheckBox
            label="Keys of the scope trigger may raise the priority of an event"
            {...box('allowRaisedPriority')}
          />
        </Section>
        <Section title="Emails">
          <p>These add links of this installation to emails, so the operator has to set CLARION_PUBLIC_URL.</p>
          <CheckBox
            label="Record which emails are opened"
            checked={settings.tracking.opens}
            onChange={(opens) => set({ tracking: { ...settings.tracking, opens } })}
          />
          <CheckBox
            label="Record which emails have followed links"
            checked={settings.tracking.clicks}
            onChange={(clicks) => set({ tracking: { ...settings.tracking, clicks } })}
          />
          <CheckBox
            label="Offer to unsubscribe with one click in workflows that are not critical"
            {...box('oneClickUnsubscribe')}
          />
        </Section>
        <InboxSection
          environmentId={environment._id}
          isCurrent={isCurrent}
          settings={settings}
          origins={origins}
          fault={faults['allowedOrigins']}
          onChange={set}
          onOrigins={setOrigins}
        />
        <Section title="Event log">
          <CheckBox label="Record what happens in the event log" {...box('eventLog')} />
          <p className="quiet">
            Messages that are sent together share one row of it. With a webhook endpoint it is recorded anyway.
          </p>
        </Section>
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            Save
          </Button>{' '}
          <Button onClick={close}>Cancel</Button>
        </div>
      </Form>
      {isDeleting && (
        <DeleteEnvironment environment={environment} onClose={() => setDeleting(false)} onDeleted={close} />
      )}
    </>
  );
}
