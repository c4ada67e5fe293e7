import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { ApiError } from '../../api/error';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { CodeEditor } from '../../ui/code-editor';
import { TextField } from '../../ui/field';
import { LeaveGuard } from '../../ui/leave-guard';
import { Page, SaveTrouble, Section, UnloadedPage, NoSuch } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { Badge } from '../../ui/status';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { useSave } from '../../ui/use-save';
import { stepTypesQuery } from '../workflows/queries';
import { DeleteLayout } from './delete-layout';
import { LayoutPreview } from './layout-preview';
import { LayoutUsage } from './layout-usage';
import { NewLayout } from './new-layout';
import { type Layout, layoutQuery } from './queries';
import styles from './layouts.module.css';

export function LayoutEditor({ layoutId }: { layoutId: string }) {
  const layout = useQuery(layoutQuery(layoutId));
  if (layout.data) return <Editor key={layout.data._id} loaded={layout.data} />;
  return (
    <UnloadedPage title="Layout" query={layout}>
      <NoSuch thing="layout" to="/layouts" />
    </UnloadedPage>
  );
}

const bodyOf = (layout: Layout): string => layout.controls.values.email?.body ?? '';

function Editor({ loaded }: { loaded: Layout }) {
  const { layoutId } = loaded;
  const params = { path: { layoutId } };
  const { width } = useSearch({ from: '/signed-in/layouts' });
  const navigate = useNavigate({ from: '/layouts' });
  const queries = useQueryClient();
  const canWrite = useCanWrite();
  const types = useQuery(stepTypesQuery);
  const [base, setBase] = useState(loaded);
  const [name, setName] = useState(base.name);
  const [body, setBody] = useState(() => bodyOf(base));
  const [dialog, setDialog] = useState<'copy' | 'delete'>();
  const editorType = base.controls.values.email?.editorType ?? 'html';
  const isChanged = name !== base.name || body !== bodyOf(base);

  const accept = (layout: Layout): void => {
    setBase(layout);
    setName(layout.name);
    setBody(bodyOf(layout));
    queries.setQueryData(layoutQuery(layoutId).queryKey, layout);
    void queries.invalidateQueries({ queryKey: ['layouts'] });
    void queries.invalidateQueries({ queryKey: ['layout-names'] });
  };
  const save = useSave({
    revision: base.revision,
    write: ({ isDefault }: { isDefault?: true }, revision) => {
      const controlValues = { email: { body, editorType } };
      return unwrap(api.PUT('/v2/layouts/{layoutId}', { params, body: { name, controlValues, isDefault, revision } }));
    },
    read: () => unwrap(api.GET('/v2/layouts/{layoutId}', { params })),
    onSaved: (layout, { isDefault }) => {
      accept(layout);
      showToast(isDefault ? 'It is the default layout now.' : 'Saved.');
    },
  });
  useShortcut('Mod+s', 'Save the layout', (event) => {
    event.preventDefault();
    if (canWrite) save.run({});
  });
  const fields = save.error instanceof ApiError ? save.error.fields : {};
  return (
    <Page
      title={base.name}
      isSticky
      note={
        <>
          <span>
            <code>{layoutId}</code> saved <Time at={base.updatedAt} relative />
          </span>
          <Link from="/layouts" to="." search={(before) => ({ ...before, layout: undefined, width: undefined })}>
            All layouts
          </Link>
        </>
      }
      actions={
        <>
          {base.isDefault && <Badge tone="info">Default</Badge>}
          {isChanged && <Badge tone="warn">Not saved</Badge>}
          {canWrite && (
            <>
              {!base.isDefault && <Button onClick={() => save.run({ isDefault: true })}>Make default</Button>}
              <Button onClick={() => setDialog('copy')}>Duplicate</Button>
              <Button kind="danger" onClick={() => setDialog('delete')}>
                Delete
              </Button>
              <Button kind="primary" isBusy={save.isBusy} onClick={() => save.run({})}>
                Save
              </Button>
            </>
          )}
        </>
      }
    >
      <SaveTrouble
        of="layout"
        error={save.error}
        conflict={save.conflict}
        onForce={() => save.run({}, { force: true })}
        onLoad={() => {
          accept(save.conflict!);
          save.forget();
        }}
      />
      <div className={styles['editor']}>
        <div className="stack">
          <Section title="Content">
            <TextField
              label="Name"
              required
              value={name}
              error={fields['name']}
              disabled={!canWrite}
              onChange={setName}
            />
            <CodeEditor
              label="Body"
              language={editorType === 'html' ? 'liquid-html' : 'json'}
              value={body}
              isReadOnly={!canWrite}
              words={types.data && { variables: layoutVariables(types.data.variables), filters: types.data.filters }}
              error={fields['controlValues.email.body']}
              hint="HTML with {{content}} where the content of the step goes. Templates read subscriber and context."
              onChange={setBody}
            />
          </Section>
          <LayoutUsage layoutId={layoutId} isDefault={base.isDefault} />
        </div>
        {canWrite && (
          <LayoutPreview
            layoutId={layoutId}
            email={{ body, editorType }}
            width={width ?? 'desktop'}
            onWidth={(chosen) => void navigate({ search: (before) => ({ ...before, width: chosen }), replace: true })}
          />
        )}
      </div>
      {dialog === 'copy' && <NewLayout copyOf={base} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteLayout layout={base} onClose={() => setDialog(undefined)} />}
      <LeaveGuard isChanged={isChanged} isLeft={({ next }) => (next.search as { layout?: string }).layout !== layoutId}>
        “{name}” has changes that are not saved.
      </LeaveGuard>
    </Page>
  );
}

const layoutVariables = <T extends { name: string }>(variables: T[]): (T | typeof CONTENT)[] => [
  CONTENT,
  ...variables.filter(({ name }) => /^(subscriber|context)\b/.test(name)),
];

const CONTENT = { name: 'content', description: 'The content of the step.', example: '{{ content }}' };
