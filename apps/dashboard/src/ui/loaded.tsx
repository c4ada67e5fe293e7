import type { ReactNode } from 'react';
import { Alert } from './alert';
import { Button } from './button';
import { messageOf } from './messages';
import { Skeleton } from './skeleton';

type Unloaded = { error: Error | null; refetch(): Promise<unknown> };
type Outline = { lines?: number; isBlock?: boolean };
type LoadedProps<T> = Outline & { query: Unloaded & { data: T | undefined }; children(data: T): ReactNode };

/** What a query has loaded, or its outline until then. After an error it keeps what it has, and can try again. */
export function Loaded<T>({ query, children, ...outline }: LoadedProps<T>) {
  if (query.data === undefined) return <Loading query={query} {...outline} />;
  return (
    <>
      {query.error && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {children(query.data)}
    </>
  );
}

/** Shown instead of data that is not loaded: its outline, or why it could not be loaded. */
export function Loading({ query, ...outline }: { query: Unloaded } & Outline) {
  if (!query.error) return <Skeleton {...outline} />;
  return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
}

/** Shown instead of data that could not be loaded. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Alert tone="bad" action={<Button onClick={onRetry}>Try again</Button>}>
      {messageOf(error)}
    </Alert>
  );
}

type More = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };

/** Loads the next page of a long list, if there is one. */
export function MoreButton({ list, children }: { list: More; children: ReactNode }) {
  if (!list.hasNextPage) return null;
  return (
    <div>
      <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}
