import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../ui/page';
import { Mark } from '../../ui/status';
import styles from './notification.module.css';
import { type Job, type Notification, rulesQuery } from './queries';

/** Every rule of a step in order: passed or stopped, with its values. */
export function Rules({ notification, job }: { notification: Notification; job: Job }) {
  const loaded = useQuery(rulesQuery(notification._id!, notification.updatedAt));
  if (!loaded.data) return <Loading query={loaded} lines={4} />;
  const { data } = loaded;
  const index = (notification.jobs ?? []).indexOf(job);
  const rules = data.steps[index]?.rules ?? [];
  return (
    <>
      {data.recomputedMissing && <p>Only recorded rules are shown: {data.recomputedMissing}</p>}
      {rules.length === 0 && <p>No rule was evaluated for this step.</p>}
      <ol className={styles['details']} aria-label="Rules">
        {rules.map(({ rule, passed, detail, values, source }, place) => (
          <li key={place}>
            <div className={styles['rule']} data-stopped={!passed || undefined}>
              <Mark tone={passed ? 'good' : 'bad'} />
              <strong>
                {rule.replaceAll('_', ' ')}
                <span className="visually-hidden">{passed ? ' passed' : ' stopped'}</span>
              </strong>
              <span>{detail}</span>
              <span className="quiet" title={source === 'recorded' ? undefined : 'With the settings of today'}>
                {passed ? (source === 'recorded' ? 'recorded' : 'evaluated again') : 'stopped here'}
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
