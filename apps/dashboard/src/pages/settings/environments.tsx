import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { useEnvironment, useSession } from '../../session/session';
import { HoldButton } from '../../shell/hold-button';
import { Button } from '../../ui/button';
import { FormDialog, ShownOnce } from '../../ui/dialog';
import { Select, TextField } from '../../ui/field';
import { Alert, Loading, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { EnvironmentForm } from './environment-form';
import { type Environment, environmentsQuery, KINDS, reloadEnvironments } from './environments-data';
import styles from './settings.module.css';

export function Environments() {
  const { scope, environmentId } = useSession();
  const current = useEnvironment()._id;
  const { edit } = useSearch({ from: '/signed-in/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const loaded = useQuery(environmentsQuery);
  const [isAdding, setAdding] = useState(false);
  if (!loaded.data) return <Loading query={loaded} />;
  const { data } = loaded;
  const canEdit = ({ _id }: Environment) => scope === 'admin' || (scope === 'full' && _id === environmentId);
  const edited = data.find(({ _id }) => _id === edit);
  if (edited && canEdit(edited)) return <EnvironmentForm key={edited._id} environment={edited} all={data} />;
  return (
    <Section
      actions={
        scope === 'admin' && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            New environment
          </Button>
        )
      }
    >
      {edit !== undefined && <Alert tone="warn">This session may not change such an environment.</Alert>}
      {scope !== 'admin' && <p>Only a key of the scope admin creates environments and sees all of the organization.</p>}
      <Table
        label="Environments"
        rows={data}
        rowKey={({ _id }) => _id}
        columns={[
          { name: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          {
            name: 'Kind',
            cell: ({ kind }) => (
              <span className={styles['kind']} data-kind={kind}>
                {kind}
              </span>
            ),
          },
          { name: 'Application id', cell: ({ identifier }) => <code>{identifier}</code> },
          { name: 'Dialect', cell: ({ dialect }) => dialect ?? 'default' },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
          {
            name: 'Actions',
            cell: (row) => (
              <>
                {canEdit(row) && (
                  <Button onClick={() => void navigate({ search: { tab: 'environments', edit: row._id } })}>
                    Edit {row.name}
                  </Button>
                )}{' '}
                {row._id === current && <HoldButton target="environment" id={current} name={row.name} isInList />}
              </>
            ),
          },
        ]}
      />
      {isAdding && <NewEnvironment onClose={() => setAdding(false)} />}
    </Section>
  );
}

function NewEnvironment({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Environment['kind']>('production');
  const [key, setKey] = useState<string>();
  if (key) return <NewKey title={`Environment ${name} is created`} text={key} onClose={onClose} />;
  const type = kind === 'production' ? ('prod' as const) : ('dev' as const);
  return (
    <FormDialog
      title="New environment"
      action="Create environment"
      run={() => unwrap(api.POST('/v1/environments', { body: { name, kind, type } }))}
      then={({ apiKeys }) => {
        reloadEnvironments();
        setKey(apiKeys?.[0]?.key);
      }}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} required maxLength={60} autoFocus />
      <Select<Environment['kind']>
        label="Kind"
        hint="In production the demo providers of the outbox are off."
        value={kind}
        onChange={setKind}
        options={KINDS}
      />
    </FormDialog>
  );
}

/** The only time that an API key is shown. */
export function NewKey({ title, text, onClose }: { title: string; text: string; onClose(): void }) {
  const note = 'Copy this API key now. It is not shown again.';
  return <ShownOnce title={title} label="New API key" text={text} note={note} onClose={onClose} />;
}
