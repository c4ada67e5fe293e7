import { PassThrough, type Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError, type EnvironmentId, isId, LIMITS, type NotificationId } from '@clarion/contracts';
import { ActivityRepository, Database, type KeyOwner } from '@clarion/persistence';
import { Health, type Logger } from '@clarion/platform';
import { LOGGER } from '../core.module';
import { ActivityFeed, type News } from './activity-feed';
import { toActivityRowDto } from './activity-rows';

const READ_EVERY_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** How often the key or the session of each listener is checked. */
const CHECK_MS = 2_000;
/** A caller that does not read is disconnected when this much waits for it. */
const WAITING_BYTES = 1024 * 1024;

type Listener = {
  stream: PassThrough;
  /** Rejects when the key or the session was revoked. */
  checkAccess: () => Promise<unknown>;
  /** Notifications that it was told about when it connected again. */
  told: ReadonlySet<NotificationId>;
};

type Channel = { feed: ActivityFeed; started: Promise<void>; listeners: Set<Listener>; timers: NodeJS.Timeout[] };

/**
 * Server-sent events about the activity. All listeners of an environment share one read per second, which runs only
 * while there is a listener.
 */
@Injectable()
export class ActivityStreams implements OnModuleDestroy {
  private readonly channels = new Map<EnvironmentId, Channel>();
  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly activity: ActivityRepository,
    private readonly health: Health,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** With the id of the last event that the caller saw, the stream begins with what happened since. */
  async open(
    { environmentId }: KeyOwner,
    lastEventId: string | undefined,
    checkAccess: () => Promise<unknown>,
  ): Promise<Readable> {
    if (this.isClosed || this.health.isDraining) {
      throw new DomainError('unavailable', 'The gateway is stopping', {}, { 'Retry-After': '1' });
    }
    const channel = this.channelOf(environmentId);
    if (channel.listeners.size >= LIMITS.activityStreams) {
      throw new DomainError(
        'too_many_requests',
        `The environment has ${LIMITS.activityStreams} open streams`,
        {},
        { 'Retry-After': '10' },
      );
    }
    const listener: Listener = { stream: new PassThrough(), checkAccess, told: new Set() };
    channel.listeners.add(listener);
    listener.stream.once('close', () => this.leave(environmentId, channel, listener));
    listener.stream.write('retry: 2000\n: connected\n\n');
    try {
      await channel.started;
      if (isId(lastEventId)) await this.catchUp(environmentId, lastEventId, listener);
    } catch (error) {
      listener.stream.destroy();
      throw error;
    }
    return listener.stream;
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    for (const { listeners } of this.channels.values()) for (const { stream } of listeners) stream.end();
  }

  private channelOf(environmentId: EnvironmentId): Channel {
    const known = this.channels.get(environmentId);
    if (known) return known;
    const feed = new ActivityFeed(this.activity, environmentId);
    const started = this.database.asTenant(environmentId, () => feed.start());
    const channel: Channel = { feed, started, listeners: new Set(), timers: [] };
    this.channels.set(environmentId, channel);
    started.then(
      () => this.schedule(environmentId, channel),
      () => this.channels.delete(environmentId),
    );
    channel.timers.push(
      setInterval(() => channel.listeners.forEach((each) => write(each, ': heartbeat\n\n')), HEARTBEAT_MS),
      setInterval(() => channel.listeners.forEach((each) => void this.check(each)), CHECK_MS),
    );
    return channel;
  }

  private leave(environmentId: EnvironmentId, channel: Channel, listener: Listener): void {
    channel.listeners.delete(listener);
    if (channel.listeners.size > 0) return;
    for (const timer of channel.timers) clearInterval(timer);
    if (this.channels.get(environmentId) === channel) this.channels.delete(environmentId);
  }

  /** The next read begins a second after the last one ended, so a slow database gets no more of them. */
  private schedule(environmentId: EnvironmentId, channel: Channel): void {
    if (channel.listeners.size === 0) return;
    const timer = setTimeout(() => {
      void this.read(environmentId, channel).finally(() => this.schedule(environmentId, channel));
    }, READ_EVERY_MS);
    channel.timers[2] = timer;
  }

  private async read(environmentId: EnvironmentId, channel: Channel): Promise<void> {
    if (this.health.isDraining) return this.onModuleDestroy();
    try {
      const news = await this.database.asTenant(environmentId, () => channel.feed.read());
      for (const listener of channel.listeners) report(listener, news);
    } catch (error) {
      this.logger.warn(
        { err: error, environmentId },
        'The activity could not be read for its streams. It is tried again.',
      );
    }
  }

  private async catchUp(environmentId: EnvironmentId, since: string, listener: Listener): Promise<void> {
    const { fresh, rows } = await this.database.asTenant(environmentId, () =>
      this.activity.news(environmentId, { since, known: [], watched: [] }),
    );
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
