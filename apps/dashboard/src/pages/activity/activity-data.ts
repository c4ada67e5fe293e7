import { infiniteQueryOptions, type InfiniteData, queryOptions } from '@tanstack/react-query';
import { api, fetchRaw, type Schemas, unwrap } from '../../api/client';
import { queries } from '../../api/queries';
import { chosenEnvironment } from '../../session/environment';
import { stringifySearch } from '../../search';
import { saveFile } from '../../ui/save-file';
import type { ActivityFilters } from './search';

export type ActivityRow = Schemas['ActivityRowDto'];
export type ErrorGroup = Schemas['ErrorGroupDto'];
type ActivityPage = Schemas['ActivityListDto'];

const PAGE_SIZE = 100;

/** The rows that match, newest first, page by page. New rows appear only when the reader asks for them. */
export const activityQuery = (filters: ActivityFilters) =>
  infiniteQueryOptions({
    queryKey: ['activity', filters],
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
    // To compare all rows with each page that arrives takes longer than to draw those that are visible.
    structuralSharing: false,
  });

function readPage(filters: ActivityFilters, cursor?: string, signal?: AbortSignal): Promise<ActivityPage> {
  return unwrap(api.GET('/v1/activity', { params: { query: { ...filters, limit: PAGE_SIZE, cursor } }, signal }));
}

const SAMPLE = 7;

/** The newest rows that match, as many as are shown below a group. */
export const sampleQuery = (filters: ActivityFilters) =>
  queryOptions({
    queryKey: ['activity-sample', filters],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/activity', { params: { query: { ...filters, limit: SAMPLE } }, signal })),
  });

/** How many matching notifications are newer than this one; more than a page is counted as a page. */
export async function countNewer(filters: ActivityFilters, id: string | undefined): Promise<number> {
  const { data } = await readPage(filters);
  return data.filter(({ _id }) => id === undefined || _id > id).length;
}

export function replaceRows(filters: ActivityFilters, rows: ActivityRow[]): void {
  const byId = new Map(rows.map((row) => [row._id, row]));
  queries.setQueryData(
    activityQuery(filters).queryKey,
    (data: InfiniteData<ActivityPage> | undefined) =>
      data && {
        ...data,
        pages: data.pages.map((page) =>
          page.data.some(({ _id }) => byId.has(_id))
            ? { ...page, data: page.data.map((row) => byId.get(row._id) ?? row) }
            : page,
        ),
      },
  );
}

/** The rows above and below this one in the list that was opened last. */
export function neighboursOf(id: string): { before?: string; after?: string } {
  const lists = queries
    .getQueryCache()
    .findAll({ queryKey: ['activity'] })
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .map(
      ({ state }) => (state.data as InfiniteData<ActivityPage> | undefined)?.pages.flatMap(({ data }) => data) ?? [],
    );
  const list = lists.find((rows) => rows.some(({ _id }) => _id === id)) ?? [];
  const place = list.findIndex(({ _id }) => _id === id);
  return { before: list[place - 1]?._id, after: place < 0 ? undefined : list[place + 1]?._id };
}

/** Reads the list again from its newest row. */
export const reloadActivity = (filters: ActivityFilters): Promise<void> =>
  queries.resetQueries({ queryKey: activityQuery(filters).queryKey, exact: true });

export const groupsQuery = (filters: ActivityFilters) =>
  queryOptions({
    queryKey: ['activity-groups', filters],
    queryFn: () => unwrap(api.GET('/v1/activity/groups', { params: { query: filters } })),
  });

export const workflowNamesQuery = queryOptions({
  queryKey: ['workflow-names'],
  queryFn: () => unwrap(api.GET('/v2/workflows', { params: { query: { limit: 100 } } })),
  staleTime: 60_000,
});

/** An export of another environment is read first, because a link cannot name the environment. */
export async function exportActivity(filters: ActivityFilters, format: 'csv' | 'json'): Promise<void> {
  const path = `/v1/activity/export${stringifySearch({ ...filters, format })}`;
  saveFile(`activity.${format}`, chosenEnvironment() ? await (await fetchRaw(path)).blob() : path);
}
