import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { actorChoices, auditedChoices } from '../../api/choices';
import { api, fetchRaw, type Schemas, unwrap } from '../../api/client';
import { stringifySearch } from '../../search';
import { chosenEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import { Button } from '../../ui/button';
import { Select } from '../../ui/field';
import { Empty, Filters, Loaded, messageOf, MoreButton, Section } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { saveFile } from '../../ui/save-file';
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
  { value: '', label: 'Every resource' },
  ...Object.keys(RESOURCES).map((value) => ({ value, label: value.replace('_', ' ') })),
];

export function AuditLog() {
  const { resourceType, resourceId, actor } = useSearch({ from: '/signed-in/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const { environmentId } = useSession();
  const filter = { resourceType, resourceId, actor };
  const list = useInfiniteQuery({
    queryKey: ['audit-log', filter],
    queryFn: ({ pageParam }) =>
      unwrap(api.GET('/v1/audit-log', { params: { query: { ...filter, limit: PAGE, after: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const choose = (change: Partial<SettingsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Section actions={<ExportButton filter={filter} />}>
      <Filters>
        <Select
          label="Resource"
          value={resourceType ?? ''}
          options={TYPES}
          onChange={(value) => choose({ resourceType: value || undefined, resourceId: undefined })}
        />
        <Picker
          // The id of a resource of another type is not asked for among those of this type.
          key={resourceType}
          label="Resource id"
          placeholder="Name or id of the resource"
          value={resourceId ?? ''}
          isFree
          choices={auditedChoices(resourceType)}
          onChange={(value) => choose({ resourceId: value || undefined })}
        />
        <Picker
          label="Actor"
          placeholder="Actor: a key, cli or setup"
          value={actor ?? ''}
          isFree
          choices={actorChoices(chosenEnvironment() ?? environmentId)}
          onChange={(value) => choose({ actor: value || undefined })}
        />
      </Filters>
      <Loaded query={list} lines={6}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Empty title="No change matches">
              Every change of keys, environments, integrations, workflows and the like is recorded here.
            </Empty>
          ) : (
            <Table label="Audit log" rows={rows} rowKey={({ _id }) => _id} columns={COLUMNS} />
          );
        }}
      </Loaded>
      <MoreButton list={list}>Load more</MoreButton>
    </Section>
  );
}

const COLUMNS = [
  { name: 'Time', cell: ({ createdAt }: Entry) => <Time at={createdAt} relative /> },
  { name: 'Action', cell: ({ action }: Entry) => <strong className={styles['action']}>{action}</strong> },
  { name: 'Resource', cell: (entry: Entry) => <Resource entry={entry} /> },
  { name: 'Actor', cell: ({ actor }: Entry) => <Actor actor={actor} /> },
  { name: 'Change', cell: (entry: Entry) => <Change entry={entry} /> },
];

/** The fields of a change that name what was changed. What was removed has its last name there. */
const NAMING = ['name', 'key', 'url', 'title'];

function Resource({ entry: { resource, before, after } }: { entry: Entry }) {
  const written = NAMING.map((field) => after?.[field] ?? before?.[field]).find((value) => typeof value === 'string');
  const name = resource.name ?? (written as string | undefined);
  return name === undefined ? (
    <code className={styles['id']} title={resource.id}>
      {resource.id}
    </code>
  ) : (
    <bdi title={resource.id}>{name}</bdi>
  );
}

function Actor({ actor: { type, keyId, keyPrefix, keyName } }: Pick<Entry, 'actor'>) {
  if (!keyPrefix) return type;
  return keyName ? <bdi title={`${keyPrefix}… ${keyId}`}>{keyName}</bdi> : <code title={keyId}>{keyPrefix}…</code>;
}

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
  const save = useMutation({
    mutationFn: async () => {
      const response = await fetchRaw(`/v1/audit-log${stringifySearch({ ...filter, format: 'csv' })}`);
      saveFile('audit-log.csv', await response.blob());
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <Button isBusy={save.isPending} onClick={() => save.mutate()}>
      Export CSV
    </Button>
  );
}
