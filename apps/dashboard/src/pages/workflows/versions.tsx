import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { classes } from '../../ui/classes';
import { Dialog } from '../../ui/dialog';
import { Diff } from '../../ui/diff';
import { Alert, Loading, messageOf, MoreButton } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import type { Step, Workflow } from './draft';
import styles from './workflows.module.css';

type VersionsProps = {
  workflow: Workflow;
  isChanged: boolean;
  canWrite: boolean;
  selected: string | undefined;
  onSelect(version: string): void;
  onRestored(workflow: Workflow): void;
  onClose(): void;
};

/** The versions of the steps, newest first. The selected one is compared with the steps as they are saved now. */
export function Versions({ workflow, isChanged, canWrite, selected, onSelect, onRestored, onClose }: VersionsProps) {
  const { workflowId } = workflow;
  const versions = useInfiniteQuery({
    queryKey: ['workflow-versions', workflowId, workflow.updatedAt],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/v2/workflows/{workflowId}/versions', {
          params: { path: { workflowId }, query: { before: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ data, hasMore }) => (hasMore ? data.at(-1)?.version : undefined),
  });
  const rows = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Dialog title="Versions" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      {!versions.data && <Loading query={versions} lines={5} />}
      <ol className={styles['versions']} reversed>
        {rows.map((row) => (
          <li key={row.version} className={classes(String(row.version) === selected && styles['selected'])}>
            <VersionRow
              row={row}
              isOpen={String(row.version) === selected}
              onToggle={() => onSelect(String(row.version) === selected ? '' : String(row.version))}
            />
            {String(row.version) === selected && (
              <VersionDetail
                workflow={workflow}
                version={row.version}
                isCurrent={row.isCurrent}
                isChanged={isChanged}
                canWrite={canWrite}
                onRestored={(restored) => {
                  onRestored(restored);
                  showToast(`Version ${row.version} is restored.`);
                  onClose();
                }}
              />
            )}
          </li>
        ))}
      </ol>
      <MoreButton list={versions}>Older versions</MoreButton>
    </Dialog>
  );
}

type VersionRowProps = { row: Schemas['WorkflowVersionDto']; isOpen: boolean; onToggle(): void };

function VersionRow({ row, isOpen, onToggle }: VersionRowProps) {
  return (
    <>
      <div className={styles['stepHead']}>
        <span className="row">
          <strong>Version {row.version}</strong>
          {row.isCurrent && <Badge tone="good">Current</Badge>}
          <span className="quiet">
            <Time at={row.createdAt} />
            {row.actor && ` · ${row.actor.keyPrefix ? `key ${row.actor.keyPrefix}…` : row.actor.type}`}
          </span>
        </span>
        <Button aria-expanded={isOpen} onClick={onToggle}>
          {isOpen ? 'Hide' : 'Compare'}
          <span className="visually-hidden"> version {row.version}</span>
        </Button>
      </div>
      <ul className={classes('bullets', styles['changes'])}>
        {row.changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </>
  );
}

type DetailProps = {
  workflow: Workflow;
  version: number;
  isCurrent: boolean;
  isChanged: boolean;
  canWrite: boolean;
  onRestored(workflow: Workflow): void;
};

function VersionDetail({ workflow, version, isCurrent, isChanged, canWrite, onRestored }: DetailProps) {
  const path = { workflowId: workflow.workflowId, version };
  const detail = useQuery({
    queryKey: ['workflow-version', workflow._id, version],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v2/workflows/{workflowId}/versions/{version}', { params: { path }, signal })),
    staleTime: Infinity,
  });
  const restore = useMutation({
    mutationFn: () => unwrap(api.POST('/v2/workflows/{workflowId}/versions/{version}/restore', { params: { path } })),
    onSuccess: onRestored,
  });
  if (!detail.data) return <Loading query={detail} lines={4} />;
  return (
    <div className="stack">
      {!isCurrent && (
        <>
          <p className="quiet">What restoring it would change in the steps that are saved now:</p>
          <div className={styles['diffFrame']}>
            <Diff label="Difference" before={shown(workflow.steps)} after={shown(detail.data.steps)} />
          </div>
        </>
      )}
      {isCurrent && <pre className={styles['plainValues']}>{shown(detail.data.steps)}</pre>}
      {restore.error && <Alert tone="bad">{messageOf(restore.error)}</Alert>}
      {canWrite && !isCurrent && (
        <div className="row">
          <Button kind="primary" isBusy={restore.isPending} disabled={isChanged} onClick={() => restore.mutate()}>
            Restore
          </Button>
          {isChanged && <span className="quiet">Save or undo your changes first.</span>}
        </div>
      )}
    </div>
  );
}

const shown = (steps: Step[]): string =>
  JSON.stringify(
    steps.map(({ stepId, name, type, active, shouldStopOnFail, filters, variants, controlValues }) => ({
      ...{ stepId, name, type, active, shouldStopOnFail },
      ...(filters.length > 0 && { filters }),
      ...(variants.length > 0 && { variants }),
      controlValues,
    })),
    null,
    2,
  );
