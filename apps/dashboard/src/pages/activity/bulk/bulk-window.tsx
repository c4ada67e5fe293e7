import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isStatus } from '../../../api/error';
import { Button, ButtonLink } from '../../../ui/button';
import { Progress } from '../../../ui/progress';
import { formatNumber } from '../../../ui/time';
import { type BulkAction, bulkQuery, follow, stopBulk, WORDS } from './bulk-data';
import styles from './bulk.module.css';

/** Keeps the progress of a replay in sight after its dialog was closed. */
export default function BulkWindow({ id }: { id: string }) {
  const { bulk } = useSearch({ strict: false }) as { bulk?: string };
  const { data, error } = useQuery(bulkQuery(id));
  const isGone = isStatus(error, 404, 422);
  useEffect(() => {
    if (isGone) follow(undefined);
  }, [isGone]);
  return data && bulk !== id ? <Window found={data} /> : null;
}

function Window({ found }: { found: BulkAction }) {
  const { _id, action, state, count, done, failed, unchanged } = found;
  const client = useQueryClient();
  const stop = useMutation({
    mutationFn: () => stopBulk(_id),
    onSuccess: (after) => void client.setQueryData(bulkQuery(_id).queryKey, after),
  });
  const { title, done: word } = WORDS[action];
  return (
    <section className={styles['window']} aria-label={`${title} in progress`}>
      <header>
        <strong>
          {title} of {formatNumber(count)}
        </strong>
        {state === 'running' && (
          <Button isBusy={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        )}
        <ButtonLink to="/activity" search={{ bulk: _id }}>
          Show
        </ButtonLink>
        {state !== 'running' && <Button onClick={() => follow(undefined)}>Close</Button>}
      </header>
      <Progress label={`${title} of ${count}`} value={done + unchanged + failed} max={count} />
      <p role="status">
        {state === 'running' ? 'Running.' : state === 'stopped' ? 'Stopped.' : 'Finished.'} {formatNumber(done)} {word}
        {failed > 0 && `, ${formatNumber(failed)} rejected`}.
      </p>
    </section>
  );
}
