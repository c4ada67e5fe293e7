import { AsyncResource } from 'node:async_hooks';
import { PassThrough, type Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Batcher } from '@clarion/claims';
import {
  DomainError,
  type EnvironmentId,
  isId,
  type NotificationId,
  TENANT_LIMITS,
  TenantCounts,
  type TenantLevel,
  type TenantShare,
} from '@clarion/contracts';
import { ActivityRepository, type ActivityRows, Database, type KeyOwner } from '@clarion/persistence';
import { Health, type Logger } from '@clarion/platform';
import { LOGGER } from '../edge/dependencies';
import { ActivityFeed, type News, WATCHED } from './activity-feed';
import { toActivityRowDto } from './activity-rows';

const READ_EVERY_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** How often the key or the session of each listener is checked. */
const CHECK_MS = 2_000;
/** A caller that does not read is disconnected when this much waits for it. */
const WAITING_BYTES = 1024 * 1024;

/** Watched notifications of all streams that one read looks at, so that it stays short with many environments. */
const READ_ROWS = 5_000;

/** Environments whose first read shares a statement. */
const STARTS_AT_ONCE = 50;

type Listener = {
  stream: PassThrough;
  /** Rejects when the key or the session was revoked. */
  checkAccess: () => Promise<unknown>;
  /** Notifications that it was told about when it connected again. */
  told: ReadonlySet<NotificationId>;
};

type SharedFeed = { feed: ActivityFeed; started: Promise<void>; isStarted: boolean; listeners: Set<Listener> };

/** Server-sent events about the activity. All streams of this process share one statement per second. */
@Injectable()
export class ActivityStreams implements OnModuleDestroy {
  private readonly feeds = new Map<EnvironmentId, SharedFeed>();
  private readonly share = TENANT_LIMITS.activityStreams();
  private readonly counts: TenantCounts;
  /** The first reads of environments, one statement at a time: many streams may be opened at the same moment. */
  private readonly starts: Batcher<EnvironmentId, ActivityRows>;
  private timers: NodeJS.Timeout[] = [];
  private isClosed = false;
  /** The statement reads for all streams, so it must not run as the tenant, or log as the request, of one of them. */
  private readonly ownContext = new AsyncResource('ActivityStreams');

  constructor(
    private readonly database: Database,
    private readonly activity: ActivityRepository,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.starts = new Batcher({
      maxItems: STARTS_AT_ONCE,
      maxWaitMs: 0,
      concurrency: 1,
      run: (ids) => this.ownContext.runInAsyncScope(() => activity.lists(ids, {}, { limit: WATCHED })),
    });
    this.counts = new TenantCounts(() => this.share, database.organizations.of);
  }

  /** With the id of the last event that the caller saw, the stream begins with what happened since. */
  async open(
    { environmentId }: KeyOwner,
    lastEventId: string | undefined,
    checkAccess: () => Promise<unknown>,
  ): Promise<Readable> {
    if (this.isClosed || this.health.isDraining) {
      throw new DomainError('unavailable', 'The gateway is stopping', {}, { 'Retry-After': '1' });
    }
    const full = this.counts.fullLevel(environmentId);
    if (full) throw tooManyStreams('streams', full, this.share);
    const shared = this.feedOf(environmentId);
    const giveBack = this.counts.take(environmentId);
    const listener: Listener = { stream: new PassThrough(), checkAccess, told: new Set() };
    shared.listeners.add(listener);
    listener.stream.once('close', () => {
      giveBack();
      this.leave(environmentId, shared, listener);
    });
    listener.stream.write('retry: 2000\n: connected\n\n');
    try {
      await shared.started;
      if (isId(lastEventId)) await this.catchUp(environmentId, lastEventId, listener);
    } catch (error) {
      listener.stream.destroy();
      throw error;
    }
    return listener.stream;
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    for (const { stream } of this.listeners()) stream.end();
  }

  private *listeners(): Iterable<Listener> {
    for (const { listeners } of this.feeds.values()) yield* listeners;
  }

  private feedOf(environmentId: EnvironmentId): SharedFeed {
    const known = this.feeds.get(environmentId);
    if (known) return known;
    const feed = new ActivityFeed(environmentId);
    const started = this.starts.add(environmentId).then(({ rows }) => feed.start(rows));
    const shared: SharedFeed = { feed, started, isStarted: false, listeners: new Set() };
    this.feeds.set(environmentId, shared);
    if (this.feeds.size === 1) this.ownContext.runInAsyncScope(() => this.begin());
    started.then(
      () => (shared.isStarted = true),
      () => this.forget(environmentId, shared),
    );
    return shared;
  }

  private leave(environmentId: EnvironmentId, shared: SharedFeed, listener: Listener): void {
    shared.listeners.delete(listener);
    if (shared.listeners.size === 0) this.forget(environmentId, shared);
  }

  private forget(environmentId: EnvironmentId, shared: SharedFeed): void {
    if (this.feeds.get(environmentId) === shared) this.feeds.delete(environmentId);
    if (this.feeds.size > 0) return;
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
  }

  private begin(): void {
    const forAll = (milliseconds: number, work: (listener: Listener) => void): NodeJS.Timeout =>
      setInterval(() => [...this.listeners()].forEach(work), milliseconds);
    this.timers = [
      forAll(HEARTBEAT_MS, (listener) => write(listener, ': heartbeat\n\n')),
      forAll(CHECK_MS, (listener) => void this.check(listener)),
    ];
    this.schedule(this.timers);
  }

  /** The next read begins a second after the last one ended, so a slow database gets no more of them. */
  private schedule(timers: NodeJS.Timeout[]): void {
    timers[2] = setTimeout(() => {
      void this.read().finally(() => {
        if (this.timers === timers) this.schedule(timers);
      });
    }, READ_EVERY_MS);
  }

  private async read(): Promise<void> {
    if (this.health.isDraining) return this.onModuleDestroy();
    const feeds = [...this.feeds.values()].filter(({ isStarted }) => isStarted);
    const most = Math.max(1, Math.min(WATCHED, Math.floor(READ_ROWS / feeds.length)));
    try {
      const news = await this.activity.news(feeds.map(({ feed }) => feed.question(most)));
      feeds.forEach(({ feed, listeners }, index) => {
        const found = feed.take(news[index]!);
        for (const listener of listeners) report(listener, found);
      });
    } catch (error) {
      this.logger.warn(
        { err: error, environments: feeds.length },
        'The activity could not be read for its streams. It is tried again.',
      );
    }
  }

  private async catchUp(environmentId: EnvironmentId, since: string, listener: Listener): Promise<void> {
    const [news] = await this.database.asTenant(environmentId, () => this.activity.news([{ environmentId, since }]));
    const { fresh, rows } = news!;
    listener.told = new Set(fresh);
    report({ ...listener, told: new Set() }, { fresh, newest: rows, changed: [] });
  }

  /** Only a refusal ends the stream: while the database does not answer, the access is unknown. */
  private async check({ stream, checkAccess }: Listener): Promise<void> {
    try {
      await checkAccess();
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'unavailable') stream.end();
    }
  }
}

/** The refusal of a stream that has no place at this level. */
export const tooManyStreams = (what: string, level: TenantLevel, share: TenantShare): DomainError =>
  new DomainError(
    'too_many_requests',
    `The ${level} has ${share[level]} open ${what}, which is its limit in each gateway`,
    {},
    { 'Retry-After': '10' },
  );

function report(listener: Listener, { fresh, newest, changed }: News): void {
  const { told } = listener;
  const count = fresh.filter((id) => !told.has(id)).length;
  if (count > 0) {
    const rows = newest.filter(({ id }) => !told.has(id)).map(toActivityRowDto);
    write(listener, toEvent('notifications', { count, newest: rows }, fresh[0]));
  }
  if (changed.length > 0) {
    const rows = changed.map(toActivityRowDto);
    write(listener, toEvent('changed', { ids: rows.map(({ _id }) => _id), rows }));
  }
}

const toEvent = (event: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function write({ stream }: Listener, text: string): void {
  if (stream.writableEnded || stream.destroyed) return;
  if (stream.writableLength > WAITING_BYTES) stream.destroy();
  else stream.write(text);
}
