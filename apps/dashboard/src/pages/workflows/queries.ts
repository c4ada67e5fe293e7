import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';

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
