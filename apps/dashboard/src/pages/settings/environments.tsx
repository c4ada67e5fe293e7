import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useSession } from '../../session/session';
import { Button } from '../../ui/button';
import { CodeBlock } from '../../ui/code-block';
import { Dialog } from '../../ui/dialog';
import { CheckBox, Select, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { LoadError } from '../../ui/load-error';
import { Section } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';

type Environment = Schemas['EnvironmentDto'];
type Dialect = 'spec' | 'novu' | '';
type Kind = Environment['kind'];
type WithoutIntegration = Environment['withoutIntegration'];

const DIALECTS = [
  { value: '', label: 'Default of the installation' },
  { value: 'spec', label: 'spec, as documented' },
  { value: 'novu', label: 'novu, for its SDKs' },
] as const;

const KINDS = [
  { value: 'production', label: 'Production: every message needs a real provider' },
  { value: 'sandbox', label: 'Sandbox: the outbox may take messages' },
  { value: 'development', label: 'Development: the outbox may take messages' },
] as const;

const WITHOUT_INTEGRATION = [
  { value: 'fail', label: 'Fail' },
  { value: 'hold', label: 'Wait until an integration is active' },
] as const;

const changed = () => {
  void queries.invalidateQueries({ queryKey: ['environments'] });
  void queries.invalidateQueries({ queryKey: ['session'] });
};

export function Environments() {
  const { scope, environmentId } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ['environments'],
    queryFn: () => unwrap(api.GET('/v1/environments')),
  });
  const [edited, setEdited] = useState<Environment | 'new'>();
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const canEdit = ({ _id }: Environment) => scope === 'admin' || (scope === 'full' && _id === environmentId);
  return (
    <Section
      actions={
        scope === 'admin' && (
          <Button kind="primary" onClick={() => setEdited('new')}>
            New environment
          </Button>
        )
      }
    >
      {scope !== 'admin' && <p>Only a key of the scope admin creates environments and sees all of the organization.</p>}
      <Table
        label="Environments"
        rows={data}
        rowKey={({ _id }) => _id}
        columns={[
          { name: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { name: 'Kind', cell: ({ kind }) => <Badge tone={kind === 'production' ? 'info' : 'calm'}>{kind}</Badge> },
          { name: 'Application id', cell: ({ identifier }) => <code>{identifier}</code> },
          { name: 'Dialect', cell: ({ dialect }) => dialect ?? 'default' },
          { name: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: 'Actions',
            cell: (row) => canEdit(row) && <Button onClick={() => setEdited(row)}>Edit {row.name}</Button>,
          },
        ]}
      />
      {edited && (
        <EnvironmentDialog
          environment={edited === 'new' ? undefined : edited}
          onClose={() => {
            setEdited(undefined);
            changed();
          }}
        />
      )}
    </Section>
  );
}

function EnvironmentDialog({ environment, onClose }: { environment?: Environment; onClose(): void }) {
  const [name, setName] = useState(environment?.name ?? '');
  const [kind, setKind] = useState<Kind>(environment?.kind ?? 'production');
  const [without, setWithout] = useState<WithoutIntegration>(environment?.withoutIntegration ?? 'fail');
  const [dialect, setDialect] = useState<Dialect>(environment?.dialect ?? '');
  const [overrides, setOverrides] = useState(environment?.allowRecipientOverrides ?? false);
  const save = useMutation({
    mutationFn: () => {
      const fields = {
        name,
        kind,
        withoutIntegration: without,
        dialect: dialect === '' ? null : dialect,
        allowRecipientOverrides: overrides,
      };
      return environment
        ? unwrap(
            api.PUT('/v1/environments/{environmentId}', {
              params: { path: { environmentId: environment._id } },
              body: fields,
            }),
          )
        : unwrap(api.POST('/v1/environments', { body: { ...fields, type: kind === 'production' ? 'prod' : 'dev' } }));
    },
    onSuccess: () => {
      if (!environment) return;
      showToast('The environment is saved.');
      onClose();
    },
  });
  const key = save.data?.apiKeys?.[0]?.key;
  if (key) return <NewKey title={`Environment ${name} is created`} text={key} onClose={onClose} />;
  return (
    <Dialog title={environment ? `Edit ${environment.name}` : 'New environment'} onClose={onClose}>
      <Form onSubmit={() => save.mutate()} error={save.error}>
        <TextField label="Name" value={name} onChange={setName} required maxLength={60} />
        <Select<Kind>
          label="Kind"
          hint="Production switches the demo providers of the outbox off."
          value={kind}
          onChange={setKind}
          options={KINDS}
        />
        <Select<WithoutIntegration>
          label="Messages of a channel without an active integration"
          value={without}
          onChange={setWithout}
          options={WITHOUT_INTEGRATION}
        />
        <Select<Dialect>
          label="Dialect"
          hint="How responses to API keys are written."
          value={dialect}
          onChange={setDialect}
          options={DIALECTS}
        />
        <CheckBox
          label="Keys of the scope trigger may change sender and recipients by overrides"
          checked={overrides}
          onChange={setOverrides}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {environment ? 'Save' : 'Create environment'}
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The only time that a key is shown. */
export function NewKey({ title, text, onClose }: { title: string; text: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
      <p>Copy this API key now. It is not shown again.</p>
      <CodeBlock text={text} label="New API key" />
    </Dialog>
  );
}
