import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './dialog';
import { Loaded } from './states';
import type { Result } from './use-change';

type DeleteProps<Usage> = Result<unknown> & {
  name: string;
  usage: UseQueryResult<Usage>;
  run(): Promise<unknown>;
  onClose(): void;
  /** What the reader should know about the usage. */
  children(usage: Usage): ReactNode;
};

/** Shows what uses an object before it is deleted. */
export function DeleteDialog<Usage>({ name, usage, children, ...rest }: DeleteProps<Usage>) {
  return (
    <ConfirmDialog title={`Delete ${name}?`} action="Delete" isBusy={usage.isPending} {...rest}>
      <Loaded query={usage}>{children}</Loaded>
    </ConfirmDialog>
  );
}
