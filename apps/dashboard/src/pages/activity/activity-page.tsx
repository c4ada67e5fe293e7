import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Dispatch, lazy, type SetStateAction, Suspense, useCallback, useMemo, useState } from 'react';
import { useCanWrite } from '../../session/session';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { Empty, LoadError, messageOf, Page, Skeleton } from '../../ui/page';
import { useShortcut } from '../../ui/shortcuts';
import { plural } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { useLatest } from '../../ui/use-latest';
import { activityQuery, exportActivity } from './activity-data';
import { ActivityTable } from './activity-table';
import styles from './activity.module.css';
import { FilterBar } from './filter-bar';
import { NewRows } from './new-rows';
import type { ActivityFilters } from './search';
import { SavedViews } from './saved-views';
import { Selection, type SelectionState } from './selection';
import { chosenFilters } from './words';

const route = getRouteApi('/signed-in/activity');
const BulkActionDialog = lazy(() =>
  import('./bulk/bulk-action-dialog').then(({ BulkActionDialog: Dialog }) => ({ default: Dialog })),
);

const Groups = lazy(() => import('./groups'));

const NOTHING: SelectionState = { ids: new Set(), isEverything: false };

export function ActivityPage() {
  const { group, bulk, environment: _, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const [selection, setSelection] = useState(NOTHING);
  const [action, setAction] = useState<'replay' | 'cancel'>();
  const [replayed, setReplayed] = useState<ActivityFilters>();
  const change = (changed: ActivityFilters): void => {
    setSelection(NOTHING);
    void navigate({ search: (search) => ({ ...search, ...changed }), replace: true });
  };
  const isGrouped = group === 'reason';
  const everything = replayed ?? (selection.isEverything ? filters : undefined);
  return (
    <Page title="Activity" lead={<SavedViews search={{ ...filters, group }} />} actions={<Exports filters={filters} />}>
      <FilterBar
        filters={filters}
        isGrouped={isGrouped}
        onChange={change}
        onGroup={(wanted) =>
          void navigate({ search: (search) => ({ ...search, group: wanted ? 'reason' : undefined }) })
        }
      />
      {isGrouped ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <Groups filters={filters} onReplay={setReplayed} />
        </Suspense>
      ) : (
        <Rows
          key={JSON.stringify(filters)}
          filters={filters}
          selection={selection}
          onSelection={setSelection}
          onAction={setAction}
        />
      )}
      {(action ?? replayed ?? bulk) && (
        <Suspense>
          <BulkActionDialog
            action={action ?? 'replay'}
            {...(everything ? { filter: everything } : { ids: [...selection.ids] })}
            onClose={() => {
              setAction(undefined);
              setReplayed(undefined);
            }}
          />
        </Suspense>
      )}
    </Page>
  );
}

function Exports({ filters }: { filters: ActivityFilters }) {
  const save = (format: 'csv' | 'json'): void =>
    void exportActivity(filters, format).catch((error: unknown) => showToast(messageOf(error)));
  return (
    <>
      <Button kind="plain" onClick={() => save('csv')}>
        <Icon name="download" size={14} />
        Export CSV
      </Button>
      <Button kind="plain" onClick={() => save('json')}>
        <Icon name="download" size={14} />
        Export JSON
      </Button>
    </>
  );
}

type RowsProps = {
  filters: ActivityFilters;
  selection: SelectionState;
  onSelection: Dispatch<SetStateAction<SelectionState>>;
  onAction(action: 'replay' | 'cancel'): void;
};

function Rows({ filters, selection, onSelection, onAction }: RowsProps) {
  const canWrite = useCanWrite();
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(activityQuery(filters));
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const lastPage = data?.pages.at(-1);
  // A search that found nothing in its part of the history goes on only when the reader asks.
  const isSearchPaused = lastPage?.isBounded === true;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isSearchPaused && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isSearchPaused, isFetchNextPageError, fetchNextPage]);
  const loaded = useLatest(rows);
  // Every row is drawn again when it changes, so it stays the same while further rows are loaded.
  const select = useCallback(
    (ids: string[], isSelected: boolean): void =>
      onSelection((before) => {
        const chosen = new Set(before.isEverything ? loaded.current.map(({ _id }) => _id) : before.ids);
        for (const id of ids) void (isSelected ? chosen.add(id) : chosen.delete(id));
        return { ids: chosen, isEverything: false };
      }),
    [loaded, onSelection],
  );
  useShortcut('Escape', 'Clear the selection', () => onSelection(NOTHING));
  useShortcut('r', 'Replay what is selected', () => {
    if (canWrite && (selection.isEverything || selection.ids.size > 0)) onAction('replay');
  });

  if (isPending) return <Skeleton lines={10} />;
  if (error && rows.length === 0) return <LoadError error={error} onRetry={() => void refetch()} />;
  const isEveryRow = rows.length > 0 && rows.every(({ _id }) => selection.ids.has(_id));
  return (
    <>
      <NewRows filters={filters} newestId={rows[0]?._id} />
      {canWrite && (
        <Selection
          selection={selection}
          canSelectMore={isEveryRow && hasNextPage}
          onSelection={onSelection}
          onAction={onAction}
        />
      )}
      {rows.length > 0 ? (
        <ActivityTable
          rows={rows}
          selected={selection.ids}
          isEverySelected={selection.isEverything || isEveryRow}
          onSelect={canWrite ? select : undefined}
          onEnd={loadMore}
        />
      ) : (
        !isSearchPaused && <NoRows isFiltered={chosenFilters(filters).length > 0} />
      )}
      <div className={styles['foot']} aria-live="polite">
        {isFetchingNextPage && <Skeleton lines={2} />}
        {isFetchNextPageError && <LoadError error={error} onRetry={() => void fetchNextPage()} />}
        {isSearchPaused && !isFetchingNextPage && (
          <>
            <p>
              {rows.length === 0 ? 'Nothing matches' : 'These are all matches'} among the{' '}
              {plural(lastPage.searched ?? 0, 'notification')} that were searched last. Older ones may match.
            </p>
            <Button onClick={() => void fetchNextPage()}>Search further back</Button>
          </>
        )}
        {!hasNextPage && rows.length > 0 && <p>{plural(rows.length, 'notification')}, the oldest is shown.</p>}
      </div>
    </>
  );
}

const TRIGGER = `curl -X POST ${location.origin}/v1/events/trigger \\
  -H 'Authorization: ApiKey <your key>' -H 'Content-Type: application/json' \\
  -d '{"name": "welcome", "to": {"subscriberId": "ada", "email": "ada@example.com"}, "payload": {}}'`;

function NoRows({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No notification matches">Remove a filter to see more.</Empty>;
  return (
    <Empty title="No notifications yet" command={TRIGGER}>
      Trigger a workflow, and each notification appears here with the outcome of its steps.
    </Empty>
  );
}
