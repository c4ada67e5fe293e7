import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { CodeEditor } from '../../ui/code-editor';
import { LeaveGuard } from '../../ui/leave-guard';
import { Alert, Loading, SaveTrouble, Section } from '../../ui/page';
import { jsonFile, saveFile } from '../../ui/save-file';
import { useShortcut } from '../../ui/shortcuts';
import { showToast } from '../../ui/toasts';
import { objectOf } from '../../ui/typed';
import { useSave } from '../../ui/use-save';
import { readTexts, reloadTranslations, type Resource, textsQuery } from './data';

type EditorProps = { resource: Resource; locale: string; missing: string[] };

export function LocaleEditor({ isStored, ...rest }: EditorProps & { isStored: boolean }) {
  const texts = useQuery({ ...textsQuery({ ...rest.resource, locale: rest.locale }), enabled: isStored });
  if (!isStored) return <Editor {...rest} />;
  if (!texts.data) return <Loading query={texts} isBlock />;
  return <Editor key={texts.data.updatedAt} {...rest} base={texts.data} />;
}

const written = (content: unknown): string => JSON.stringify(content, null, 2);

function Editor({ resource, locale, missing, base }: EditorProps & { base?: Schemas['TranslationDto'] }) {
  const stored = base?.content;
  const navigate = useNavigate({ from: '/translations' });
  const canWrite = useCanWrite();
  const first = written(stored ?? Object.fromEntries(missing.map((key) => [key, ''])));
  const [text, setText] = useState(first);
  const parsed = objectOf(text);
  const isChanged = text !== first;
  const accept = async (saved: Schemas['TranslationDto']): Promise<void> => {
    queries.setQueryData(textsQuery({ ...resource, locale: saved.locale }).queryKey, saved);
    await reloadTranslations();
    // The gateway writes `de-at` as `de_AT`.
    if (saved.locale !== locale) {
      await navigate({ search: (before) => ({ ...before, locale: saved.locale }), ignoreBlocker: true });
    }
  };
  const save = useSave({
    revision: base?.revision ?? '',
    write: (content: Record<string, unknown>, revision) =>
      unwrap(api.POST('/v2/translations', { body: { ...resource, locale, content, revision } })),
    read: () => readTexts({ ...resource, locale }),
    onSaved: async (saved) => {
      await accept(saved);
      showToast(`The texts in ${saved.locale} are saved.`);
    },
  });
  const saveNow = (options?: { force: boolean }): void => parsed.value && save.run(parsed.value, options);
  useShortcut('Mod+s', 'Save the texts', (event) => {
    event.preventDefault();
    if (canWrite) saveNow();
  });
  return (
    <Section
      title={`Texts in ${locale}`}
      actions={
        <>
          {stored && <Button onClick={() => saveFile(`${locale}.json`, jsonFile(stored))}>Download</Button>}
          {canWrite && (
            <Button kind="primary" isBusy={save.isBusy} onClick={() => saveNow()}>
              Save
            </Button>
          )}
        </>
      }
    >
      {missing.length > 0 && stored && (
        <Alert tone="warn">Missing here, so another locale or the key itself is written: {missing.join(', ')}</Alert>
      )}
      <CodeEditor
        label="Texts"
        language="json"
        value={text}
        isReadOnly={!canWrite}
        onChange={(typed) => {
          setText(typed);
          if (save.isSaved || save.error) save.forget();
        }}
        hint="JSON: texts by key. Objects inside objects are keys with dots. A text is a template."
        error={parsed.fault}
      />
      <SaveTrouble
        of="locale"
        error={save.error}
        conflict={save.conflict}
        onForce={() => saveNow({ force: true })}
        onLoad={() => void accept(save.conflict!)}
      />
      <LeaveGuard isChanged={isChanged && !save.isSaved} isLeft={() => !save.isBusy}>
        The texts in {locale} have changes that are not saved.
      </LeaveGuard>
    </Section>
  );
}
