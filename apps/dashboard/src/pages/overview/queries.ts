import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from '../../api/client';
import { type OverviewSearch, timesOf } from './search';

export type Overview = Schemas['OverviewDto'];
export type ErrorGroup = Schemas['ErrorGroupDto'];
export type IntegrationOverview = Schemas['IntegrationOverviewDto'];

const REFRESH_MS = 10_000;

/** What is shown stays until newer figures are there, so that nothing moves. */
const live = { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData } as const;

/** The same figures beside every page, loaded less often than those of the overview. */
export const beside = <Options extends object>(options: Options) => ({ ...options, refetchInterval: 3 * REFRESH_MS });

export const overviewQuery = ({ bulk: _, ...search }: OverviewSearch) =>
  queryOptions({
    ...live,
    queryKey: ['overview', search],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/overview', { params: { query: timesOf(search) }, signal })),
  });

export const errorGroupsQuery = ({ bulk: _, ...search }: OverviewSearch) =>
  queryOptions({
    ...live,
    queryKey: ['overview', 'error-groups', search],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/overview/error-groups', { params: { query: timesOf(search) }, signal })),
  });

export const integrationStatesQuery = queryOptions({
  ...live,
  queryKey: ['overview', 'integrations'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/overview/integrations', { signal })),
});
