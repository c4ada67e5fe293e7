import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../../api/client';
import { useCanWrite } from '../../session/session';
import { HoldButton } from '../../shell/hold-button';
import { Button, ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { LeaveGuard } from '../../ui/leave-guard';
import { Alert, Page, SaveTrouble } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { Badge } from '../../ui/status';
import { Tabs } from '../../ui/tabs';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { useSave } from '../../ui/use-save';
import { bodyOf, type Draft, draftOf, isSame, type StepTypes, type Workflow } from './draft';
import { PayloadSchema } from './payload-schema';
import { workflowQuery } from './queries';
import { useSample } from './sample';
import type { WorkflowSearch } from './search';
import { Settings } from './settings';
import { StepsPanel } from './steps-panel';
import { TestRun } from './test-run';
import { useDraft } from './use-draft';
import { Versions } from './versions';
import styles from './workflows.module.css';

/** The editor keeps its draft until it is saved or the person leaves the page on purpose. */
export function WorkflowEditor({ loaded, types }: { loaded: Workflow; types: StepTypes }) {
  const { workflowId } = loaded;
  const search = useSearch({ from: '/signed-in/workflows/$workflowId' });
  const navigate = useNavigate({ from: '/workflows/$workflowId' });
  const queries = useQueryClient();
  const canWrite = useCanWrite();
  const [base, setBase] = useState(loaded);
  const { draft, resets, change, undo, redo, accept: acceptDraft } = useDraft(loaded);
  const [sample, setSample] = useSample(loaded._id);
  const isChanged = !isSame(draft, draftOf(base));

  /** Continues from what the gateway has now. */
  const accept = (workflow: Workflow, sent?: Draft): void => {
    setBase(workflow);
    acceptDraft(workflow, sent);
    queries.setQueryData(workflowQuery(workflowId).queryKey, workflow);
    void queries.invalidateQueries({ queryKey: ['workflows'] });
    void queries.invalidateQueries({ queryKey: ['workflow-versions'] });
  };
  const params = { path: { workflowId } };
  const save = useSave({
    revision: base.revision,
    write: (sent: { draft: Draft; body: Schemas['UpdateWorkflowDto'] }, revision) =>
      unwrap(api.PUT('/v2/workflows/{workflowId}', { params, body: { ...sent.body, revision } })),
    read: () => unwrap(api.GET('/v2/workflows/{workflowId}', { params })),
    onSaved: (workflow, sent) => {
      accept(workflow, sent.draft);
      showToast('Saved.');
    },
  });
  const [fault, setFault] = useState<string>();
  const saveNow = (options?: { force: boolean }): void => {
    const content = bodyOf(draft, base);
    setFault('fault' in content ? content.fault : undefined);
    if ('body' in content) save.run({ draft, body: content.body }, options);
  };
  const set = (changes: Partial<WorkflowSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  useShortcut('Mod+s', 'Save the workflow', (event) => {
    event.preventDefault();
    if (canWrite) saveNow();
  });
  const onDraft = (move: (() => void) | undefined) => (event: KeyboardEvent) => {
    // Fields undo what is typed into them.
    if (!move || (event.target as Element).closest('input, textarea, .cm-editor, [contenteditable]')) return;
    event.preventDefault();
    move();
  };
  useShortcut('Mod+z', 'Undo the last change of the workflow', onDraft(undo));
  useShortcut('Mod+Z', 'Redo it', onDraft(redo));

  const editing = {
    ...{ base, draft, types, canWrite, resets, onChange: change },
    ...{ sample, onSample: setSample, search, onSearch: set },
  };
  return (
    <Tabs
      label="Parts of the workflow"
      selected={search.part ?? 'steps'}
      onSelect={(part) => set({ part: part === 'steps' ? undefined : part })}
      tabs={[
        { id: 'steps', label: 'Steps', content: () => <StepsPanel {...editing} /> },
        { id: 'settings', label: 'Settings', content: () => <Settings {...editing} /> },
        { id: 'payload', label: 'Payload schema', content: () => <PayloadSchema {...editing} /> },
      ]}
    >
      {(parts, panel) => (
        <Page
          title={base.name}
          isSticky
          note={
            <>
              <span className={styles['identity']}>
                <code>{workflowId}</code>{' '}
                <span className={styles['saved']}>
                  saved <Time at={base.updatedAt} relative />
                </span>
              </span>
              {parts}
            </>
          }
          actions={
            <>
              {isChanged && <Badge tone="warn">Not saved</Badge>}
              {!isChanged && base.status === 'ERROR' && <Badge tone="bad">Has issues</Badge>}
              {!draft.active && <Badge tone="calm">Inactive</Badge>}
              <ButtonLink to="/activity" search={{ workflowId: [workflowId] } as never}>
                Activity
              </ButtonLink>
              {canWrite && (
                <Button
                  disabled={!undo}
                  aria-label="Undo"
                  title="Undo (Ctrl-Z)"
                  aria-keyshortcuts="Control+Z Meta+Z"
                  onClick={() => undo?.()}
                >
                  <Icon name="undo" size={14} />
                </Button>
              )}
              {canWrite && redo && (
                <Button
                  aria-label="Redo"
                  title="Redo (Ctrl-Shift-Z)"
                  aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z"
                  onClick={redo}
                >
                  <Icon name="redo" size={14} />
                </Button>
              )}
              <HoldButton target="workflow" id={base._id} name={base.name} />
              <Button onClick={() => set({ dialog: 'versions' })}>Versions</Button>
              {canWrite && <Button onClick={() => set({ dialog: 'test-run' })}>Test run</Button>}
              {canWrite && (
                <Button
                  kind="primary"
                  isBusy={save.isBusy}
                  aria-keyshortcuts="Control+S Meta+S"
                  onClick={() => saveNow()}
                >
                  Save
                </Button>
              )}
            </>
          }
        >
          {!canWrite && <p className="quiet">Your key may read only, so nothing can be changed here.</p>}
          {fault && <Alert tone="bad">{fault}</Alert>}
          <SaveTrouble
            of="workflow"
            error={save.error}
            conflict={save.conflict}
            onForce={() => saveNow({ force: true })}
            onLoad={() => {
              accept(save.conflict!);
              save.forget();
            }}
          />
          {panel}
          {search.dialog === 'versions' && (
            <Versions
              workflow={base}
              isChanged={isChanged}
              canWrite={canWrite}
              selected={search.version}
              onSelect={(version) => set({ version })}
              onRestored={(workflow) => accept(workflow)}
              onClose={() => set({ dialog: undefined, version: undefined })}
            />
          )}
          {search.dialog === 'test-run' && canWrite && (
            <TestRun
              workflow={base}
              sample={sample}
              isChanged={isChanged}
              onSave={() => saveNow()}
              isSaving={save.isBusy}
              onClose={() => set({ dialog: undefined })}
            />
          )}
          <LeaveGuard isChanged={isChanged} isLeft={({ current, next }) => current.pathname !== next.pathname}>
            “{draft.name}” has changes that are not saved.
          </LeaveGuard>
        </Page>
      )}
    </Tabs>
  );
}
