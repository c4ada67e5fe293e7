import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { chosenEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import { Button } from '../../ui/button';
import { ConfirmDialog, FormDialog } from '../../ui/dialog';
import { Select, TextField, useFields } from '../../ui/field';
import { Loading, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { NewKey } from './environments';

type Key = Schemas['ApiKeyDto'];
type Scope = Key['scope'];

const SCOPES: { value: Scope; label: string }[] = [
  { value: 'full', label: 'full: everything in this environment' },
  { value: 'read', label: 'read: look at everything, change nothing' },
  { value: 'trigger', label: 'trigger: send events only' },
  { value: 'admin', label: 'admin: every environment of the organization' },
];

const keysOf = (environmentId: string) => ['environments', environmentId, 'keys'];

export function Keys() {
  const session = useSession();
  const environmentId = chosenEnvironment() ?? session.environmentId;
  const loaded = useQuery({
    queryKey: keysOf(environmentId),
    queryFn: () =>
      unwrap(api.GET('/v1/environments/{environmentId}/api-keys', { params: { path: { environmentId } } })),
  });
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const reload = () => void queries.invalidateQueries({ queryKey: keysOf(environmentId) });
  if (!loaded.data) return <Loading query={loaded} />;
  const { data } = loaded;
  return (
    <Section
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          Create key
        </Button>
      }
    >
      <Table
        label="API keys"
        rows={data}
        rowKey={({ _id }) => _id}
        columns={[
          { name: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { name: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
          { name: 'Scope', cell: ({ scope }) => scope },
          { name: 'State', cell: (key) => <KeyState apiKey={key} /> },
          { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} relative /> : 'never') },
          { name: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : 'never') },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
        ]}
        actions={(key) =>
          !key.revokedAt && (
            <Button aria-label={`Revoke ${key.name}`} onClick={() => setRevoked(key)}>
              Revoke
            </Button>
          )
        }
      />
      {isCreating && (
        <KeyDialog
          environmentId={environmentId}
          scopes={SCOPES.filter(({ value }) => value !== 'admin' || session.scope === 'admin')}
          onClose={() => {
            setCreating(false);
            reload();
          }}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.name}`}
          environmentId={environmentId}
          action="Revoke"
          run={() => {
            const params = { path: { environmentId, keyId: revoked._id } };
            return unwrap(api.DELETE('/v1/environments/{environmentId}/api-keys/{keyId}', { params }));
          }}
          stale={keysOf(environmentId)}
          done="The key is revoked."
          onClose={() => setRevoked(undefined)}
        >
          <p>
            Programs with the key <code>{revoked.prefix}…</code> and its sessions are refused within 15 seconds. This
            cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function KeyState({ apiKey: { revokedAt, expiresAt } }: { apiKey: Key }) {
  if (revokedAt) return <Badge tone="calm">Revoked</Badge>;
  if (expiresAt && new Date(expiresAt) <= new Date()) return <Badge tone="warn">Expired</Badge>;
  return <Badge tone="good">Active</Badge>;
}

type KeyDialogProps = { environmentId: string; scopes: typeof SCOPES; onClose(): void };

function KeyDialog({ environmentId, scopes, onClose }: KeyDialogProps) {
  const { values, field } = useFields({ name: '', scope: 'full' as Scope, expires: '' });
  const { expires, ...named } = values;
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <NewKey title={`Key ${named.name} is created`} text={made} onClose={onClose} />;
  const params = { path: { environmentId } };
  const body = { ...named, ...(expires && { expiresAt: new Date(expires).toISOString() }) };
  return (
    <FormDialog
      title="Create key"
      action="Create"
      run={() => unwrap(api.POST('/v1/environments/{environmentId}/api-keys', { params, body }))}
      then={({ key }) => setMade(key)}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={100} {...field('name')} />
      <Select label="Scope" options={scopes} {...field('scope')} />
      <TextField label="Expires" type="datetime-local" hint="In your time zone. Empty: never." {...field('expires')} />
    </FormDialog>
  );
}
