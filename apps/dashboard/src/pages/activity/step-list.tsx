import { Badge, outcomeWord, type Tone } from '../../ui/status';
import type { ActivityRow } from './activity-data';
import styles from './activity.module.css';
import { channelWord } from './words';

type Step = ActivityRow['steps'][number];

const TONES: Record<Step['outcome'], Tone> = {
  delivered: 'good',
  failed: 'bad',
  skipped: 'calm',
  in_flight: 'info',
  in_doubt: 'warn',
};

/** The channels with the outcome of each, and the reason of the first that was not delivered. */
export function StepList({ steps }: { steps: Step[] }) {
  const told = steps.find(({ outcome, reason }) => reason && outcome !== 'delivered' && outcome !== 'skipped');
  const { reason } = told ?? steps.find((step) => step.reason) ?? {};
  return (
    <div className={styles['steps']}>
      <ul>
        {steps.map((step) => (
          <li key={step._id} title={step.reason ?? outcomeWord(step.outcome)}>
            <Badge tone={TONES[step.outcome]}>
              {channelWord(step.type)}
              <span className={styles['hidden']}> {outcomeWord(step.outcome)}</span>
            </Badge>
          </li>
        ))}
      </ul>
      {reason && (
        <span className={styles['reason']} title={reason}>
          <bdi>{reason}</bdi>
        </span>
      )}
    </div>
  );
}
