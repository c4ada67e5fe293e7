import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { isStatus } from '../../api/error';
import { localeChoices } from '../../api/locales';
import { useCanWrite } from '../../session/session';
import { Button, FileButton } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Form } from '../../ui/field';
import { Alert, Empty, LoadError, messageOf, Section, Skeleton } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { plural } from '../../ui/time';
import { type Group, groupQuery, reloadTranslations, type Resource } from './data';
import { LocaleEditor } from './locale-editor';
import styles from './translations.module.css';

const KINDS = { workflow: 'Workflow', layout: 'Layout' };

type GroupProps = { resource: Resource; defaultLocale: string };

export function GroupView({ resource, defaultLocale }: GroupProps) {
  const { locale } = useSearch({ from: '/signed-in/translations' });
  const navigate = useNavigate({ from: '/translations' });
  const canWrite = useCanWrite();
  const [added, setAdded] = useState('');
  const [deleted, setDeleted] = useState<string>();
  const { resourceType, resourceId } = resource;
  const group = useQuery(groupQuery(resource));
  const open = (chosen: string | undefined) =>
    void navigate({ search: { type: resourceType, id: resourceId, locale: chosen } });
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      const read = files.map(async (file) => ({ name: file.name, content: await file.text() }));
      const body = { ...resource, files: await Promise.all(read) };
      return unwrap(api.POST('/v2/translations/upload', { body }));
    },
    onSuccess: reloadTranslations,
  });
  // The same status means that there is no such workflow; the message tells.
  const isEmpty = isStatus(group.error, 404) && messageOf(group.error).includes('Translations of the');
  const locales = group.data?.locales ?? [];
  return (
    <>
      <p>
        <Link to="/translations" search={{}}>
          All translations
        </Link>
      </p>
      <Section
        title={`${KINDS[resourceType]} ${group.data?.resourceName ?? resourceId}`}
        actions={
          canWrite && (
            <FileButton isBusy={upload.isPending} onFiles={(files) => upload.mutate(files)}>
              Upload files
            </FileButton>
          )
        }
      >
        {upload.error && <Alert tone="bad">{messageOf(upload.error)}</Alert>}
        {upload.data && (
          <Alert tone={upload.data.failedUploads > 0 ? 'warn' : 'good'}>
            {upload.data.successfulUploads} of {plural(upload.data.totalFiles, 'file')} stored.{' '}
            {upload.data.errors.join('. ')}
          </Alert>
        )}
        {group.isPending && <Skeleton lines={3} />}
        {isStatus(group.error, 404) && !isEmpty && (
          <Empty title={`This ${resourceType} does not exist`}>
            It may have been deleted, or it is in another environment.
          </Empty>
        )}
        {group.isError && !isStatus(group.error, 404) && (
          <LoadError error={group.error} onRetry={() => void group.refetch()} />
        )}
        {isEmpty && (
          <p>
            There are no texts yet. Add the locale {defaultLocale}, the default of this environment, or upload files
            that are named by their locale, such as <code>de_AT.json</code>.
          </p>
        )}
        {locales.length > 0 && (
          <Table
            label="Locales"
            rows={rowsOf(group.data!, defaultLocale)}
            rowKey={(row) => row.locale}
            columns={[
              {
                name: 'Locale',
                cell: (row) => (
                  <Link
                    to="/translations"
                    search={{ type: resourceType, id: resourceId, locale: row.locale }}
                    aria-current={row.locale === locale ? 'true' : undefined}
                  >
                    {row.locale}
                  </Link>
                ),
              },
              { name: 'State', cell: (row) => <LocaleState row={row} defaultLocale={defaultLocale} /> },
              { name: 'Missing', cell: ({ missing }) => <Keys keys={missing} /> },
            ]}
            actions={
              canWrite &&
              ((row) =>
                row.isStored && (
                  <Button aria-label={`Delete ${row.locale}`} onClick={() => setDeleted(row.locale)}>
                    Delete
                  </Button>
                ))
            }
          />
        )}
        {canWrite && (group.data || isEmpty) && (
          <Form onSubmit={() => open(added.trim())}>
            <div className={styles['inline']}>
              <Picker
                label="New locale"
                placeholder={isEmpty ? defaultLocale : 'de_AT'}
                required
                isFree
                choices={localeChoices}
                value={added}
                onChange={setAdded}
              />
              <Button type="submit">Add locale</Button>
            </div>
          </Form>
        )}
      </Section>
      {locale !== undefined && (group.data || isEmpty) && (
        <LocaleEditor
          key={locale}
          resource={resource}
          locale={locale}
          isStored={locales.includes(locale)}
          missing={group.data?.missing.find((each) => each.locale === locale)?.keys ?? []}
        />
      )}
      {deleted !== undefined && (
        <DeleteLocale
          resource={resource}
          locale={deleted}
          onDeleted={() => open(undefined)}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}

type Row = { locale: string; isStored: boolean; missing: string[] };

/** The stored locales, and those without a text that some texts are missing in, the default one first. */
function rowsOf({ locales, missing }: Group, defaultLocale: string): Row[] {
  const all = [...new Set([defaultLocale, ...locales, ...missing.map(({ locale }) => locale)])];
  return all.map((locale) => ({
    locale,
    isStored: locales.includes(locale),
    missing: missing.find((each) => each.locale === locale)?.keys ?? [],
  }));
}

function LocaleState({ row, defaultLocale }: { row: Row; defaultLocale: string }) {
  return (
    <>
      {row.isStored && row.missing.length === 0 && <Badge tone="good">Complete</Badge>}
      {row.missing.length > 0 && <Badge tone="warn">{row.missing.length} missing</Badge>}
      {!row.isStored && row.missing.length === 0 && <Badge tone="calm">No texts</Badge>}{' '}
      {row.locale === defaultLocale && <Badge tone="info">Default</Badge>}
    </>
  );
}

const SHOWN_KEYS = 10;

function Keys({ keys }: { keys: string[] }) {
  if (keys.length === 0) return '—';
  const more = keys.length - SHOWN_KEYS;
  return (
    <>
      <code>{keys.slice(0, SHOWN_KEYS).join(', ')}</code>
      {more > 0 && ` and ${plural(more, 'other')}`}
    </>
  );
}

type DeleteProps = { resource: Resource; locale: string; onDeleted(): void; onClose(): void };

function DeleteLocale({ resource, locale, onDeleted, onClose }: DeleteProps) {
  const params = { path: { ...resource, locale } };
  return (
    <ConfirmDialog
      title={`Delete the texts in ${locale}?`}
      action="Delete"
      run={async () => {
        await unwrap(api.DELETE('/v2/translations/{resourceType}/{resourceId}/{locale}', { params }));
        onDeleted();
        await reloadTranslations();
      }}
      done={`The texts in ${locale} are deleted.`}
      onClose={onClose}
    >
      <p>Subscribers of this locale then get the texts that it falls back to. This cannot be undone.</p>
    </ConfirmDialog>
  );
}
