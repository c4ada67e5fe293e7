import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, fetchRaw, type Schemas, unwrap } from '../../api/client';
import { stringifySearch } from '../../search';
import { Button } from '../../ui/button';
import { Empty } from '../../ui/empty';
import { Select, TextField } from '../../ui/field';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Section } from '../../ui/page';
import { saveFile } from '../../ui/save-file';
import { Skeleton } from '../../ui/skeleton';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import type { SettingsSearch } from './search';
import styles from './settings.module.css';

type Entry = Schemas['AuditLogEntryDto'];

const PAGE = 50;
/** A record and no list, so that the compiler finds a type that is missing. */
const RESOURCES: Record<Entry['resource']['type'], true> = {
  api_key: true,
  bulk_action: true,
  channel_connection: true,
  channel_endpoint: true,
  context: true,
  environment: true,
  environment_variable: true,
  hold: true,
  inbox_secret: true,
  integration: true,
  layout: true,
  mirror: true,
  organization: true,
  publish: true,
  subscriber: true,
  suppression: true,
  tenant: true,
  translation: true,
  trigger: true,
  webhook_endpoint: true,
  workflow: true,
};
const TYPES = [
  { value: '', label: 'All' },
  ...Object.keys(RESOURCES).map((value) => ({ value, label: value.replace('_', ' ') })),
];

export function AuditLog() {
  const { resourceType, resourceId, actor } = useSearch({ from: '/signed-in/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const filter = { resourceType, resourceId, actor };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['audit-log', filter],
    queryFn: ({ pageParam }) =>
      unwrap(api.GET('/v1/audit-log', { params: { query: { ...filter, limit: PAGE, after: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const choose = (change: Partial<SettingsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Section actions={<ExportButton filter={filter} />}>
      <div className={styles['filters']}>
        <Select
          label="Resource"
          value={resourceType ?? ''}
          options={TYPES}
          onChange={(value) => choose({ resourceType: value || undefined })}
        />
        <TextField
          label="Resource id"
          value={resourceId ?? ''}
          onChange={(value) => choose({ resourceId: value.trim() || undefined })}
        />
        <TextField
          label="Actor"
          hint="The id of a key, cli or setup."
          value={actor ?? ''}
          onChange={(value) => choose({ actor: value.trim() || undefined })}
        />
      </div>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : !rows ? (
        <Skeleton lines={6} />
      ) : rows.length === 0 ? (
        <Empty title="No change matches">
          <p>Every change of keys, environments, integrations, workflows and the like is recorded here.</p>
        </Empty>
      ) : (
        <Table label="Audit log" rows={rows} rowKey={({ _id }) => _id} columns={COLUMNS} />
      )}
      {hasNextPage && (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </Section>
  );
}

const COLUMNS = [
  { name: 'Time', cell: ({ createdAt }: Entry) => <Time at={createdAt} /> },
  { name: 'Action', cell: ({ action }: Entry) => <strong>{action}</strong> },
  { name: 'Resource', cell: ({ resource }: Entry) => <code>{resource.id}</code> },
  {
    name: 'Actor',
    cell: ({ actor }: Entry) => (actor.keyPrefix ? <code title={actor.keyId}>{actor.keyPrefix}…</code> : actor.type),
  },
  { name: 'Change', cell: (entry: Entry) => <Change entry={entry} /> },
];

/** The fields that changed; a click shows their values. */
function Change({ entry: { before, after } }: { entry: Entry }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <details>
      <summary>{fields.slice(0, 4).join(', ') + (fields.length > 4 ? ', …' : '')}</summary>
      <pre className={styles['change']}>{JSON.stringify({ before, after }, null, 2)}</pre>
    </details>
  );
}

function ExportButton({ filter }: { filter: Record<string, string | undefined> }) {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const response = await fetchRaw(`/v1/audit-log${stringifySearch({ ...filter, format: 'csv' })}`);
      saveFile('audit-log.csv', await response.blob());
    } catch (error) {
      showToast(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button isBusy={isBusy} onClick={() => void save()}>
      Export CSV
    </Button>
  );
}
