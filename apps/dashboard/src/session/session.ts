import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchRaw } from '../api/client';
import { isStatus } from '../api/error';
import { queries } from '../api/queries';
import { endedSession } from './ended';

export type Session = {
  _id: string;
  environmentId: string;
  organizationId: string;
  scope: 'admin' | 'full' | 'read' | 'trigger';
  keyName: string;
  expiresAt: string;
  environments: { _id: string; name: string; identifier: string }[];
};

/** The current session; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return (await (await fetchRaw('/v1/sessions/current')).json()) as Session;
    } catch (error) {
      if (isStatus(error, 401)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** The session of a page that is shown only with one. */
export const useSession = (): Session => useQuery(sessionQuery).data!;

/** Whether the key of the session may change things. */
export const useCanWrite = (): boolean => useSession().scope !== 'read';

export async function signIn(credential: { apiKey: string } | { token: string }): Promise<Session> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetchRaw('/v1/sessions', { method: 'POST', headers, body: JSON.stringify(credential) });
  const session = (await response.json()) as Session;
  queries.setQueryData(sessionQuery.queryKey, session);
  endedSession.set(false);
  return session;
}

export async function signOut(): Promise<void> {
  await fetchRaw('/v1/sessions/current', { method: 'DELETE' });
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, null);
}

const TOKEN = '#token=';

/**
 * Exchanges the one-time token of the address that `npm start` prints. It is in the fragment, which no server sees, and
 * leaves the address bar and the history at once. A token that was used before leads to the sign-in page.
 */
export async function exchangeToken(): Promise<void> {
  if (!location.hash.startsWith(TOKEN)) return;
  const token = decodeURIComponent(location.hash.slice(TOKEN.length));
  history.replaceState(null, '', location.pathname + location.search);
  await signIn({ token }).catch(() => undefined);
}
