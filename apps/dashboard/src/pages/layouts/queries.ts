import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';

export type Layout = Schemas['LayoutDto'];

const LAYOUTS = 100;

export const layoutsQuery = (query: string | undefined) =>
  queryOptions({
    queryKey: ['layouts', query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v2/layouts', { params: { query: { query, limit: LAYOUTS, orderBy: 'name' } }, signal })),
  });

export const layoutQuery = (layoutId: string) =>
  queryOptions({
    queryKey: ['layout', layoutId],
    queryFn: ({ signal }) => unwrap(api.GET('/v2/layouts/{layoutId}', { params: { path: { layoutId } }, signal })),
    // The editor keeps what was typed; another person's change is found when it is saved.
    staleTime: Infinity,
  });

export const usageQuery = (layoutId: string) =>
  queryOptions({
    queryKey: ['layout-usage', layoutId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v2/layouts/{layoutId}/usage', { params: { path: { layoutId } }, signal })),
    staleTime: 0,
  });
