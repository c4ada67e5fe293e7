import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/error';

type SaveProps<Saved, Given> = {
  /** What is edited was made from it. */
  revision: string | undefined;
  write(given: Given, revision: string | undefined): Promise<Saved>;
  read(): Promise<Saved>;
  onSaved(saved: Saved, given: Given): unknown;
};

/** Saves unless another person saved meanwhile, which the revision tells. `conflict` is what they saved. */
export function useSave<Saved, Given = void>({ revision, write, read, onSaved }: SaveProps<Saved, Given>) {
  const [conflict, setConflict] = useState<Saved>();
  const save = useMutation({
    mutationFn: ({ given, force }: { given: Given; force: boolean }) => write(given, force ? undefined : revision),
    onSuccess: (saved, { given }) => {
      setConflict(undefined);
      return onSaved(saved, given);
    },
    onError: async (error) => {
      if (isStatus(error, 409)) setConflict(await read());
    },
  });
  return {
    isBusy: save.isPending,
    isSaved: save.isSuccess,
    error: conflict === undefined ? save.error : null,
    conflict,
    run: (given: Given, { force = false } = {}): void => void (!save.isPending && save.mutate({ given, force })),
    forget: (): void => {
      setConflict(undefined);
      save.reset();
    },
  };
}
