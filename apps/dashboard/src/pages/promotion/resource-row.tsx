import { Alert } from '../../ui/page';
import { Badge, type Tone } from '../../ui/status';
import { plural } from '../../ui/time';
import { type Change, idOf, type ResourceDiff, type Verb, verbOf } from './data';
import { FieldChanges } from './field-changes';
import styles from './promotion.module.css';

const VERBS: Record<Verb, { tone: Tone; word: string }> = {
  add: { tone: 'good', word: 'Add' },
  change: { tone: 'info', word: 'Change' },
  delete: { tone: 'bad', word: 'Delete' },
};

type ResourceRowProps = { resource: ResourceDiff; isChosen: boolean; onChoose(isChosen: boolean): void };

export function ResourceRow({ resource, isChosen, onChoose }: ResourceRowProps) {
  const { resourceType, sourceResource, targetResource, changes, warnings, dependencies = [] } = resource;
  const { tone, word } = VERBS[verbOf(resource)];
  const name = (sourceResource ?? targetResource)!.name;
  const missing = dependencies.filter(({ isBlocking }) => isBlocking);
  return (
    <li className={styles['resource']}>
      <input
        type="checkbox"
        aria-label={`Publish ${resourceType} ${idOf(resource)}`}
        checked={isChosen}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <details>
        <summary>
          <Badge tone={tone}>{word}</Badge> {resourceType} <strong>{name}</strong> <code>{idOf(resource)}</code>,{' '}
          {plural(changes.length, 'change')}
        </summary>
        <div className={styles['changes']}>
          {missing.map(({ resourceId, resourceName }) => (
            <Alert key={resourceId} tone="warn">
              It needs the layout {resourceName}, which the target does not have. Publish both together.
            </Alert>
          ))}
          {warnings.map((warning) => (
            <Alert key={warning} tone="warn">
              {warning}
            </Alert>
          ))}
          {changes.map((change, index) => (
            <ChangeView key={index} change={change} />
          ))}
        </div>
      </details>
    </li>
  );
}

function ChangeView({ change }: { change: Change }) {
  const { resourceType, action, sourceResource, targetResource, diffs, previousIndex = 0, newIndex = 0 } = change;
  const named = (sourceResource ?? targetResource)?.name ?? '';
  const title = `${resourceType} ${named} ${action}`;
  return (
    <div>
      <h3>{title}</h3>
      {action === 'moved' && (
        <p>
          From place {previousIndex + 1} to place {newIndex + 1}.
        </p>
      )}
      {diffs && <FieldChanges values={diffs} label={title} />}
    </div>
  );
}
