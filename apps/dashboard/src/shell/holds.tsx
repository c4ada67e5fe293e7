import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas, unwrap } from '../api/client';
import { type Hold, holdsQuery, isOfOperator } from '../api/holds';
import { useCanWrite, useEnvironment } from '../session/session';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Form } from '../ui/form';
import { messageOf } from '../ui/messages';
import { Mark } from '../ui/status';
import { plural, Time } from '../ui/time';
import { showToast } from '../ui/toasts';
import styles from './shell.module.css';

const REGION = 'on-hold';

const KINDS: Record<Hold['target'], string> = {
  integration: 'Integration',
  channel: 'Channel',
  workflow: 'Workflow',
  environment: 'Environment',
  missing_integration: 'Channel without an integration',
};

/** How many holds there are; leads to what they say. */
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
  const { _id, target, name, reason, heldBy, createdAt, state, waitingSteps } = hold;
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const release = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/holds/{holdId}', { params: { path: { holdId: _id } } })),
    onSuccess: () => {
      showToast(`${name} is released. Steps that waited go on.`);
      return client.invalidateQueries();
    },
  });
  return (
    <div className={styles['held']}>
      <Mark tone="held" size={18} />
      <p>
        <strong>
          {KINDS[target]} <bdi>{name}</bdi> {state === 'resuming' ? 'is being released.' : 'is held.'}
        </strong>{' '}
        {plural(waitingSteps, 'step')} {waitingSteps === 1 ? 'waits' : 'wait'}. Held by <bdi>{heldBy}</bdi>{' '}
        <Time at={createdAt} relative />
        {reason ? (
          <>
            : “<bdi>{reason}</bdi>”
          </>
        ) : (
          ', without a reason.'
        )}
        {release.error && <span role="alert"> {messageOf(release.error)}</span>}
      </p>
      <Link to="/activity" search={{ status: ['in_flight'] }}>
        Show
      </Link>
      {canWrite && state === 'held' && !isOfOperator(hold) && target !== 'missing_integration' && (
        <Button isBusy={release.isPending} onClick={() => release.mutate()}>
          Release
        </Button>
      )}
    </div>
  );
}

type NewHold = Schemas['CreateHoldDto'];

/** Asks for the reason, then holds. `name` says what, as in "Email". */
export function HoldDialog({ target, id, name, onClose }: Omit<NewHold, 'reason'> & { name: string; onClose(): void }) {
  const [reason, setReason] = useState('');
  const environment = useEnvironment();
  const client = useQueryClient();
  const hold = useMutation({
    mutationFn: () => unwrap(api.POST('/v1/holds', { body: { target, id, ...(reason.trim() && { reason }) } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: holdsQuery().queryKey });
      showToast(`${name} is held.`);
      onClose();
    },
  });
  return (
    <Dialog title={`Hold ${name} in ${environment.name}?`} onClose={onClose}>
      <p>Steps wait until you release the hold. Nothing is lost, and new triggers are still accepted.</p>
      <Form error={hold.error} onSubmit={() => hold.mutate()}>
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          maxLength={500}
          hint="Shown on every page, and in the activity of each step that waits."
        />
        {environment.kind === 'production' && <Alert tone="warn">This is a production environment.</Alert>}
        <div>
          <Button type="submit" kind="primary" isBusy={hold.isPending}>
            Hold
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
