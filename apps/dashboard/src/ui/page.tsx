import type { ErrorComponentProps, LinkComponentProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ApiError, isStatus, Overtaken } from '../api/error';
import { Button, ButtonLink, CodeBlock } from './button';
import { classes } from './classes';
import { type Tone, toneStyle } from './status';
import { Time } from './time';
import { createStore } from './store';
import styles from './ui.module.css';

/** What the header shows behind the name of the list. */
export const pageTitle = createStore('');

type PageProps = {
  title: string;
  /** Stands in the place of the title, of which only screen readers tell. The page has no margins then. */
  lead?: ReactNode;
  /** Shown instead of the title where it holds more than text. */
  heading?: ReactNode;
  /** What the page has, in a few words. */
  note?: ReactNode;
  actions?: ReactNode;
  /** The head stays where a long page is scrolled, except on a phone. */
  isSticky?: boolean;
  children: ReactNode;
};

/** A page: its one `h1`, the title of the window, and its actions. */
export function Page({ title, lead, heading, note, actions, isSticky = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Clarion`;
    pageTitle.set(title);
  }, [title]);
  return (
    <div className={styles['page']} data-edges={lead ? '' : undefined}>
      <header className={classes(styles['pageHead'], isSticky && styles['sticky'])}>
        <div className={styles['title']}>
          <h1 className={lead ? 'visually-hidden' : undefined}>{heading ?? title}</h1>
          {lead ?? note}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Controls that narrow a list, in one line. What a filter is about stands in it. */
export function Filters({ children }: { children: ReactNode }) {
  return <div className={classes('unlabelled', styles['filters'])}>{children}</div>;
}

export function Section({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={title}>
      {(title ?? actions) && (
        <div className={styles['sectionHead']}>
          {title && <h2>{title}</h2>}
          {actions && <div className={styles['actions']}>{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** A message that a screen reader announces: errors at once, all others when the reader pauses. */
export function Alert({ tone, action, children }: { tone: Tone; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles['alert']} style={toneStyle(tone)} role={tone === 'bad' ? 'alert' : 'status'}>
      <p>{children}</p>
      {action}
    </div>
  );
}

type TroubleProps = {
  /** Such as "workflow". */
  of: string;
  error: Error | null;
  /** What another person saved meanwhile. */
  conflict: { updatedAt: string } | undefined;
  onForce(): void;
  onLoad(): void;
};

/** Why something is not saved, and what can be done when another person saved it meanwhile. */
export function SaveTrouble({ of, error, conflict, onForce, onLoad }: TroubleProps) {
  if (error) return <Alert tone="bad">{messageOf(error)} What you typed is still here.</Alert>;
  if (!conflict) return null;
  return (
    <Alert
      tone="warn"
      action={
        <>
          <Button onClick={onForce}>Save mine</Button>
          <Button onClick={onLoad}>Load theirs</Button>
        </>
      }
    >
      Another person saved this {of} after you opened it (<Time at={conflict.updatedAt} />
      ). Nothing is saved yet.
    </Alert>
  );
}

export function messageOf(error: unknown): string {
  if (error instanceof Overtaken) return error.message;
  if (!(error instanceof ApiError))
    return 'The gateway does not answer. Check that it runs; nothing that you typed is lost.';
  const fields = Object.entries(error.fields)
    .filter(([, text]) => text && !error.message.includes(text))
    .map(([name, text]) => `${name}: ${text}`);
  const wait = error.retryAfterSeconds ? ` Try again in ${error.retryAfterSeconds} s.` : '';
  return [error.message, ...fields].join('. ').replace(/\.?$/, '.') + wait;
}

type EmptyProps = { title: string; command?: string; action?: ReactNode; children?: ReactNode };

/** Nothing to show: says why, and what to do next. `command` is a line that would fill the page. */
export function Empty({ title, command, action, children }: EmptyProps) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
      {command && <CodeBlock text={command} label="Command" />}
    </div>
  );
}

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

/** Names with their values. Absent values are left out. */
export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className={styles['facts']}>
      {Object.entries(facts).map(([name, value]) =>
        value === undefined || value === null || value === '' ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Shown instead of a page that could not be drawn. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const text = error instanceof ApiError || error instanceof TypeError ? messageOf(error) : String(error);
  return (
    <Page title="This page cannot be shown">
      <Alert tone="bad" action={<Button onClick={reset}>Try again</Button>}>
        {text}
      </Alert>
    </Page>
  );
}

export function PageMissing() {
  return (
    <Page title="Page not found">
      <p>There is no such page. It may have been deleted, or the link is incomplete.</p>
      <div>
        <ButtonLink to="/overview">Go to the overview</ButtonLink>
      </div>
    </Page>
  );
}

/** Such as a workflow, with the link to the list of them. */
export function NoSuch({ thing, to }: { thing: string; to: LinkComponentProps['to'] }) {
  return (
    <Empty title={`This ${thing} does not exist`} action={<ButtonLink to={to}>Show all {thing}s</ButtonLink>}>
      It may have been deleted, or it is in another environment.
    </Empty>
  );
}

type UnloadedPageProps = { title: string; query: Unloaded; missing?: number[]; children: ReactNode };

/** Shown instead of a page without its data: an outline, the children where there is no such thing, or the error. */
export function UnloadedPage({ title, query, missing = [404], children }: UnloadedPageProps) {
  if (!query.error) return <PageSkeleton />;
  const isMissing = isStatus(query.error, ...missing);
  return <Page title={title}>{isMissing ? children : <Loading query={query} />}</Page>;
}
