import { CHANNEL_NAMES } from '../../api/channels';
import { CHANNEL_ICONS, Icon } from '../../ui/icon';
import { Mark, outcomeTone, outcomeWord } from '../../ui/status';
import type { ActivityRow } from './activity-data';
import styles from './activity.module.css';

type Step = ActivityRow['steps'][number];

export function StepList({ steps }: { steps: Step[] }) {
  return (
    <ul className={styles['steps']}>
      {steps.map((step) => (
        <li key={step._id} title={`${CHANNEL_NAMES[step.type]}: ${step.reason ?? outcomeWord(step.outcome)}`}>
          <Icon name={CHANNEL_ICONS[step.type]} size={14} />
          <Mark tone={outcomeTone(step.outcome)} label={`${CHANNEL_NAMES[step.type]} ${outcomeWord(step.outcome)}`} />
        </li>
      ))}
    </ul>
  );
}

/** The reason of the first step that was not delivered. */
export function Reason({ steps }: { steps: Step[] }) {
  const told = steps.find(({ outcome, reason }) => reason && outcome !== 'delivered' && outcome !== 'skipped');
  const { reason, code } = told ?? steps.find((step) => step.reason) ?? {};
  return reason ? (
    <span className={styles['cut']} title={reason}>
      {code && <code className="tag">{code}</code>} <bdi>{reason}</bdi>
    </span>
  ) : null;
}
