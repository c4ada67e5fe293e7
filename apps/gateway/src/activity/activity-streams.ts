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
  TimeSlices,
} from '@clarion/contracts';
import { ActivityRepository, type ActivityRow, type ActivityRows, Database, type KeyOwner } from '@clarion/persistence';
import { Health, type Logger } from '@clarion/platform';
import { LOGGER } from '../edge/dependencies';
import { ActivityFeed, type News, WATCHED } from './activity-feed';
import { toActivityRowDto } from './activity-rows';

const READ_EVERY_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** How often the key or the session of each listener is checked. */
const CHECK_MS = 2_000;
/** A caller that does not read is disconnected when this much waits for it. All feeds together have the second. */
const WAITING_BYTES = 1024 * 1024;
const WAITING_BYTES_OF_ALL = 32 * 1024 * 1024;

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
  /** Bytes of the first events of callers that connected again: each has its own. */
  private readonly unread: TenantCounts;
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
    const unread = TENANT_LIMITS.unreadBytes();
    this.unread = new TenantCounts(() => unread, database.organizations.of);
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
      forAll(HEARTBEAT_MS, (listener) => this.write(listener, HEARTBEAT)),
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
      const shown = feeds.map(({ feed, listeners }, index) => ({ found: feed.take(news[index]!), to: [...listeners] }));
      const slices = new TimeSlices();
      for (const { found, to } of shown) {
        const eventsFor = writeEvents(found);
        for (const listener of to) this.write(listener, eventsFor(listener.told));
        await slices.rest();
      }
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
    const events = writeEvents({ fresh, newest: rows, changed: [] })(NONE);
    const full = this.unread.fullLevel(environmentId, events.length);
    if (full) {
      const fault = `The ${full} has callers that did not read what they missed: one stream after the other`;
      throw new DomainError('too_many_requests', fault, {}, { 'Retry-After': '10' });
    }
    const giveBack = this.unread.take(environmentId, events.length);
    listener.stream.once('close', giveBack);
    listener.stream.write(events, giveBack);
  }

  private write({ stream }: Listener, events: Buffer): void {
    if (events.length === 0 || stream.writableEnded || stream.destroyed) return;
    const most = Math.min(WAITING_BYTES, WAITING_BYTES_OF_ALL / this.feeds.size);
    if (stream.writableLength > most) stream.destroy();
    else stream.write(events);
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

const NONE: ReadonlySet<NotificationId> = new Set();
const HEARTBEAT = Buffer.from(': heartbeat\n\n');

/**
 * The events of one read, without the notifications that a listener was told about. Each row is written once, and
 * listeners that get the same events share them.
 */
function writeEvents({ fresh, newest, changed }: News): (told: ReadonlySet<NotificationId>) => Buffer {
  const texts = new Map<NotificationId, string>();
  const write = (row: ActivityRow): string => {
    const text = texts.get(row.id) ?? JSON.stringify(toActivityRowDto(row));
    texts.set(row.id, text);
    return text;
  };
  const written = new Map<string, Buffer>();
  return (told) => {
    const untold = told.size === 0 ? fresh : fresh.filter((id) => !told.has(id));
    const key = untold.length === fresh.length ? 'all' : untold.join();
    let events = written.get(key);
    if (!events) {
      const rows = newest.filter(({ id }) => !told.has(id)).map(write);
      const ids = changed.map(({ id }) => id);
      events = Buffer.from(
        [
          ...(untold.length === 0
            ? []
            : [
                `id: ${fresh[0]}\nevent: notifications\ndata: {"count":${untold.length},"newest":[${rows.join()}]}\n\n`,
              ]),
          ...(ids.length === 0
            ? []
            : [`event: changed\ndata: {"ids":${JSON.stringify(ids)},"rows":[${changed.map(write).join()}]}\n\n`]),
        ].join(''),
      );
      written.set(key, events);
    }
    return events;
  };
}
