import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../api/client';
import { isStatus } from '../api/error';
import { queries } from '../api/queries';
import { endedSession } from './ended';
import { chosenEnvironment } from './environment';

export type Session = Schemas['SessionDto'];

/** The current session; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return await unwrap(api.GET('/v1/sessions/current'));
    } catch (error) {
      if (isStatus(error, 401)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const useSession = (): Session => useQuery(sessionQuery).data!;

export function useEnvironment(): Session['environments'][number] {
  const { environments, environmentId } = useSession();
  const id = chosenEnvironment() ?? environmentId;
  return environments.find(({ _id }) => _id === id) ?? { _id: id, name: id, identifier: id, kind: 'development' };
}

export const useCanWrite = (): boolean => useSession().scope !== 'read';

export async function signIn(credential: { apiKey: string } | { token: string }): Promise<Session> {
  const session = await unwrap(api.POST('/v1/sessions', { body: credential }));
  queries.setQueryData(sessionQuery.queryKey, session);
  endedSession.set(false);
  return session;
}

export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/v1/sessions/current'));
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, null);
}

const TOKEN = '#token=';

/**
 * Exchanges the one-time token of the address that `npm start` prints. It is in the fragment, which no server sees, and
 * leaves the address bar and the history at once. A token that was used before leads to the sign-in page, which says
 * so.
 */
export async function exchangeToken(): Promise<void> {
  if (!location.hash.startsWith(TOKEN)) return;
  const token = decodeURIComponent(location.hash.slice(TOKEN.length));
  history.replaceState(null, '', location.pathname + location.search);
  await signIn({ token }).catch((error: unknown) => {
    if (isStatus(error, 401)) history.replaceState(null, '', '/sign-in?link=used');
  });
}
