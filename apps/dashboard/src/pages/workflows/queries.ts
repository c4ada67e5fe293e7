import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';

export const workflowQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ['workflow', workflowId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v2/workflows/{workflowId}', { params: { path: { workflowId } }, signal })),
    // The editor decides when it takes over what another person saved.
    staleTime: Infinity,
  });

/** The step types change with a release only. */
export const stepTypesQuery = queryOptions({
  queryKey: ['step-types'],
  queryFn: ({ signal }) => unwrap(api.GET('/v2/step-types', { signal })),
  staleTime: Infinity,
});

export const layoutNamesQuery = () =>
  queryOptions({
    queryKey: ['layout-names'],
    queryFn: ({ signal }) => unwrap(api.GET('/v2/layouts', { params: { query: { limit: 100 } }, signal })),
  });

export type Person = Pick<
  Schemas['SubscriberDto'],
  'subscriberId' | 'firstName' | 'lastName' | 'email' | 'phone' | 'avatar' | 'locale' | 'timezone' | 'data'
>;

export const personQuery = (subscriberId: string | undefined) =>
  queryOptions({
    queryKey: ['subscriber', subscriberId, 'sample'],
    enabled: subscriberId !== undefined,
    queryFn: async (): Promise<Person> => {
      const params = { path: { subscriberId: subscriberId! } };
      const found = await unwrap(api.GET('/v2/subscribers/{subscriberId}', { params }));
      const { firstName, lastName, email, phone, avatar, locale, timezone, data } = found;
      return { subscriberId: found.subscriberId, firstName, lastName, email, phone, avatar, locale, timezone, data };
    },
  });
