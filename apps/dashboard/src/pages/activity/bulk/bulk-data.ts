import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../../api/client';
import { chosenEnvironment } from '../../../session/environment';
import { createStore } from '../../../ui/store';

export type BulkAction = Schemas['BulkActionDto'];

const POLL_MS = 1_000;

export const pathOf = (bulkActionId: string) => ({ params: { path: { bulkActionId } } });

/** Read again and again while it runs. */
export const bulkQuery = (id: string | undefined) =>
  queryOptions({
    queryKey: ['bulk-actions', id],
    enabled: id !== undefined,
    queryFn: () => unwrap(api.GET('/v1/bulk-actions/{bulkActionId}', pathOf(id!))),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  });

export const stopBulk = (id: string) => unwrap(api.POST('/v1/bulk-actions/{bulkActionId}/stop', pathOf(id)));

export const WORDS = {
  replay: { title: 'Replay', does: 'will run again', done: 'replayed' },
  cancel: { title: 'Cancel sending', does: 'will be canceled', done: 'canceled' },
} as const;

const stored = `clarion.bulk.${chosenEnvironment() ?? 'own'}`;

/** The action that this window of the browser follows after its dialog was closed. */
export const followed = createStore<string | undefined>(sessionStorage.getItem(stored) ?? undefined);

export function follow(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(stored);
  else sessionStorage.setItem(stored, id);
  followed.set(id);
}
