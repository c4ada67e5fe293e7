import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endedSession } from '../session/ended';
import { ApiError, isStatus } from './error';

const LONGEST_WAIT_MS = 15_000;

/** Errors that pass: the gateway is away, restarts, or asks to wait. */
const passes = (error: unknown): boolean => !(error instanceof ApiError) || isStatus(error, 429, 502, 503, 504);

function onError(error: unknown): void {
  if (isStatus(error, 401)) endedSession.set(true);
}

/** Reads are repeated until the gateway is back; writes are never repeated by themselves. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => passes(error) && (error instanceof ApiError ? failures < 20 : true),
      retryDelay: (failures, error) => {
        const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        return Math.max(asked, Math.min(500 * 2 ** failures, LONGEST_WAIT_MS));
      },
    },
  },
});
