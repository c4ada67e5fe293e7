import { Diff } from '../../ui/diff';
import type { Values } from './data';
import styles from './promotion.module.css';

/** A value as lines; undefined where one side does not have it. */
const written = (value: unknown): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** Whether a field of a new or deleted resource says nothing. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

export function FieldChanges({ values, label }: { values: Values; label: string }) {
  const before = values.previous ?? {};
  const after = values.new ?? {};
  const isWhole = values.previous === null || values.new === null;
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (path) => !isWhole || !isEmpty(before[path] ?? after[path]),
  );
  return (
    <dl className={styles['fields']}>
      {paths.map((path) => (
        <div key={path} className={styles['field']}>
          <dt>
            <code>{path}</code>
          </dt>
          <dd>
            <Diff label={`${label}: ${path}`} before={written(before[path])} after={written(after[path])} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
