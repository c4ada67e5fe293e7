import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/empty';
import { Select, TextField } from '../../ui/field';
import { FileButton } from '../../ui/file-button';
import { Form } from '../../ui/form';
import { LoadError } from '../../ui/load-error';
import { messageOf } from '../../ui/messages';
import { Section } from '../../ui/page';
import { jsonFile, saveFile } from '../../ui/save-file';
import { SearchBox } from '../../ui/search-box';
import { Skeleton } from '../../ui/skeleton';
import { Table } from '../../ui/table';
import { formatNumber } from '../../ui/time';
import { workflowNamesQuery } from '../activity/activity-data';
import { layoutNamesQuery } from '../workflows/queries';
import { keysIn, masterQuery, reloadTranslations, type Resource } from './data';
import styles from './translations.module.css';

/** What has texts in one locale, with the file for translators. */
export function TranslationList({ defaultLocale }: { defaultLocale: string }) {
  const { locale = defaultLocale } = useSearch({ from: '/signed-in/translations' });
  const navigate = useNavigate({ from: '/translations' });
  const canWrite = useCanWrite();
  const [isAdding, setAdding] = useState(false);
  const master = useQuery({ ...masterQuery(locale), placeholderData: keepPreviousData });
  const upload = useMutation({
    mutationFn: async ([file]: File[]) => {
      const body = { file: [{ name: file!.name, content: await file!.text() }] };
      return unwrap(api.POST('/v2/translations/master-json/upload', { body }));
    },
    onSuccess: reloadTranslations,
  });
  const rows = [
    ...Object.entries(master.data?.workflows ?? {}).map(([id, content]) => ({
      type: 'workflow' as const,
      id,
      content,
    })),
    ...Object.entries(master.data?.layouts ?? {}).map(([id, content]) => ({ type: 'layout' as const, id, content })),
  ];
  return (
    <Section
      title={`Texts in ${locale}`}
      actions={
        <>
          {rows.length > 0 && (
            <Button onClick={() => saveFile(`${locale}.json`, jsonFile(master.data))}>Export JSON</Button>
          )}
          {canWrite && (
            <FileButton accept=".json" isBusy={upload.isPending} onFiles={(files) => upload.mutate(files)}>
              Import JSON
            </FileButton>
          )}
          {canWrite && (
            <Button kind="primary" onClick={() => setAdding(true)}>
              New translation
            </Button>
          )}
        </>
      }
    >
      <p>
        Templates read a text as <code>{'{{ t.key }}'}</code>, in the locale of the subscriber, its language, or{' '}
        {defaultLocale}. The exported file has the texts of all workflows and layouts. Name it by another locale, such
        as <code>de.json</code>, translate it and import it.
      </p>
      {upload.error && <Alert tone="bad">{messageOf(upload.error)}</Alert>}
      {upload.data && <Alert tone={upload.data.success ? 'good' : 'warn'}>{upload.data.message}</Alert>}
      <div className={styles['filter']}>
        <SearchBox
          label="Locale"
          hint="A language, or a language and a region: de, de_AT."
          value={locale}
          onSearch={(text) => void navigate({ search: { locale: text.trim() || undefined }, replace: true })}
        />
      </div>
      {master.isError && <LoadError error={master.error} onRetry={() => void master.refetch()} />}
      {master.isPending && <Skeleton lines={4} />}
      {master.data && !master.isError && rows.length === 0 && (
        <Empty title={`No texts in ${locale}`} command={COMMAND}>
          <p>Add texts to a workflow or a layout, or look at another locale.</p>
        </Empty>
      )}
      {rows.length > 0 && !master.isError && (
        <Table
          label="Translations"
          rows={rows}
          rowKey={({ type, id }) => `${type} ${id}`}
          columns={[
            {
              name: 'Resource',
              cell: ({ type, id }) => (
                <Link to="/translations" search={{ type, id, locale }}>
                  {id}
                </Link>
              ),
            },
            { name: 'Kind', cell: ({ type }) => type },
            { name: 'Texts', isNumber: true, cell: ({ content }) => formatNumber(keysIn(content).length) },
          ]}
        />
      )}
      {isAdding && <NewTranslation onClose={() => setAdding(false)} />}
    </Section>
  );
}

const KINDS = [
  { value: 'workflow', label: 'Workflow' },
  { value: 'layout', label: 'Layout' },
] as const;

/** Chooses the workflow or layout that gets texts. */
function NewTranslation({ onClose }: { onClose(): void }) {
  const navigate = useNavigate({ from: '/translations' });
  const [type, setType] = useState<Resource['resourceType']>('workflow');
  const [id, setId] = useState('');
  const workflows = useQuery(workflowNamesQuery);
  const layouts = useQuery(layoutNamesQuery());
  const names =
    type === 'workflow'
      ? workflows.data?.workflows.map(({ workflowId, name }) => ({ id: workflowId, name }))
      : layouts.data?.layouts.map(({ layoutId, name }) => ({ id: layoutId, name }));
  return (
    <Dialog title="New translation" onClose={onClose}>
      <Form onSubmit={() => void navigate({ search: { type, id: id.trim() } })}>
        <Select<Resource['resourceType']> label="Kind" value={type} options={KINDS} onChange={setType} />
        <TextField
          label={type === 'workflow' ? 'workflowId' : 'layoutId'}
          required
          list="translated-resources"
          autoComplete="off"
          value={id}
          onChange={setId}
        />
        <datalist id="translated-resources">
          {names?.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </datalist>
        <div>
          <Button type="submit" kind="primary">
            Open
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}

const COMMAND = `curl ${location.origin}/v2/translations -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"resourceType": "workflow", "resourceId": "welcome",
  "locale": "de", "content": {"subject": "Willkommen"}}'`;
