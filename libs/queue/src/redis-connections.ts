import {
  Cluster,
  type ClusterNode,
  type ClusterOptions,
  type CommonRedisOptions,
  Redis,
  SentinelConnector,
} from 'ioredis';
import { parseRedisUrl, type RedisAddress, type RedisHost } from '@clarion/contracts/core';

/** A connection to one server, to the primary that sentinels name, or to all nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** An add that takes longer fails: the row is committed, and the sweeper offers it again. */
export const PRODUCER_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
const SLOTS_REFRESH_MS = 3_000;

type CommandCount = { countCommand(): void };

/** What a connection does while it has no server. */
export type RedisUse = {
  /** `null`: a command waits until a server answers. */
  maxRetriesPerRequest: number | null;
  /** False: a command fails at once without a connection. */
  enableOfflineQueue?: boolean;
  commandTimeout?: number;
};

/**
 * For adding jobs. All three settings are needed: without the offline queue an add fails at once when Redis is down,
 * and only the command timeout limits an add when Redis hangs.
 */
export const FAIL_SOON: RedisUse = {
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  commandTimeout: PRODUCER_TIMEOUT_MS,
};

/** For consumers and subscriptions. */
export const WAIT_FOR_SERVER: RedisUse = { maxRetriesPerRequest: null };

/** Opens a connection that counts its commands and those of its duplicates (a worker waits for jobs on a duplicate). */
export function openRedis(url: string, use: RedisUse, counts?: CommandCount): RedisClient {
  const address = parseRedisUrl(url);
  if (address.form === 'cluster') return counted(openCluster(address, use), counts);
  const server = address.form === 'sentinel' ? throughSentinels(address) : address.hosts[0]!;
  const limits = withWaitFactor(use, address);
  return counted(new Redis({ ...serverOptions(address), ...server, db: address.db, retryStrategy, ...limits }), counts);
}

function openCluster(address: RedisAddress, { enableOfflineQueue = true, ...use }: RedisUse): Cluster {
  return new ReadyCluster(address.hosts, {
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    // A node that hangs keeps its connections open; another node says that it has been replaced.
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Names stay names, because a certificate is for a name, and the address behind a name can change.
    dnsLookup: (name, callback) => callback(null, name),
    redisOptions: { ...serverOptions(address), ...withWaitFactor(use, address) },
  });
}

/**
 * ioredis never settles `connect` when the cluster is not yet ready at its first attempt, as during a failover; later
 * attempts succeed. BullMQ waits for it without a limit, so that a worker would never take a job again.
 */
class ReadyCluster extends Cluster {
  declare private ready: Promise<void> | undefined;

  constructor(
    private readonly hosts: ClusterNode[],
    options: ClusterOptions,
  ) {
    super(hosts, options);
  }

  override connect(): Promise<void> {
    this.ready ??= new Promise((resolve) => this.once('ready', resolve)).then(() => (this.ready = undefined));
    return Promise.race([super.connect(), this.ready]);
  }

  override duplicate(hosts: ClusterNode[] = [], options: ClusterOptions = {}): Cluster {
    return new ReadyCluster(hosts.length > 0 ? hosts : this.hosts, { ...this.options, ...options });
  }
}

/** A primary that hangs keeps its connections open; the detector listens for the promotion of another server. */
function throughSentinels({ hosts, master, sentinelLogin, tls, waitFactor }: RedisAddress) {
  return {
    sentinels: hosts,
    name: master!,
    ...(sentinelLogin?.username && { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin?.password && { sentinelPassword: sentinelLogin.password }),
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    sentinelCommandTimeout: waitFactor * CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: retryStrategy,
    failoverDetector: true,
    sentinelMaxConnections: 3,
    // The sentinels of the URL are enough. Those that they name may have no address that a certificate is for.
    updateSentinels: false,
    Connector: PrimaryConnector as CommonRedisOptions['Connector'],
  };
}

/** The detector of an earlier connection would interrupt the search for the primary, so it is closed first. */
class PrimaryConnector extends SentinelConnector {
  override connect(...args: Parameters<SentinelConnector['connect']>): ReturnType<SentinelConnector['connect']> {
    this.disconnect();
    return super.connect(...args);
  }
}

/** One connection to one of the hosts of the URL, for a few commands. A sentinel has its own login. */
export function openRedisHost(address: RedisAddress, host: RedisHost, login = address.login): Redis {
  const redis = new Redis({
    ...serverOptions({ ...address, login }),
    ...host,
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    commandTimeout: address.waitFactor * CONNECT_TIMEOUT_MS,
    disconnectTimeout: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  return redis;
}

const withWaitFactor = (use: RedisUse, { waitFactor }: RedisAddress): RedisUse => ({
  ...use,
  ...(use.commandTimeout && { commandTimeout: waitFactor * use.commandTimeout }),
});

function serverOptions({ login, tls, waitFactor }: RedisAddress): CommonRedisOptions {
  return {
    ...login,
    ...(tls && { tls: {} }),
    connectTimeout: waitFactor * CONNECT_TIMEOUT_MS,
    // The server was a primary and is a replica now: find the new primary, and send the command again.
    reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
  };
}

const retryStrategy = (attempt: number): number => Math.min(attempt * 100, 2_000);

function counted<Client extends RedisClient>(client: Client, counts?: CommandCount): Client {
  if (!counts) return client;
  const send = client.sendCommand.bind(client) as (...command: unknown[]) => unknown;
  const duplicate = client.duplicate.bind(client) as (...overrides: unknown[]) => Client;
  return Object.assign(client, {
    sendCommand: (...command: unknown[]) => {
      counts.countCommand();
      return send(...command);
    },
    duplicate: (...overrides: unknown[]) => counted(duplicate(...overrides), counts),
  });
}
