import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../ui/load-error';
import { Skeleton } from '../../ui/skeleton';
import { Badge } from '../../ui/status';
import styles from './notification.module.css';
import { type Job, type Notification, rulesQuery } from './queries';

/** Every rule of a step in order: passed or stopped, with its values. */
export function Rules({ notification, job }: { notification: Notification; job: Job }) {
  const { data, error, refetch } = useQuery(rulesQuery(notification._id!, notification.updatedAt));
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={4} />;
  const index = (notification.jobs ?? []).indexOf(job);
  const rules = data.steps[index]?.rules ?? [];
  return (
    <>
      {data.recomputedMissing && <p>Only recorded rules are shown: {data.recomputedMissing}</p>}
      {rules.length === 0 && <p>No rule was evaluated for this step.</p>}
      <ol className={styles['details']} aria-label="Rules">
        {rules.map(({ rule, passed, detail, values, source }, place) => (
          <li key={place}>
            <div className={styles['detailLine']}>
              <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'Passed' : 'Stopped'}</Badge>
              <strong>{rule.replaceAll('_', ' ')}</strong>
              <span>{detail}</span>
              <span className={styles['quiet']}>
                {source === 'recorded' ? 'recorded' : 'evaluated again with the settings of today'}
              </span>
            </div>
            {Object.keys(values).length > 0 && (
              <details>
                <summary>Values</summary>
                <pre className={styles['values']}>{JSON.stringify(values, null, 2)}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
