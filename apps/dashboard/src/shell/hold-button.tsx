import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { api, unwrap } from '../api/client';
import { type Hold, holdsQuery, type HoldTarget, isOfOperator } from '../api/holds';
import { useCanWrite } from '../session/session';
import { Button } from '../ui/button';
import { messageOf } from '../ui/page';
import { showToast } from '../ui/toasts';

const HoldDialog = lazy(() => import('./hold-dialog').then((module) => ({ default: module.HoldDialog })));

const WORDS = { hold: 'Hold', release: 'Release' };
/** On their own page, integrations are paused and resumed. */
const WORDS_OF_INTEGRATIONS = { hold: 'Pause', release: 'Resume' };

type Look = {
  isInList?: boolean;
  /** At the head of what it is about: its name is part of the words. */
  isPrimary?: boolean;
};

/** Holds the target after a question for the reason, or releases it. In a list its name is part of the label. */
export function HoldButton({ isInList = false, isPrimary = false, ...held }: HoldTarget & Look) {
  const { target, id, name } = held;
  const [isAsking, setAsking] = useState(false);
  const { data } = useQuery(holdsQuery());
  const canWrite = useCanWrite();
  const label = (word: string): string | undefined => (isInList ? `${word} ${name}` : undefined);
  const hold = data?.find((each) => each.target === target && each.id === id && each.state === 'held');
  const words = isInList && target === 'integration' ? WORDS_OF_INTEGRATIONS : WORDS;
  if (!canWrite) return null;
  if (hold) return <ReleaseButton hold={hold} word={words.release} label={label(words.release)} />;
  return (
    <>
      <Button kind={isPrimary ? 'primary' : undefined} aria-label={label(words.hold)} onClick={() => setAsking(true)}>
        {isPrimary ? `Hold ${name} …` : words.hold}
      </Button>
      <Suspense>{isAsking && <HoldDialog {...held} word={words.hold} onClose={() => setAsking(false)} />}</Suspense>
    </>
  );
}

/** Nothing where the reader may not release. */
export function ReleaseButton({ hold, word = WORDS.release, label }: { hold: Hold; word?: string; label?: string }) {
  const { _id, target, name, state } = hold;
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const release = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/holds/{holdId}', { params: { path: { holdId: _id } } })),
    onSuccess: () => {
      showToast(`${name} is released. Steps that waited go on.`);
      return client.invalidateQueries();
    },
  });
  if (!canWrite || state !== 'held' || isOfOperator(hold) || target === 'missing_integration') return null;
  return (
    <>
      {release.error && <span role="alert">{messageOf(release.error)}</span>}
      <Button aria-label={label} isBusy={release.isPending} onClick={() => release.mutate()}>
        {word}
      </Button>
    </>
  );
}
