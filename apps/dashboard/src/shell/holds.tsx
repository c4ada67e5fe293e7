import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Hold, holdsQuery } from '../api/holds';
import { Mark } from '../ui/status';
import { plural, Time } from '../ui/time';
import { ReleaseButton } from './hold-button';
import styles from './shell.module.css';

const REGION = 'on-hold';

const KINDS: Record<Hold['target'], string> = {
  integration: 'Integration',
  channel: 'Channel',
  workflow: 'Workflow',
  environment: 'Environment',
  missing_integration: 'Channel without an integration',
};

export function HoldCount() {
  const { data = [] } = useQuery(holdsQuery());
  if (data.length === 0) return null;
  const label = `${plural(data.length, 'hold')}, steps wait`;
  return (
    <button
      type="button"
      className={styles['holds']}
      aria-label={label}
      title={label}
      onClick={() => document.getElementById(REGION)?.focus()}
    >
      <Mark tone="held" />
      {plural(data.length, 'hold')}
    </button>
  );
}

/** On every page while something is held: what, who, why, how many wait, and the way out. */
export function OnHold() {
  const { data = [] } = useQuery(holdsQuery());
  if (data.length === 0) return null;
  return (
    <section id={REGION} tabIndex={-1} className={styles['onHold']} aria-label="On hold">
      {data.map((hold) => (
        <Held key={hold._id} hold={hold} />
      ))}
    </section>
  );
}

function Held({ hold }: { hold: Hold }) {
  const { target, name, reason, heldBy, createdAt, state, waitingSteps } = hold;
  return (
    <div className={styles['held']}>
      <Mark tone="held" size={18} />
      <p>
        <strong>
          {KINDS[target]} <bdi>{name}</bdi> {state === 'resuming' ? 'is being released.' : 'is held.'}
        </strong>{' '}
        {plural(waitingSteps, 'step')} {waitingSteps === 1 ? 'waits' : 'wait'}. Held by “<bdi>{heldBy}</bdi>”{' '}
        <Time at={createdAt} relative />
        {reason ? (
          <>
            : “<bdi>{reason}</bdi>”
          </>
        ) : (
          ', without a reason.'
        )}
      </p>
      <Link to="/activity" search={{ status: ['in_flight'] }}>
        Show
      </Link>
      <ReleaseButton hold={hold} />
    </div>
  );
}
