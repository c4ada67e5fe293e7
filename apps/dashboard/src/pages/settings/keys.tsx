import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { chosenEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Select, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Section } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
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
  const { data, error, refetch } = useQuery({
    queryKey: keysOf(environmentId),
    queryFn: () =>
      unwrap(api.GET('/v1/environments/{environmentId}/api-keys', { params: { path: { environmentId } } })),
  });
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const reload = () => void queries.invalidateQueries({ queryKey: keysOf(environmentId) });
  const revoke = useMutation({
    mutationFn: ({ _id }: Key) =>
      unwrap(
        api.DELETE('/v1/environments/{environmentId}/api-keys/{keyId}', {
          params: { path: { environmentId, keyId: _id } },
        }),
      ),
    onSuccess: () => {
      showToast('The key is revoked.');
      setRevoked(undefined);
      reload();
    },
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
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
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: 'Actions',
            cell: (key) =>
              !key.revokedAt && (
                <Button aria-label={`Revoke ${key.name}`} onClick={() => setRevoked(key)}>
                  Revoke
                </Button>
              ),
          },
        ]}
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
          action="Revoke"
          isBusy={revoke.isPending}
          error={revoke.error && <Alert tone="bad">{messageOf(revoke.error)}</Alert>}
          onConfirm={() => revoke.mutate(revoked)}
          onClose={() => {
            revoke.reset();
            setRevoked(undefined);
          }}
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

function KeyDialog({
  environmentId,
  scopes,
  onClose,
}: {
  environmentId: string;
  scopes: typeof SCOPES;
  onClose(): void;
}) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('full');
  const [expires, setExpires] = useState('');
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/environments/{environmentId}/api-keys', {
          params: { path: { environmentId } },
          body: { name, scope, ...(expires && { expiresAt: new Date(expires).toISOString() }) },
        }),
      ),
  });
  if (create.data) return <NewKey title={`Key ${name} is created`} text={create.data.key} onClose={onClose} />;
  return (
    <Dialog title="Create key" onClose={onClose}>
      <Form onSubmit={() => create.mutate()} error={create.error}>
        <TextField label="Name" value={name} onChange={setName} required maxLength={100} />
        <Select<Scope> label="Scope" value={scope} onChange={setScope} options={scopes} />
        <TextField
          label="Expires"
          type="datetime-local"
          value={expires}
          onChange={setExpires}
          hint="In your time zone. Empty: never."
        />
        <div>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            Create
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
