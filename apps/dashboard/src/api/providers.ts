import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from './client';

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async () => (await unwrap(api.GET('/v1/providers'))).data,
  staleTime: Infinity,
});

/** How a provider writes its name; empty until it is known, so that no id stands there for a moment. */
export function useProviderName(): (id: string) => string {
  const { data, isPending, failureCount } = useQuery(providersQuery);
  const otherwise = (id: string): string => (isPending && failureCount === 0 ? '' : id);
  return (id) => data?.find((provider) => provider.id === id)?.displayName ?? otherwise(id);
}
