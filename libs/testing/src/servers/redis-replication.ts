import { freePorts } from '../free-ports';
import { credentials, type RedisServer, type RedisServerOptions, startRedisServers } from './redis-server';
import { until } from '../until';

const HOST = '127.0.0.1';

export type RedisReplication = {
  primary: RedisServer;
  replica: RedisServer;
  /** Makes the replica a primary. The old primary is not told. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

type ReplicationOptions = Pick<RedisServerOptions, 'password' | 'settings' | 'users' | 'tls'>;

/** A primary and a replica that has its data. */
export async function startRedisReplication(options: ReplicationOptions = {}): Promise<RedisReplication> {
  const [primary, replica] = await startReplicas(options, 1);
  return {
    primary: primary!,
    replica: replica!,
    promote: async () => void (await replica!.command('REPLICAOF', 'NO', 'ONE')),
    stop: () => stopAll([primary!, replica!]),
  };
}

export type RedisSentinelOptions = ReplicationOptions & {
  /** The name of the monitored primary. */
  master?: string;
  /** The password of the sentinels themselves. */
  sentinelPassword?: string;
};

export type RedisSentinel = {
  /** In the form of `REDIS_URL`. */
  readonly url: string;
  readonly master: string;
  /** One primary and two replicas, in the roles of the start. */
  readonly servers: readonly RedisServer[];
  readonly sentinels: readonly RedisServer[];
  /** The server that the sentinels name as the primary. */
  primary(): Promise<RedisServer>;
  /** Kills the primary. Resolves with the server that the sentinels have promoted, once it accepts writes. */
  killPrimary(): Promise<RedisServer>;
  /** Asks the sentinels to promote another server while the primary runs. */
  failover(): Promise<RedisServer>;
  stop(): Promise<void>;
};

/** A primary, two replicas and three sentinels, of which two must agree that the primary is down (after 1 s). */
export async function startRedisSentinel(options: RedisSentinelOptions = {}): Promise<RedisSentinel> {
  const { master = 'clarion', sentinelPassword, password, tls } = options;
  const servers = await startReplicas(options, 2);
  const byPort = new Map(servers.map((server) => [server.port, server]));
  const host = tls ? 'localhost' : HOST;
  const sentinelOptions: RedisServerOptions = {
    mode: 'sentinel',
    ...(sentinelPassword && { password: sentinelPassword }),
    ...(tls && { tls }),
    settings: {
      sentinel: [
        ...(tls ? ['resolve-hostnames yes', 'announce-hostnames yes'] : []),
        `monitor ${master} ${host} ${servers[0]!.port} 2`,
        ...(password ? [`auth-pass ${master} ${password}`] : []),
        ...(sentinelPassword ? [`sentinel-pass ${sentinelPassword}`] : []),
        `down-after-milliseconds ${master} 1000`,
        `failover-timeout ${master} 4000`,
      ],
    },
  };
  const sentinels = await startRedisServers([sentinelOptions, sentinelOptions, sentinelOptions]).catch(
    async (error: unknown) => {
      await stopAll(servers);
      throw error;
    },
  );
  const stop = (): Promise<void> => stopAll([...sentinels, ...servers]);

  const factsOf = async (sentinel: RedisServer): Promise<Map<string, string>> => {
    const flat = (await sentinel.command('SENTINEL', 'MASTER', master)) as string[];
    return new Map(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]!] as const] : [])));
  };
  const namedBy = async (sentinel: RedisServer): Promise<RedisServer | undefined> => {
    const address = (await sentinel.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master)) as [string, string];
    return byPort.get(Number(address[1]));
  };
  const primary = async (): Promise<RedisServer> => {
    const running = sentinels.find((sentinel) => sentinel.isRunning);
    const named = running && (await namedBy(running));
    if (!named) throw new Error('no sentinel names a primary');
    return named;
  };
  /** Waits until every sentinel names one other server, which accepts writes. */
  const promoted = async (before: RedisServer): Promise<RedisServer> => {
    let next: RedisServer | undefined;
    await until(async () => {
      const named = await Promise.all(sentinels.filter(({ isRunning }) => isRunning).map(namedBy));
      next = named[0];
      if (!next || next === before || named.some((server) => server !== next)) return false;
      return (await next.info('replication').catch(() => undefined))?.['role'] === 'master';
    });
    return next!;
  };

  try {
    await until(async () => {
      const facts = await Promise.all(sentinels.map(factsOf));
      return facts.every((known) => known.get('num-slaves') === '2' && known.get('num-other-sentinels') === '2');
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const hosts = sentinels.map(({ port }) => `${host}:${port}`).join(',');
  const query = sentinelPassword ? `?sentinelPassword=${encodeURIComponent(sentinelPassword)}` : '';
  return {
    url: `${tls ? 'rediss' : 'redis'}+sentinel://${credentials(password)}${hosts}/${master}${query}`,
    master,
    servers,
    sentinels,
    primary,
    async killPrimary() {
      const before = await primary();
      await before.kill();
      return promoted(before);
    },
    async failover() {
      const before = await primary();
      await sentinels[0]!.command('SENTINEL', 'FAILOVER', master);
      return promoted(before);
    },
    stop,
  };
}

/** The first server is the primary of the others, which have its data. */
async function startReplicas(options: ReplicationOptions, replicas: number): Promise<RedisServer[]> {
  const [port] = await freePorts(1);
  const host = options.tls ? 'localhost' : HOST;
  const own = {
    ...options,
    settings: { ...options.settings, ...(options.password && { masterauth: options.password }) },
  };
  const replica = { ...own, settings: { ...own.settings, replicaof: `${host} ${port}`, ...announced(options) } };
  const servers = await startRedisServers([
    { ...own, port: port!, settings: { ...own.settings, ...announced(options) } },
    ...Array.from({ length: replicas }, () => replica),
  ]);
  try {
    await until(async () => {
      const states = await Promise.all(servers.slice(1).map((server) => server.info('replication')));
      return states.every((state) => state['master_link_status'] === 'up');
    });
    return servers;
  } catch (error) {
    await stopAll(servers);
    throw error;
  }
}

/** Certificates are for a name, so that a server must be known by its name. */
const announced = ({ tls }: ReplicationOptions): Record<string, string> =>
  tls ? { 'replica-announce-ip': 'localhost' } : {};

async function stopAll(servers: readonly RedisServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
