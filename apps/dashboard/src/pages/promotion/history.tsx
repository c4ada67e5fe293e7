import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog, Dialog } from '../../ui/dialog';
import { Loaded, MoreButton, Section } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { plural, Time } from '../../ui/time';
import type { Environment } from '../settings/environments-data';
import { type Publish, reloadContent } from './data';
import { FieldChanges } from './field-changes';
import styles from './promotion.module.css';

const PAGE_SIZE = 10;
const ORIGINS: Record<Publish['origin'], string> = {
  publish: 'Publish',
  sync: 'Copy of a workflow',
  files: 'Files',
  undo: 'Undo',
};

type HistoryProps = { environmentId: string; environments: Environment[]; canUndo: boolean };

export function History({ environmentId, environments, canUndo }: HistoryProps) {
  const { publish: shown } = useSearch({ from: '/signed-in/promotion' });
  const navigate = useNavigate({ from: '/promotion' });
  const [undone, setUndone] = useState<Publish>();
  const list = useInfiniteQuery({
    queryKey: ['promotion', 'history', environmentId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }) => {
      const params = { path: { environmentId }, query: { limit: PAGE_SIZE, after } };
      return unwrap(api.GET('/v2/environments/{environmentId}/publishes', { params }));
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const nameOf = (id: string | undefined) => environments.find(({ _id }) => _id === id)?.name;
  const show = (publish: string | undefined) => void navigate({ search: (before) => ({ ...before, publish }) });
  return (
    <Section title={`History of ${nameOf(environmentId) ?? 'the environment'}`}>
      <Loaded query={list}>{() => rows.length === 0 && <p>Nothing was published to this environment.</p>}</Loaded>
      {rows.length > 0 && (
        <Table
          label="History"
          rows={rows}
          rowKey={({ _id }) => _id}
          columns={[
            { name: 'Time', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
            {
              name: 'What',
              cell: ({ origin, sourceEnvironmentId, undoneBy }) => {
                const source = nameOf(sourceEnvironmentId);
                return (
                  <>
                    {ORIGINS[origin]} {source && `from ${source}`} {undoneBy && <Badge tone="calm">Undone</Badge>}
                  </>
                );
              },
            },
            { name: 'By', cell: ({ actor }) => (actor.keyPrefix ? <code>{actor.keyPrefix}…</code> : actor.type) },
            { name: 'Resources', cell: (row) => resourcesText(row) },
          ]}
          actions={(row) => (
            <span className={styles['buttons']}>
              <Button onClick={() => show(row._id)}>Show</Button>
              {canUndo && !row.undoneBy && <Button onClick={() => setUndone(row)}>Undo</Button>}
            </span>
          )}
        />
      )}
      <MoreButton list={list}>Show older</MoreButton>
      {shown !== undefined && (
        <PublishDialog environmentId={environmentId} publishId={shown} onClose={() => show(undefined)} />
      )}
      {undone && <UndoDialog publish={undone} onClose={() => setUndone(undefined)} />}
    </Section>
  );
}

const SHOWN_NAMES = 3;

function resourcesText({ resources }: Publish): string {
  const names = resources.slice(0, SHOWN_NAMES).map(({ resourceId, action }) => `${resourceId} ${action}`);
  const more = resources.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${plural(more, 'other')}` : '');
}

function PublishDialog(props: { environmentId: string; publishId: string; onClose(): void }) {
  const { environmentId, publishId, onClose } = props;
  const publish = useQuery({
    queryKey: ['promotion', 'publish', environmentId, publishId],
    queryFn: () => {
      const params = { path: { environmentId, publishId } };
      return unwrap(api.GET('/v2/environments/{environmentId}/publishes/{publishId}', { params }));
    },
  });
  return (
    <Dialog title="What was published" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <Loaded query={publish} lines={4}>
        {({ resources }) =>
          resources.map(({ resourceType, resourceId, action, diffs }) => (
            <div key={`${resourceType} ${resourceId}`} className={styles['changes']}>
              <h3>
                {resourceType} {resourceId} {action}
              </h3>
              {diffs && <FieldChanges values={diffs} label={`${resourceType} ${resourceId}`} />}
            </div>
          ))
        }
      </Loaded>
    </Dialog>
  );
}

function UndoDialog({ publish, onClose }: { publish: Publish; onClose(): void }) {
  const params = { path: { environmentId: publish._environmentId, publishId: publish._id } };
  return (
    <ConfirmDialog
      title={`Undo the publish of ${plural(publish.resources.length, 'resource')}?`}
      action="Undo"
      environmentId={publish._environmentId}
      run={async () => {
        await unwrap(api.POST('/v2/environments/{environmentId}/publishes/{publishId}/undo', { params }));
        await reloadContent();
      }}
      done="The publish is undone."
      otherwise="Nothing was changed."
      onClose={onClose}
    >
      <p>
        What the publish replaced is restored, deleted resources included: {resourcesText(publish)}. The undo is in the
        history and can be undone too.
      </p>
    </ConfirmDialog>
  );
}
