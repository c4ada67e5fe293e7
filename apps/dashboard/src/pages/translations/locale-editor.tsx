import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { CodeEditor } from '../../ui/code-editor';
import { LeaveGuard } from '../../ui/leave-guard';
import { Alert, Loading, messageOf, Section } from '../../ui/page';
import { jsonFile, saveFile } from '../../ui/save-file';
import { useShortcut } from '../../ui/shortcuts';
import { showToast } from '../../ui/toasts';
import { objectOf } from '../../ui/typed';
import { reloadTranslations, type Resource, textsQuery } from './data';

type EditorProps = { resource: Resource; locale: string; missing: string[] };

export function LocaleEditor({ isStored, ...rest }: EditorProps & { isStored: boolean }) {
  const texts = useQuery({ ...textsQuery({ ...rest.resource, locale: rest.locale }), enabled: isStored });
  if (!isStored) return <Editor {...rest} stored={undefined} />;
  if (!texts.data) return <Loading query={texts} isBlock />;
  return <Editor key={texts.data.updatedAt} {...rest} stored={texts.data.content} />;
}

const written = (content: unknown): string => JSON.stringify(content, null, 2);

function Editor({ resource, locale, missing, stored }: EditorProps & { stored?: Record<string, unknown> }) {
  const navigate = useNavigate({ from: '/translations' });
  const canWrite = useCanWrite();
  const first = written(stored ?? Object.fromEntries(missing.map((key) => [key, ''])));
  const [text, setText] = useState(first);
  const parsed = objectOf(text);
  const isChanged = text !== first;
  const save = useMutation({
    mutationFn: async () => {
      return unwrap(api.POST('/v2/translations', { body: { ...resource, locale, content: parsed.value ?? {} } }));
    },
    onSuccess: async (saved) => {
      queries.setQueryData(textsQuery({ ...resource, locale: saved.locale }).queryKey, saved);
      await reloadTranslations();
      showToast(`The texts in ${saved.locale} are saved.`);
      // The gateway writes `de-at` as `de_AT`.
      if (saved.locale !== locale) {
        await navigate({ search: (before) => ({ ...before, locale: saved.locale }), ignoreBlocker: true });
      }
    },
  });
  const saveNow = (): void => void (!save.isPending && parsed.value && save.mutate());
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
            <Button kind="primary" isBusy={save.isPending} onClick={saveNow}>
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
          if (save.isSuccess || save.isError) save.reset();
        }}
        hint="JSON: texts by key. Objects inside objects are keys with dots. A text is a template."
        error={parsed.fault}
      />
      {save.error && <Alert tone="bad">{messageOf(save.error)} What you typed is still here.</Alert>}
      <LeaveGuard isChanged={isChanged && !save.isSuccess} isLeft={() => !save.isPending}>
        The texts in {locale} have changes that are not saved.
      </LeaveGuard>
    </Section>
  );
}
