import { type QueryKey, useMutation, type UseMutationResult } from '@tanstack/react-query';
import { ApiError } from '../api/error';
import { queries } from '../api/queries';
import { showToast } from './toasts';

export type Result<Made> = {
  /** What is loaded again afterwards. */
  stale?: QueryKey;
  /** What a toast says afterwards. */
  done?: string | ((made: Made) => string);
  then?(made: Made): unknown;
};

export type Faults = Readonly<Record<string, string | undefined>>;
export type Change<Made, Given = void> = UseMutationResult<Made, Error, Given> & { faults: Faults };

/** A change through the API. `faults` are its errors by field. */
export function useChange<Made, Given = void>(
  run: (given: Given) => Promise<Made>,
  { stale, done, then }: Result<Made> = {},
): Change<Made, Given> {
  const change = useMutation({
    mutationFn: run,
    onSuccess: async (made) => {
      if (stale) await queries.invalidateQueries({ queryKey: stale });
      if (done !== undefined) showToast(typeof done === 'string' ? done : done(made));
      await then?.(made);
    },
  });
  return { ...change, faults: change.error instanceof ApiError ? change.error.fields : {} };
}
