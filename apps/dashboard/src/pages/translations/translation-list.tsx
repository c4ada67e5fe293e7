import { Menu } from '@base-ui/react/menu';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { choicesOf } from '../../api/choices';
import { api, unwrap } from '../../api/client';
import { isStatus, Overtaken } from '../../api/error';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Button, FileButton } from '../../ui/button';
import { Alert, Empty, Filters, Loading, messageOf, Page } from '../../ui/page';
import { Picker } from '../../ui/picker';
import { jsonFile, saveFile } from '../../ui/save-file';
import { SearchBox } from '../../ui/field';
import { plural } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import buttons from '../../ui/ui.module.css';
import menu from '../workflows/workflows.module.css';
import { AddLocale, NewKey } from './add-dialogs';
import { allTranslationsQuery, masterQuery, readTexts, reloadTranslations } from './data';
import { filtered, groupsOf, localesOf, missingIn, withText } from './grid';
import { keysIn } from './keys';
import { type Failures, placeOf, type TextChange, TranslationGrid } from './translation-grid';
import styles from './translations.module.css';

/** The texts of all workflows and layouts: keys by locales. */
export function TranslationList({ defaultLocale }: { defaultLocale: string }) {
  const { query = '', show, of = '' } = useSearch({ from: '/signed-in/translations' });
  const navigate = useNavigate({ from: '/translations' });
  const canWrite = useCanWrite();
  const [dialog, setDialog] = useState<'locale' | 'key'>();
  const [added, setAdded] = useState<string[]>([]);
  const texts = useQuery(allTranslationsQuery());
  const set = (changes: object): void =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });

  const [failures, setFailures] = useState<Failures>({});
  const setFailure = (change: TextChange, message?: string): void =>
    setFailures(({ [placeOf(change)]: _, ...others }) =>
      message === undefined ? others : { ...others, [placeOf(change)]: { text: change.text, message } },
    );
  const save = useMutation({
    // One after the other: each writes all texts of its locale.
    scope: { id: 'translations' },
    mutationFn: saveText,
    onSuccess: ({ locale }, change) => {
      setFailure(change);
      showToast(`“${change.key}” is saved in ${locale}.`);
    },
    onError: (error, change) => setFailure(change, messageOf(error)),
    onSettled: reloadTranslations,
  });
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      const answers: string[] = [];
      for (const file of files) {
        const body = { file: [{ name: file.name, content: await file.text() }] };
        answers.push((await unwrap(api.POST('/v2/translations/master-json/upload', { body }))).message);
      }
      return answers.join('. ');
    },
    onSettled: reloadTranslations,
  });

  if (!texts.data) {
    return (
      <Page title="Translations">
        <Loading query={texts} lines={8} />
      </Page>
    );
  }
  const locales = localesOf(texts.data, defaultLocale, added);
  const groups = groupsOf(texts.data, defaultLocale);
  const shown = filtered(groups, locales, { query, isMissingOnly: show === 'missing', resource: of });
  const named = groups.map(({ resource: { resourceType, resourceId }, name }) => ({
    value: `${resourceType} ${resourceId}`,
    label: name,
  }));
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const missing = locales.reduce((sum, locale) => sum + missingIn(groups, locale), 0);
  return (
    <Page
      title="Translations"
      note={
        <span>
          {plural(total, 'text')} in {plural(locales.length, 'locale')}, {missing} missing
        </span>
      }
      actions={
        <>
          {canWrite && (
            <FileButton isBusy={upload.isPending} onFiles={(files) => upload.mutate(files)}>
              Import
            </FileButton>
          )}
          <Export locales={locales} />
          {canWrite && <Button onClick={() => setDialog('locale')}>Add locale</Button>}
          {canWrite && (
            <Button kind="primary" onClick={() => setDialog('key')}>
              New key
            </Button>
          )}
        </>
      }
    >
      {upload.error && <Alert tone="bad">{messageOf(upload.error)}</Alert>}
      {upload.data && <Alert tone="good">{upload.data}</Alert>}
      {total === 0 ? (
        <Empty title="There are no texts yet" command={COMMAND}>
          Add a key to a workflow or a layout, or import files that are named by their locale, such as{' '}
          <code>de_AT.json</code>.
        </Empty>
      ) : (
        <>
          <Filters>
            <SearchBox
              label="Key or text"
              placeholder="Key or text"
              value={query}
              onSearch={(text) => set({ query: text || undefined })}
            />
            <Picker
              label="Of"
              placeholder="All workflows and layouts"
              value={of}
              choices={choicesOf(JSON.stringify(named), () => named)}
              onChange={(chosen) => set({ of: chosen || undefined })}
            />
            <div className={styles['actions']} role="group" aria-label="Show">
              <Button aria-pressed={show !== 'missing'} onClick={() => set({ show: undefined })}>
                All {total}
              </Button>
              <Button aria-pressed={show === 'missing'} onClick={() => set({ show: 'missing' })}>
                Missing {missing}
              </Button>
            </div>
          </Filters>
          {shown.length === 0 ? (
            <Empty
              title={show === 'missing' ? 'Nothing is missing here' : 'No text fits the filter'}
              action={
                <Button onClick={() => set({ query: undefined, show: undefined, of: undefined })}>
                  Show all texts
                </Button>
              }
            />
          ) : (
            <TranslationGrid
              groups={shown}
              all={groups}
              locales={locales}
              defaultLocale={defaultLocale}
              isReadOnly={!canWrite}
              failures={failures}
              onSave={save.mutate}
            />
          )}
        </>
      )}
      {dialog === 'locale' && (
        <AddLocale onAdd={(locale) => setAdded([...added, locale])} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'key' && (
        <NewKey
          shown={of}
          defaultLocale={defaultLocale}
          onAdd={(resource, key, text) => save.mutateAsync({ ...resource, key, locale: defaultLocale, was: '', text })}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Page>
  );
}

/** Times that the texts of a locale are read again because another person wrote another key of it. */
const MOST_TRIES = 5;

/** Writes one text into those that are stored. What another person wrote into the same key meanwhile stays. */
async function saveText({ key, was, text, ...texts }: TextChange) {
  for (let tries = 1; ; tries += 1) {
    const stored = await readTexts(texts).catch((error: unknown) => {
      if (isStatus(error, 404)) return undefined;
      throw error;
    });
    const [, now = ''] = keysIn(stored?.content).find(([name]) => name === key) ?? [];
    if (now !== was && now !== text) throw new Overtaken(`Another person wrote “${now}” meanwhile.`);
    const content = withText(stored?.content ?? {}, key, text === '' ? undefined : text);
    const revision = stored?.revision ?? '';
    try {
      return await unwrap(api.POST('/v2/translations', { body: { ...texts, content, revision } }));
    } catch (error) {
      if (!isStatus(error, 409) || tries === MOST_TRIES) throw error;
    }
  }
}

function Export({ locales }: { locales: string[] }) {
  const save = async (locale: string): Promise<void> =>
    saveFile(`${locale}.json`, jsonFile(await queries.fetchQuery({ ...masterQuery(locale), staleTime: 0 })));
  return (
    <Menu.Root>
      <Menu.Trigger className={buttons['button']}>Export</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end">
          <Menu.Popup className={menu['menu']}>
            {locales.map((locale) => (
              <Menu.Item key={locale} className={menu['menuItem']} onClick={() => void save(locale)}>
                {locale}.json
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const COMMAND = `curl ${location.origin}/v2/translations -H "Authorization: ApiKey $CLARION_API_KEY" \\
  -H "Content-Type: application/json" -d '{"resourceType": "workflow", "resourceId": "welcome",
  "locale": "de", "content": {"subject": "Willkommen"}}'`;
