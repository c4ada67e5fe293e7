import { useProviderName } from '../../api/providers';
import { CodeBlock } from '../../ui/button';
import { Mark, type Tone } from '../../ui/status';
import { Time } from '../../ui/time';
import styles from './notification.module.css';
import type { Job } from './queries';

/** What passed needs no sign. */
const TONES: Record<string, Tone> = { Success: 'good', Failed: 'bad', Warning: 'warn', ReadConfirmation: 'good' };

/** Every execution detail in words, in the zone of the reader and in UTC. */
export function Details({ job }: { job: Job }) {
  const nameOf = useProviderName();
  if (job.executionDetails.length === 0) return <p>Nothing has happened in this step yet.</p>;
  return (
    <ol className={styles['details']} aria-label="Execution details">
      {job.executionDetails.map(({ _id, createdAt, status, detail, providerId, isRetry, raw }) => (
        <li key={_id}>
          {TONES[status] ? <Mark tone={TONES[status]} label={status} /> : <i className={styles['dot']} />}
          <div>
            <strong>{detail}</strong>
            {isRetry && <span className="quiet"> repeated</span>}
            {wordsOf(raw) && <p>{wordsOf(raw)}</p>}
            <p className="quiet">
              {createdAt && (
                <>
                  <Time at={createdAt} relative /> · {createdAt.slice(11, 23)} UTC
                </>
              )}
              {providerId && ` · ${nameOf(providerId)}`}
            </p>
            {raw && (
              <details>
                <summary>Raw data</summary>
                <CodeBlock text={pretty(raw)} label="Raw data" />
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** What the provider said, or why the engine decided so, where the raw data has it in words. */
function wordsOf(raw: string | null | undefined): string | undefined {
  try {
    const { message, reason } = JSON.parse(raw ?? '{}') as { message?: unknown; reason?: unknown };
    return [message, reason].find((text) => typeof text === 'string' && text !== '') as string | undefined;
  } catch {
    return undefined;
  }
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
