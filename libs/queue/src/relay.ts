import { Client, escapeIdentifier, escapeLiteral, Pool } from 'pg';
import { withTimeout } from '@clarion/contracts/core';
import { CLOSE_TIMEOUT_MS, type QueueOptions, type QueueBackend, waitFactorOf } from './backend';
import { FAIL_SOON, openRedis, PRODUCER_TIMEOUT_MS, type RedisClient, WAIT_FOR_SERVER } from './redis-connections';

/** A change of messages of one subscriber, for the inbox pages that are open. Ids only. */
export type RealtimeEvent = {
  v: 1;
  kind: 'message.created' | 'message.updated' | 'message.deleted';
  environmentId: string;
  subscriberId: string;
  messageIds: string[];
};

export type RealtimeListener = (events: RealtimeEvent[]) => void;

/** Called when the subscription is active again after an interruption, in which events may have been lost. */
type GapListener = () => void;

const SUBSCRIBE_TIMEOUT_MS = 2_000;
const RECONNECT_MS = 1_000;
/** Postgres accepts payloads of just under 8,000 bytes in a notification. */
const NOTIFICATION_BYTES = 7_500;
const IDS_IN_EVENT = 100;

/** Publish and subscribe on one queue backend. */
type Transport = {
  publish(events: RealtimeEvent[]): Promise<unknown>;
  /** Resolves when the subscription is active; it reconnects automatically afterwards and reports each gap. */
  listen(onText: (text: string) => void, onGap: GapListener): Promise<unknown>;
  close(): Promise<void>;
};

/** Nothing is stored: a process that misses an event reads the rows later, so a failure only delays a page. */
export class RealtimeRelay {
  private readonly transport: Transport;
  private readonly waitFactor: number;
  private readonly listeners = new Map<RealtimeListener, GapListener>();
  private listening: Promise<unknown> | undefined;
  /** Batches that could not be published since this process started. */
  failedPublishes = 0;

  constructor(
    backend: QueueBackend,
    private readonly options: QueueOptions,
  ) {
    const channel = `${options.prefix}.realtime`;
    this.waitFactor = waitFactorOf(backend);
    this.transport =
      backend.kind === 'redis'
        ? redisTransport(backend.url, channel, options)
        : postgresTransport(backend.url, channel, options);
  }

  /** Never rejects and never takes longer than the producer's timeout. */
  async publish(events: RealtimeEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      const answerMs = PRODUCER_TIMEOUT_MS * this.waitFactor;
      await withTimeout(this.transport.publish(events), answerMs, 'publishing realtime events');
    } catch (error) {
      this.failedPublishes += 1;
      this.report(error);
    }
  }

  /** Resolves when the subscription is active, or soon if the server is away; events arrive once it is back. */
  async subscribe(listener: RealtimeListener, onGap: GapListener = () => undefined): Promise<() => void> {
    this.listeners.set(listener, onGap);
    this.listening ??= this.transport.listen(
      (text) => this.receive(text),
      () => this.listeners.forEach((reportGap) => this.guarded(reportGap)),
    );
    const answerMs = SUBSCRIBE_TIMEOUT_MS * this.waitFactor;
    const subscribed = withTimeout(this.listening, answerMs, 'subscribing to realtime events');
    await subscribed.catch((error: unknown) => this.report(error));
    return () => void this.listeners.delete(listener);
  }

  private receive(text: string): void {
    this.guarded(() => {
      const events = (JSON.parse(text) as RealtimeEvent[]).filter(({ v }) => v === 1);
      if (events.length === 0) return;
      for (const listener of this.listeners.keys()) this.guarded(() => listener(events));
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
    return this.transport.close();
  }
}

/** One PUBLISH per batch. A subscribed connection of Redis cannot publish, so there are two connections. */
function redisTransport(url: string, channel: string, { onError, counts }: QueueOptions): Transport {
  let publisher: { redis: RedisClient; connected: Promise<unknown> } | undefined;
  let subscriber: RedisClient | undefined;
  const openPublisher = () => {
    const redis = openRedis(url, FAIL_SOON, counts);
    redis.on('error', onError);
    return { redis, connected: new Promise((resolve) => redis.once('ready', resolve)) };
  };
  return {
    async publish(events) {
      publisher ??= openPublisher();
      await publisher.connected;
      await publisher.redis.publish(channel, JSON.stringify(events));
    },
    async listen(onText, onGap) {
      const redis = (subscriber = openRedis(url, WAIT_FOR_SERVER, counts));
      redis.on('error', onError);
      redis.on('message', (_channel, text: string) => onText(text));
      await redis.subscribe(channel);
      // The client subscribes again itself; the answer to this command comes after that.
      redis.on('ready', () => void redis.subscribe(channel).then(onGap, onError));
    },
    close() {
      publisher?.redis.disconnect();
      subscriber?.disconnect();
      return Promise.resolve();
    },
  };
}

function postgresTransport(url: string, channel: string, { onError }: QueueOptions): Transport {
  const connection = { connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true };
  let publisher: Pool | undefined;
  let subscriber: Client | undefined;
  let reconnect: NodeJS.Timeout | undefined;
  let closed = false;

  const listen = async (onText: (text: string) => void, onGap: GapListener, isAgain = false): Promise<void> => {
    while (!closed) {
      const client = new Client(connection);
      client.on('error', onError);
      client.on('notification', ({ payload }) => onText(payload ?? ''));
      try {
        subscriber = client;
        await client.connect();
        await client.query(`LISTEN ${escapeIdentifier(channel)}`);
        client.once('end', () => void listen(onText, onGap, true));
        if (isAgain) onGap();
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
    listen: (onText, onGap) => listen(onText, onGap),
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

/** Serializes the events into texts that fit into notifications. An event with very many messages is split. */
export function notifications(events: RealtimeEvent[]): string[] {
  const texts: string[] = [];
  let bytesLeft = 0;
  for (const event of events.flatMap(inParts)) {
    const text = JSON.stringify(event);
    const bytes = Buffer.byteLength(text) + 1;
    if (bytes > bytesLeft) {
      texts.push(text);
      bytesLeft = NOTIFICATION_BYTES - 2 - bytes;
    } else {
      texts[texts.length - 1] += `,${text}`;
      bytesLeft -= bytes;
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
