import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Alert } from './alert';
import { ConfirmDialog } from './dialog';
import { LoadError } from './load-error';
import { messageOf } from './messages';
import { Skeleton } from './skeleton';

type DeleteProps<Usage> = {
  name: string;
  usage: UseQueryResult<Usage>;
  remove(): Promise<unknown>;
  onDeleted(): void | Promise<void>;
  onClose(): void;
  /** What the reader should know about the usage. */
  children(usage: Usage): ReactNode;
};

/** Shows what uses an object before it is deleted. */
export function DeleteDialog<Usage>({ name, usage, remove, onDeleted, onClose, children }: DeleteProps<Usage>) {
  const deletion = useMutation({ mutationFn: remove, onSuccess: onDeleted });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete"
      isBusy={deletion.isPending || usage.isPending}
      error={deletion.error && <Alert tone="bad">{messageOf(deletion.error)}</Alert>}
      onClose={onClose}
      onConfirm={() => deletion.mutate()}
    >
      {usage.isPending && <Skeleton />}
      {usage.isError && <LoadError error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data !== undefined && children(usage.data)}
    </ConfirmDialog>
  );
}
