import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Alert, Empty, Loading, messageOf, Section } from '../../ui/page';
import { formatNumber, plural } from '../../ui/time';
import {
  countsText,
  diffQuery,
  type Direction,
  idOf,
  keyOf,
  publish,
  reloadContent,
  type ResourceDiff,
  verbOf,
} from './data';
import styles from './promotion.module.css';
import { ResourceRow } from './resource-row';

export function Differences({ direction, targetName }: { direction: Direction; targetName: string }) {
  const diff = useQuery(diffQuery(direction));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const dryRun = useMutation({ mutationFn: publish });
  if (!diff.data) return <Loading query={diff} isBlock />;
  const { resources, summary } = diff.data;
  if (resources.length === 0) {
    return (
      <Empty title="Nothing differs">
        {plural(summary.totalEntities, 'resource')} were compared. Both environments have the same content.
      </Empty>
    );
  }
  const chosen = resources.filter((resource) => !left.has(keyOf(resource)));
  const choose = (keys: Iterable<string>) => {
    dryRun.reset();
    setLeft(new Set(keys));
  };
  return (
    <Section
      title="What would change"
      actions={
        <>
          <Button onClick={() => void diff.refetch()} isBusy={diff.isFetching}>
            Compare again
          </Button>
          <Button
            isBusy={dryRun.isPending}
            disabled={chosen.length === 0}
            onClick={() => dryRun.mutate({ ...direction, resources: chosen, dryRun: true })}
          >
            Dry run
          </Button>
          <Button kind="primary" disabled={chosen.length === 0} onClick={() => setAsking(true)}>
            Publish {formatNumber(chosen.length)}
          </Button>
        </>
      }
    >
      <p aria-live="polite">
        {chosen.length === resources.length ? 'All' : `${chosen.length} of ${resources.length}`} chosen:{' '}
        {countsText(chosen)} in {targetName}.
      </p>
      {summary.totalChanges > resources.length && (
        <Alert tone="info">
          {formatNumber(summary.totalChanges)} resources differ. The first {formatNumber(resources.length)} are shown;
          publish them, then compare again.
        </Alert>
      )}
      {dryRun.error && <Alert tone="bad">{messageOf(dryRun.error)} Compare again, then repeat the dry run.</Alert>}
      {dryRun.data && <DryRun result={dryRun.data} />}
      <div className="row">
        <Button onClick={() => choose([])}>Choose all</Button>
        <Button onClick={() => choose(resources.map(keyOf))}>Choose none</Button>
      </div>
      <ul className={styles['resources']}>
        {resources.map((resource) => (
          <ResourceRow
            key={keyOf(resource)}
            resource={resource}
            isChosen={!left.has(keyOf(resource))}
            onChoose={(isChosen) =>
              choose(isChosen ? [...left].filter((key) => key !== keyOf(resource)) : [...left, keyOf(resource)])
            }
          />
        ))}
      </ul>
      {isAsking && (
        <PublishDialog
          direction={direction}
          resources={chosen}
          targetName={targetName}
          onClose={() => setAsking(false)}
          onPublished={() => {
            setAsking(false);
            choose([]);
          }}
        />
      )}
    </Section>
  );
}

function DryRun({ result }: { result: Schemas['PublishResponseDto'] }) {
  const done = result.results.flatMap(({ successful }) => successful);
  return (
    <Alert tone={result.warnings.length > 0 ? 'warn' : 'good'}>
      The dry run passed: {plural(done.length, 'resource')} would be published, and nothing was changed.
      {result.warnings.map((warning) => (
        <span key={warning}>
          <br />
          {warning}
        </span>
      ))}
    </Alert>
  );
}

type PublishDialogProps = {
  direction: Direction;
  resources: ResourceDiff[];
  targetName: string;
  onPublished(): void;
  onClose(): void;
};

function PublishDialog({ direction, resources, targetName, onPublished, onClose }: PublishDialogProps) {
  const deleted = resources.filter((resource) => verbOf(resource) === 'delete');
  const warnings = [...new Set(resources.flatMap((resource) => resource.warnings))];
  return (
    <ConfirmDialog
      title={`Publish ${plural(resources.length, 'resource')} to ${targetName}?`}
      action="Publish"
      environmentId={direction.target}
      run={async () => {
        const { summary } = await publish({ ...direction, resources, dryRun: false });
        await reloadContent();
        return summary.successful;
      }}
      done={(count) => `${plural(count, 'resource')} published to ${targetName}.`}
      otherwise="Nothing was published."
      then={onPublished}
      onClose={onClose}
    >
      <p>
        {countsText(resources)}. All of it is published, or nothing. Gateways use it within 5 seconds; the history can
        undo it.
      </p>
      {deleted.length > 0 && (
        <Alert tone="warn">
          {targetName} has these alone, and they are deleted there: {deleted.map(idOf).join(', ')}.
        </Alert>
      )}
      {warnings.map((warning) => (
        <Alert key={warning} tone="warn">
          {warning}
        </Alert>
      ))}
    </ConfirmDialog>
  );
}
