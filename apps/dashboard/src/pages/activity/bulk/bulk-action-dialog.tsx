import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { CHANNEL_NAMES } from '../../../api/channels';
import { api, type Schemas, unwrap } from '../../../api/client';
import { useProviderName } from '../../../api/providers';
import { Button } from '../../../ui/button';
import { Dialog, InEnvironment } from '../../../ui/dialog';
import { Select, TextField } from '../../../ui/field';
import { Progress } from '../../../ui/progress';
import { Alert, messageOf, Skeleton } from '../../../ui/page';
import { formatDuration, formatNumber, plural, Time } from '../../../ui/time';
import { statusOf, useAccounts } from '../../integrations/state';
import { type BulkAction, bulkQuery, follow, followed, pathOf, stopBulk, WORDS } from './bulk-data';
import styles from './bulk.module.css';

type Kind = BulkAction['action'];
type Filter = Schemas['ActivityFilterDto'];

const REASONS: Record<string, string> = {
  open: 'were opened again before',
  ended_again: 'have run since',
  redacted: 'have lost their payload, which was redacted',
  deleted: 'no longer exist',
  ended: 'had no open step any more',
  sending: 'were being sent',
};

type BulkActionDialogProps = {
  action: Kind;
  ids?: string[];
  filter?: Record<string, unknown>;
  /** The identifier of the integration that is chosen at first. */
  through?: string;
  onClose(): void;
};

/** Plans and follows a bulk action. Its id is in the address, so a reload or a colleague sees the same set. */
export function BulkActionDialog({ action, ids, filter, through, onClose }: BulkActionDialogProps) {
  const { bulk } = useSearch({ strict: false }) as { bulk?: string };
  const navigate = useNavigate();
  const query = useQuery(bulkQuery(bulk));
  const found = bulk ? query.data : undefined;
  const setBulk = (id: string | undefined) =>
    navigate({ to: '.', search: (before: object) => ({ ...before, bulk: id }), replace: true } as never);
  const close = (): void => {
    // What has ended was seen here; what still runs is followed beside the page.
    if (bulk === followed.get() && found?.state !== 'running') follow(undefined);
    void setBulk(undefined);
    onClose();
  };
  const plan = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/v1/bulk-actions', { body: { action, ids, filter: filter as Filter } as never })),
    onSuccess: ({ _id }) => setBulk(_id),
  });
  const isPlanned = useRef(false);
  const { mutate } = plan;
  useEffect(() => {
    if (bulk || isPlanned.current) return;
    isPlanned.current = true;
    mutate();
  }, [bulk, mutate]);
  const error = plan.error ?? query.error;
  return (
    <Dialog
      title={`${WORDS[found?.action ?? action].title} notifications`}
      onClose={close}
      footer={found ? undefined : <Button onClick={close}>Close</Button>}
    >
      {found ? (
        <Planned key={found._id} found={found} through={through} onClose={close} />
      ) : (
        !error && <Skeleton lines={3} />
      )}
      {error && !found && <Alert tone="bad">{messageOf(error)}</Alert>}
    </Dialog>
  );
}

type PlannedProps = { found: BulkAction; through?: string; onClose(): void };

function Planned({ found, through: first = '', onClose }: PlannedProps) {
  const client = useQueryClient();
  const [through, setThrough] = useState(first);
  const [rate, setRate] = useState(String(found.perSecond));
  const onSuccess = (after: BulkAction): void => void client.setQueryData(['bulk-actions', found._id], after);
  const perSecond = Number(rate);
  const isRate = Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 10_000;
  const run = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/v1/bulk-actions/{bulkActionId}/run', {
          ...pathOf(found._id),
          body: { count: found.count, perSecond, ...(through && { integrationIdentifier: through }) },
        }),
      ),
    onSuccess: (after) => {
      onSuccess(after);
      follow(found._id);
    },
  });
  const stop = useMutation({
    mutationFn: () => stopBulk(found._id),
    onSuccess,
  });
  // What is shown behind the dialog changes with the progress.
  const progress = `${found.state} ${found.done}`;
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['notifications'] });
    void client.invalidateQueries({ queryKey: ['activity'] });
  }, [client, progress]);
  const { title } = WORDS[found.action];
  const error = run.error ?? stop.error;
  return (
    <>
      {found.state === 'planned' ? <Forecast found={found} /> : <Outcome found={found} />}
      {found.state === 'planned' && found.count > 0 && <InEnvironment />}
      {found.state === 'planned' && found.count > 0 && (
        <div className={styles['choices']}>
          <SendThrough found={found} value={through} onChange={setThrough} />
          <TextField
            label="Rate"
            type="number"
            min={1}
            max={10_000}
            value={rate}
            onChange={setRate}
            error={isRate ? undefined : 'A whole number from 1 to 10,000.'}
            hint={
              isRate ? `Per second. It takes about ${formatDuration((found.count / perSecond) * 1_000)}.` : undefined
            }
          />
        </div>
      )}
      {error && <Alert tone="bad">{messageOf(error)}</Alert>}
      <div className={styles['actions']}>
        <Button onClick={onClose}>{found.state === 'planned' ? 'Keep' : 'Close'}</Button>
        {found.state === 'planned' && found.count > 0 && (
          <Button
            kind={found.action === 'cancel' ? 'danger' : 'primary'}
            disabled={!isRate}
            isBusy={run.isPending}
            onClick={() => run.mutate()}
          >
            {title} {formatNumber(found.count)}
          </Button>
        )}
        {found.state === 'running' && (
          <Button kind="danger" isBusy={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
      </div>
    </>
  );
}

type SendThroughProps = { found: BulkAction; value: string; onChange(identifier: string): void };

/** Of a replay: the integration, where a channel has a choice. */
function SendThrough({ found: { reasons = [] }, value, onChange }: SendThroughProps) {
  const nameOf = useProviderName();
  const all = useAccounts(new Set(reasons.map(({ channel }) => channel)));
  const channels = new Set(all.map(({ integration }) => integration.channel));
  if (all.length === channels.size) return null;
  const options = all.map(({ integration, hold }) => ({
    value: integration.identifier,
    label: `${integration.name || nameOf(integration.providerId)}, ${statusOf(integration, hold).word.toLowerCase()}`,
  }));
  return (
    <Select
      label="Send through"
      value={value}
      options={[{ value: '', label: 'The first that works' }, ...options]}
      hint={value && channels.size > 1 ? 'What goes over other channels is sent as before.' : undefined}
      onChange={onChange}
    />
  );
}

/** What exactly will run, and what may be sent twice. */
function Forecast({ found }: { found: BulkAction }) {
  const { action, count, notifications, selected, mayBeDuplicates, duplicateSample, hasMore } = found;
  if (count === 0) {
    const what = action === 'replay' ? 'has a step that failed' : 'has an open step';
    return (
      <p>
        None of {plural(selected, 'notification')} {what}. There is nothing to do.
      </p>
    );
  }
  const what = action === 'replay' ? plural(count, 'step') : plural(count, 'notification');
  const left = selected - notifications;
  return (
    <>
      <p>The set is frozen: exactly these, and nothing that fails later.</p>
      <div className={styles['figures']}>
        <p>
          <strong>{what}</strong>
          <span>
            {action === 'replay' && `of ${plural(notifications, 'notification')} `}
            {WORDS[action].does}
          </span>
        </p>
        <p>
          <strong>{formatNumber(mayBeDuplicates)}</strong>
          <span>may arrive twice</span>
        </p>
        <p>
          <strong>{formatNumber(left)}</strong>
          <span>
            of the selection {left === 1 ? 'has' : 'have'} nothing to {action}
          </span>
        </p>
      </div>
      <Reasons found={found} />
      {hasMore && <Alert tone="warn">More matched than one action can hold. Run it, then select the rest again.</Alert>}
      {mayBeDuplicates > 0 ? (
        <>
          <Alert tone="warn">
            {formatNumber(mayBeDuplicates)} of {formatNumber(count)} may have reached the provider already. A person may
            get the message twice.
          </Alert>
          <ul className={styles['sample']} aria-label="Notifications that may be sent twice">
            {duplicateSample.map((id) => (
              <li key={id}>
                <Link to="/activity/$notificationId" params={{ notificationId: id }}>
                  {id}
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="quiet">No message of them reached a provider.</p>
      )}
    </>
  );
}

/** What a replay runs again, by the words of the provider. */
function Reasons({ found: { reasons = [] } }: { found: BulkAction }) {
  const nameOf = useProviderName();
  const most = reasons[0]?.count ?? 0;
  return (
    reasons.length > 0 && (
      <ul className={styles['reasons']} aria-label="Reasons">
        {reasons.map(({ reason, channel, providerId, count }) => (
          <li key={`${reason} ${channel} ${providerId}`}>
            <span>
              <bdi>{reason ?? 'No reason was recorded'}</bdi>
              <small>{[CHANNEL_NAMES[channel], providerId && nameOf(providerId)].filter(Boolean).join(', ')}</small>
            </span>
            <i style={{ width: `${(count / most) * 6}rem` }} />
            <strong>{plural(count, 'step')}</strong>
          </li>
        ))}
      </ul>
    )
  );
}

function Outcome({ found }: { found: BulkAction }) {
  const { action, state, count, done, unchanged, failed, lastError, nextAt, unchangedReasons = [] } = found;
  const headline =
    state === 'running'
      ? 'Running. You can close this; it goes on.'
      : state === 'stopped'
        ? 'Stopped. What was not reached is as it was.'
        : 'Finished.';
  return (
    <>
      <Progress label={`${WORDS[action].title} progress`} value={done + unchanged + failed} max={count} />
      <p role="status">
        {headline} {formatNumber(done)} {WORDS[action].done}
        {failed > 0 && `, ${formatNumber(failed)} rejected`}
        {unchanged > 0 && `, ${formatNumber(unchanged)} left as they were`}.
      </p>
      {state === 'running' && lastError && (
        <Alert tone="warn">
          {lastError}. It goes on with smaller batches
          {nextAt && (
            <>
              , the next one at <Time at={nextAt} />
            </>
          )}
          .
        </Alert>
      )}
      {unchangedReasons.length > 0 && (
        <ul>
          {unchangedReasons.map(({ reason, count: each }) => (
            <li key={reason}>
              {formatNumber(each)} {REASONS[reason]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
