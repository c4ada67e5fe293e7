import type { Redis } from 'ioredis';
import { Client, escapeIdentifier, escapeLiteral, Pool } from 'pg';
import { withTimeout } from '@clarion/contracts/core';
import {
  CLOSE_TIMEOUT_MS,
  type QueueOptions,
  openRedis,
  PRODUCER_TIMEOUT_MS,
  type QueueBackend,
  redisOptions,
} from './backend';

/** Something about messages of one subscriber that an open page of theirs should show at once. Ids only. */
export type RealtimeEvent = {
  v: 1;
  kind: 'message.created' | 'message.updated' | 'message.deleted';
  environmentId: string;
  subscriberId: string;
  messageIds: string[];
};

export type RealtimeListener = (events: RealtimeEvent[]) => void;

const SUBSCRIBE_TIMEOUT_MS = 2_000;
const RECONNECT_MS = 1_000;
/** Postgres takes just under 8,000 bytes in one notification. */
const NOTIFICATION_BYTES = 7_500;
const IDS_IN_EVENT = 100;

/** The way from one process to all others on one backend. */
type Line = {
  publish(events: RealtimeEvent[]): Promise<unknown>;
  /** Resolves when it hears; from then on it finds its server again by itself. */
  listen(hear: (text: string) => void): Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Tells every process at once that messages changed. Nothing is kept: who is not listening misses it and reads the rows
 * later, so a failure costs a delay on a page and nothing else. Connections are made when they are first needed.
 */
export class RealtimeRelay {
  private readonly line: Line;
  private readonly listeners = new Set<RealtimeListener>();
  private listening: Promise<unknown> | undefined;
  /** Batches that did not get out since this process started. */
  failedPublishes = 0;

  constructor(
    backend: QueueBackend,
    private readonly options: QueueOptions,
  ) {
    const channel = `${options.prefix}.realtime`;
    this.line =
      backend.kind === 'redis' ? redisLine(backend.url, channel, options) : postgresLine(backend.url, channel, options);
  }

  /** Never throws and never takes longer than the producer's timeout. */
  async publish(events: RealtimeEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await withTimeout(this.line.publish(events), PRODUCER_TIMEOUT_MS, 'publishing realtime events');
    } catch (error) {
      this.failedPublishes += 1;
      this.report(error);
    }
  }

  /** Resolves when events are heard, or soon if the server is away: they are heard once it is back. */
  async subscribe(listener: RealtimeListener): Promise<() => void> {
    this.listeners.add(listener);
    this.listening ??= this.line.listen((text) => this.hear(text));
    const subscribed = withTimeout(this.listening, SUBSCRIBE_TIMEOUT_MS, 'subscribing to realtime events');
    await subscribed.catch((error: unknown) => this.report(error));
    return () => void this.listeners.delete(listener);
  }

  private hear(text: string): void {
    this.guarded(() => {
      const events = (JSON.parse(text) as RealtimeEvent[]).filter(({ v }) => v === 1);
      if (events.length === 0) return;
      for (const listener of this.listeners) this.guarded(() => listener(events));
    });
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.report(error);
    }
  }

  private report(error: unknown): void {
    this.options.onError(error instanceof Error ? error : new Error(String(error)));
  }

  close(): Promise<void> {
    this.listeners.clear();
    return this.line.close();
  }
}

/** One PUBLISH for a batch; a connection that listens can do nothing else in Redis, so there are two. */
function redisLine(url: string, channel: string, { onError, counts }: QueueOptions): Line {
  let publisher: { redis: Redis; connected: Promise<unknown> } | undefined;
  let subscriber: Redis | undefined;
  const openPublisher = () => {
    const options = { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: PRODUCER_TIMEOUT_MS };
    const redis = openRedis({ ...redisOptions(url), ...options }, counts);
    redis.on('error', onError);
    return { redis, connected: new Promise((resolve) => redis.once('ready', resolve)) };
  };
  return {
    async publish(events) {
      publisher ??= openPublisher();
      await publisher.connected;
      await publisher.redis.publish(channel, JSON.stringify(events));
    },
    listen(hear) {
      subscriber = openRedis({ ...redisOptions(url), maxRetriesPerRequest: null }, counts);
      subscriber.on('error', onError);
      subscriber.on('message', (_channel, text: string) => hear(text));
      return subscriber.subscribe(channel);
    },
    close() {
      publisher?.redis.disconnect();
      subscriber?.disconnect();
      return Promise.resolve();
    },
  };
}

function postgresLine(url: string, channel: string, { onError }: QueueOptions): Line {
  const connection = { connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true };
  let publisher: Pool | undefined;
  let subscriber: Client | undefined;
  let reconnect: NodeJS.Timeout | undefined;
  let closed = false;

  const listen = async (hear: (text: string) => void): Promise<void> => {
    while (!closed) {
      const client = new Client(connection);
      client.on('error', onError);
      client.on('notification', ({ payload }) => hear(payload ?? ''));
      try {
        subscriber = client;
        await client.connect();
        await client.query(`LISTEN ${escapeIdentifier(channel)}`);
        client.once('end', () => void listen(hear));
        return;
      } catch (error) {
        await client.end().catch(() => undefined);
        if (closed) return;
        onError(error as Error);
        await new Promise<void>((resolve) => (reconnect = setTimeout(resolve, RECONNECT_MS)));
      }
    }
  };

  const openPublisher = (): Pool => {
    const pool = new Pool({ ...connection, max: 1 });
    pool.on('error', onError);
    return pool;
  };

  return {
    listen,
    publish(events) {
      publisher ??= openPublisher();
      const statements = notifications(events).map(
        (text) => `NOTIFY ${escapeIdentifier(channel)}, ${escapeLiteral(text)}`,
      );
      return publisher.query(statements.join(';'));
    },
    async close() {
      closed = true;
      clearTimeout(reconnect);
      const ended = Promise.all([publisher?.end(), subscriber?.end()]);
      await withTimeout(ended, CLOSE_TIMEOUT_MS, 'closing the realtime connections').catch(onError);
    },
  };
}

/** The events as texts that fit into notifications; one with very many messages becomes several. */
export function notifications(events: RealtimeEvent[]): string[] {
  const texts: string[] = [];
  let room = 0;
  for (const event of events.flatMap(inParts)) {
    const text = JSON.stringify(event);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > room) {
      texts.push(text);
      room = NOTIFICATION_BYTES - 2 - bytes;
    } else {
      texts[texts.length - 1] += `,${text}`;
      room -= bytes;
    }
  }
  return texts.map((text) => `[${text}]`);
}

function inParts(event: RealtimeEvent): RealtimeEvent[] {
  const parts = Math.max(1, Math.ceil(event.messageIds.length / IDS_IN_EVENT));
  return Array.from({ length: parts }, (_, part) => ({
    ...event,
    messageIds: event.messageIds.slice(part * IDS_IN_EVENT, (part + 1) * IDS_IN_EVENT),
  }));
}
