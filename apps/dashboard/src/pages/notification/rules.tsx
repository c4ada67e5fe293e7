import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../ui/page';
import { Mark } from '../../ui/status';
import { readAnswer } from './failure';
import styles from './notification.module.css';
import { type Job, type Notification, rulesQuery } from './queries';

/** Every rule of a step in the order of its evaluation: passed or stopped, with its values. */
export function Rules({ notification, job }: { notification: Notification; job: Job }) {
  const loaded = useQuery(rulesQuery(notification._id!, notification.updatedAt));
  if (!loaded.data) return <Loading query={loaded} lines={4} />;
  const { data } = loaded;
  const all = data.steps[(notification.jobs ?? []).indexOf(job)]?.rules ?? [];
  // Of several results of one rule, such as those of attempts, the last one counts.
  const rules = all.filter(({ rule }, place) => all.findLastIndex((each) => each.rule === rule) === place);
  const stop = rules.findIndex(({ passed }) => !passed);
  return (
    <>
      {data.recomputedMissing && <p>Only recorded rules are shown: {data.recomputedMissing}</p>}
      {rules.length === 0 && <p>No rule was evaluated for this step.</p>}
      <ol className={styles['rules']} aria-label="Rules">
        {(stop < 0 ? rules : rules.slice(0, stop + 1)).map((each) => (
          <Rule key={each.rule} {...each} />
        ))}
      </ol>
    </>
  );
}

type RuleProps = {
  rule: string;
  passed: boolean;
  detail: string;
  values: Record<string, unknown>;
  source: string;
};

function Rule({ rule, passed, detail, values, source }: RuleProps) {
  const line = (
    <>
      <Mark tone={passed ? 'good' : 'bad'} />
      <strong>
        {rule.replaceAll('_', ' ')}
        <span className="visually-hidden">{passed ? ' passed' : ' stopped'}</span>
      </strong>
      <span>{passed ? detail : inWords(detail, values)}</span>
      <span className="quiet">{passed ? source === 'recomputed' && 'today’s settings' : 'stopped here'}</span>
    </>
  );
  return (
    <li data-stopped={!passed || undefined}>
      {Object.keys(values).length === 0 ? (
        <div className={styles['rule']}>{line}</div>
      ) : (
        <details>
          <summary className={styles['rule']}>{line}</summary>
          <pre className={styles['values']}>{JSON.stringify(values, null, 2)}</pre>
        </details>
      )}
    </li>
  );
}

/** The words of the provider where it was called: `403: The sender is not verified`. */
function inWords(detail: string, values: Record<string, unknown>): string {
  const { kind, status, message } = readAnswer(JSON.stringify(values));
  return kind && message ? [status, message].filter(Boolean).join(': ') : detail;
}
