import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './dialog';

type Move = { current: { pathname: string }; next: { pathname: string; search: unknown } };

/** Asks before the page is left while it has changes that are not saved. `isLeft` tells which moves leave it. */
export function LeaveGuard(props: { isChanged: boolean; isLeft?(move: Move): boolean; children: ReactNode }) {
  const { isChanged, isLeft = () => true, children } = props;
  const blocker = useBlocker({
    shouldBlockFn: (move) => isChanged && isLeft(move),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      environmentId={null}
      run={() => Promise.resolve()}
      then={blocker.proceed}
      onClose={blocker.reset}
    >
      <p>{children} They are lost when you leave.</p>
    </ConfirmDialog>
  );
}
