import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { useCanWrite, useSession } from '../../session/session';
import { Button } from '../../ui/button';
import { DeleteDialog } from '../../ui/dialog';
import { Alert, Empty, Loading, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { Users } from '../layouts/layout-usage';
import styles from './settings.module.css';
import { VariableForm } from './variable-form';

type Variable = Schemas['EnvironmentVariableDto'];

/** The values that templates read as `env.KEY`, in all environments that the session may see. */
export function Variables() {
  const { environments } = useSession();
  const canWrite = useCanWrite();
  const loaded = useQuery({
    queryKey: ['variables'],
    queryFn: () => unwrap(api.GET('/v1/environment-variables')),
  });
  const [edited, setEdited] = useState<Variable | 'new'>();
  const [deleted, setDeleted] = useState<string>();
  if (!loaded.data) return <Loading query={loaded} />;
  const { data } = loaded;
  const nameOf = (id: string) => environments.find(({ _id }) => _id === id)?.name ?? id;
  return (
    <Section
      actions={
        canWrite && (
          <Button kind="primary" onClick={() => setEdited('new')}>
            New variable
          </Button>
        )
      }
    >
      <p>
        Templates read a variable as <code>{'{{ env.KEY }}'}</code>. A change is effective from the next message on.
        Secrets are stored encrypted and never shown.
      </p>
      {data.length === 0 ? (
        <Empty title="No variables yet" command={COMMAND}>
          A variable has one value for each environment, such as the address of your shop.
        </Empty>
      ) : (
        <Table
          label="Variables"
          rows={data}
          rowKey={({ key }) => key}
          columns={[
            {
              name: 'Key',
              cell: ({ key, isSecret }) => (
                <>
                  <code>{key}</code> {isSecret && <Badge tone="info">Secret</Badge>}
                </>
              ),
            },
            {
              name: 'Values',
              cell: ({ values }) => (
                <dl className={styles['values']}>
                  {values.map(({ _environmentId, value }) => (
                    <div key={_environmentId} style={{ display: 'contents' }}>
                      <dt>{nameOf(_environmentId)}</dt>
                      <dd>{value === '' ? '—' : value}</dd>
                    </div>
                  ))}
                </dl>
              ),
            },
            { name: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} relative /> },
          ]}
          actions={
            canWrite &&
            ((variable) => (
              <>
                <Button aria-label={`Edit ${variable.key}`} onClick={() => setEdited(variable)}>
                  Edit
                </Button>{' '}
                <Button aria-label={`Delete ${variable.key}`} onClick={() => setDeleted(variable.key)}>
                  Delete
                </Button>
              </>
            ))
          }
        />
      )}
      {edited && <VariableForm variable={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {deleted !== undefined && <DeleteVariable variableKey={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  );
}

function DeleteVariable({ variableKey, onClose }: { variableKey: string; onClose(): void }) {
  const params = { path: { variableKey } };
  const usage = useQuery({
    queryKey: ['variable-usage', variableKey],
    queryFn: () => unwrap(api.GET('/v1/environment-variables/{variableKey}/usage', { params })),
    staleTime: 0,
  });
  return (
    <DeleteDialog
      name={variableKey}
      environmentId={null}
      usage={usage}
      run={() => unwrap(api.DELETE('/v1/environment-variables/{variableKey}', { params }))}
      stale={['variables']}
      done="The variable is deleted."
      onClose={onClose}
    >
      {({ workflows, layouts }) =>
        workflows.length + layouts.length === 0 ? (
          <p>No workflow or layout of this environment uses it. It is deleted in all environments.</p>
        ) : (
          <>
            <Alert tone="warn">These use it, and would write an empty text:</Alert>
            <Users workflows={workflows} layouts={layouts} />
          </>
        )
      }
    </DeleteDialog>
  );
}

const COMMAND = `curl ${location.origin}/v1/environment-variables -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"key": "SITE", "values": [{"_environmentId": "<id>", "value": "https://shop.example"}]}'`;
