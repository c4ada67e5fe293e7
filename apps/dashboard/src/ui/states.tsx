import type { ReactNode } from 'react';
import { ApiError } from '../api/error';
import { Button } from './button';
import { classes } from './classes';
import { CodeBlock } from './code-block';
import type { Tone } from './status';
import styles from './ui.module.css';

/** A message that a screen reader announces: errors at once, all others when the reader pauses. */
export function Alert({ tone, action, children }: { tone: Tone; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes(styles['alert'], styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** An error in words, with what a person can do about it. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return 'The gateway does not answer. Check that it runs; nothing that you typed is lost.';
  const fields = Object.entries(error.fields)
    .filter(([, text]) => text && !error.message.includes(text))
    .map(([name, text]) => `${name}: ${text}`);
  const wait = error.retryAfterSeconds ? ` Try again in ${error.retryAfterSeconds} s.` : '';
  return [error.message, ...fields].join('. ').replace(/\.?$/, '.') + wait;
}

/** Nothing to show: says why, and what to do next. `command` is a line that would fill the page. */
export function Empty({ title, command, children }: { title: string; command?: string; children?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children}
      {command && <CodeBlock text={command} label="Command" />}
    </div>
  );
}

/** The outline of content that is on its way. */
export function Skeleton({ lines = 3, isBlock = false }: Outline) {
  return (
    <div className={styles['stack']} role="status" aria-label="Loading">
      {Array.from({ length: isBlock ? 1 : lines }, (_, index) => (
        <span key={index} className={classes(styles['skeleton'], isBlock ? styles['block'] : styles['line'])} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={styles['page']}>
      <Skeleton lines={1} />
      <Skeleton isBlock />
      <Skeleton lines={6} />
    </div>
  );
}

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
