import { EventEmitter } from 'node:events';
import { PostgresConnection, PostgresQueueBackend, type QueueBaseOptions } from 'bullmq';

/** For all consumers and the producer of a process together. Their statements are short. */
const POOL_SIZE = 4;
const IDLE_MS = 30_000;
const EVENTS = ['error', 'ready', 'close', 'listenerinvalidated'] as const;

type Shared = { connection: PostgresConnection; users: number };

/** By the backend object that the users were opened with, and by schema. */
const open = new WeakMap<object, Map<string, Shared>>();

/** True while this process uses the queue, so its schema has been prepared. */
export const isPostgresQueueOpen = (backend: object, schema: string): boolean =>
  open.get(backend)?.has(schema) ?? false;

/**
 * The queue on the connections of this process: one pool and one connection that listens, for all queues of the same
 * backend object and prefix. BullMQ would open a pool and a listening connection for each worker, and each connection
 * is a process of the server.
 */
export function openPostgresQueue(
  backend: object,
  queueName: string,
  { schema, ...poolOptions }: { connectionString: string; schema: string },
  options: Omit<QueueBaseOptions, 'connection'>,
): PostgresQueueBackend {
  const bySchema = open.get(backend) ?? new Map<string, Shared>();
  open.set(backend, bySchema);
  const shared = bySchema.get(schema) ?? {
    connection: new PostgresConnection({
      ...poolOptions,
      schema,
      application_name: 'clarion-queue',
      max: POOL_SIZE,
      idleTimeoutMillis: IDLE_MS,
    }),
    users: 0,
  };
  bySchema.set(schema, shared);
  shared.users += 1;
  // BullMQ keeps a failed start of a connection: later users get a new connection.
  const forget = (): void => void (bySchema.get(schema) === shared && bySchema.delete(schema));
  const release = async (): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    forget();
    await shared.connection.close();
  };
  const user = new ConnectionUser(shared.connection, forget, release) as unknown as PostgresConnection;
  return new PostgresQueueBackend(user, queueName, { ...options, connection: {} });
}

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

const prepared = new WeakSet<ListenClient>();

/** Each queue adds a listener and sends its LISTEN; a client must get one statement after the other. */
function forSeveralQueues(client: ListenClient): ListenClient {
  if (prepared.has(client)) return client;
  prepared.add(client);
  (client as unknown as EventEmitter).setMaxListeners(0);
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (...args: unknown[]): Promise<unknown> => {
    const result = last.then(() => query(...args));
    last = result.catch(() => undefined);
    return result;
  };
  return Object.assign(client, { query: inOrder });
}

/** The shared connection as one backend uses it. Closing ends this use; the last user closes the connection. */
class ConnectionUser extends EventEmitter {
  readonly pool: PostgresConnection['pool'];
  readonly schema: string;
  /** Otherwise an idle worker blocks for up to an hour while the next delayed job is far away, instead of 10 s. */
  readonly hasListenClientKeepAlive = false;
  private closing: Promise<void> | undefined;
  private readonly forwards = EVENTS.map((name) => {
    const listener = (...args: unknown[]): void => {
      if (this.listenerCount(name) > 0) this.emit(name, ...args);
    };
    return { name, listener };
  });

  constructor(
    private readonly shared: PostgresConnection,
    private readonly forget: () => void,
    private readonly release: () => Promise<void>,
  ) {
    super();
    this.pool = shared.pool;
    this.schema = shared.schema;
    // One listener for each queue.
    shared.setMaxListeners(0);
    for (const { name, listener } of this.forwards) shared.on(name, listener);
  }

  get isClosing(): Promise<void> | undefined {
    return this.closing;
  }

  async waitUntilReady(): Promise<void> {
    try {
      await this.shared.waitUntilReady();
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  async getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    return forSeveralQueues(await this.shared.getListenClient());
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  disconnect(): Promise<void> {
    return this.close();
  }

  private async end(): Promise<void> {
    for (const { name, listener } of this.forwards) this.shared.off(name, listener);
    await this.release();
    this.emit('close');
  }
}
