import { freePorts } from '../free-ports';
import { credentials, infoFields, type RedisServer, type RedisServerOptions, startRedisServers } from './redis-server';
import { until } from '../until';

const HOST = '127.0.0.1';
const SLOTS = 16_384;
const PRIMARIES = 3;
const NODES = 2 * PRIMARIES;

export type RedisClusterOptions = Pick<RedisServerOptions, 'password' | 'settings' | 'users' | 'tls'>;

export type RedisCluster = {
  /** In the form of `REDIS_URL`. */
  readonly url: string;
  /** Three primaries and their replicas, in the roles of the start. */
  readonly nodes: readonly RedisServer[];
  primaries(): Promise<RedisServer[]>;
  /** The primary that has this key. */
  primaryOf(key: string): Promise<RedisServer>;
  /** Kills the primary of the key. Resolves with its successor, once every node knows it. */
  killPrimaryOf(key: string): Promise<RedisServer>;
  /** Asks the replica of the key's primary to take over while the primary runs. */
  failover(key: string): Promise<RedisServer>;
  stop(): Promise<void>;
};

/** Six nodes: three primaries with a replica each. A node counts as failed after 1 s. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const ports = await freePorts(2 * NODES);
  const busPorts = ports.splice(NODES);
  const { password, tls } = options;
  const nodes = await startRedisServers(
    ports.map((port, at) => ({
      ...options,
      port,
      settings: {
        'cluster-enabled': 'yes',
        'cluster-config-file': 'nodes.conf',
        'cluster-port': String(busPorts[at]),
        'cluster-node-timeout': '1000',
        'cluster-replica-validity-factor': '0',
        ...(password && { masterauth: password }),
        // Certificates are for a name, so that clients must be told the name.
        ...(tls && {
          'tls-cluster': 'yes',
          'cluster-announce-hostname': 'localhost',
          'cluster-preferred-endpoint-type': 'hostname',
        }),
        ...options.settings,
      },
    })),
  );
  const byPort = new Map(nodes.map((node) => [node.port, node]));
  const running = (): RedisServer[] => nodes.filter(({ isRunning }) => isRunning);
  const stop = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.stop())));
  const clusterInfo = async (node: RedisServer): Promise<Record<string, string>> =>
    infoFields(String(await node.command('CLUSTER', 'INFO')));

  try {
    await formCluster(nodes, busPorts);
    await until(async () => {
      const states = await Promise.all(nodes.map(clusterInfo));
      const links = await Promise.all(nodes.slice(PRIMARIES).map((node) => node.info('replication')));
      return (
        states.every((state) => state['cluster_state'] === 'ok') &&
        links.every((link) => link['master_link_status'] === 'up')
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }

  /** Port of the primary that has the slot, as this node sees it. */
  const ownerSeenBy = async (node: RedisServer, slot: number): Promise<number | undefined> => {
    const ranges = (await node.command('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    return ranges.find(([first, last]) => first <= slot && slot <= last)?.[2][1];
  };
  const primaryOf = async (key: string): Promise<RedisServer> => {
    const [node] = running();
    const owner = await ownerSeenBy(node!, Number(await node!.command('CLUSTER', 'KEYSLOT', key)));
    return byPort.get(owner!)!;
  };
  const succeeded = async (before: RedisServer, key: string): Promise<RedisServer> => {
    const slot = Number(await running()[0]!.command('CLUSTER', 'KEYSLOT', key));
    let next: number | undefined;
    await until(async () => {
      const owners = await Promise.all(running().map((node) => ownerSeenBy(node, slot)));
      next = owners[0];
      if (next === before.port || owners.some((owner) => owner !== next)) return false;
      const states = await Promise.all(running().map(clusterInfo));
      return states.every((state) => state['cluster_state'] === 'ok');
    });
    return byPort.get(next!)!;
  };

  const hosts = ports.map((port) => `${tls ? 'localhost' : HOST}:${port}`).join(',');
  return {
    url: `${tls ? 'rediss' : 'redis'}+cluster://${credentials(password)}${hosts}`,
    nodes,
    primaryOf,
    async primaries() {
      const roles = await Promise.all(running().map((node) => node.info('replication')));
      return running().filter((_, at) => roles[at]!['role'] === 'master');
    },
    async killPrimaryOf(key) {
      const before = await primaryOf(key);
      await before.kill();
      return succeeded(before, key);
    },
    async failover(key) {
      const before = await primaryOf(key);
      const replica = await replicaOf(before, running());
      await replica.command('CLUSTER', 'FAILOVER');
      return succeeded(before, key);
    },
    stop,
  };
}

/** By commands: `redis-cli --cluster create` waits for seconds between its steps. */
async function formCluster(nodes: readonly RedisServer[], busPorts: readonly number[]): Promise<void> {
  await Promise.all(
    nodes.map(async (node, at) => {
      await node.command('CLUSTER', 'SET-CONFIG-EPOCH', at + 1);
      if (at < PRIMARIES) {
        const first = Math.floor((at * SLOTS) / PRIMARIES);
        const last = Math.floor(((at + 1) * SLOTS) / PRIMARIES) - 1;
        await node.command('CLUSTER', 'ADDSLOTSRANGE', first, last);
      }
    }),
  );
  await Promise.all(
    nodes.flatMap((node) =>
      nodes.flatMap((other, at) =>
        other === node ? [] : [node.command('CLUSTER', 'MEET', HOST, other.port, busPorts[at]!)],
      ),
    ),
  );
  const ids = (await Promise.all(nodes.map((node) => node.command('CLUSTER', 'MYID')))) as string[];
  await Promise.all(
    nodes.slice(PRIMARIES).map(async (node, at) => {
      const primary = ids[at]!;
      await until(async () => {
        const answer = await node.command('CLUSTER', 'REPLICATE', primary).catch((error: Error) => error);
        return answer === 'OK';
      });
    }),
  );
}

async function replicaOf(primary: RedisServer, nodes: readonly RedisServer[]): Promise<RedisServer> {
  const states = await Promise.all(nodes.map((node) => node.info('replication')));
  const replica = nodes.find((_, at) => states[at]!['master_port'] === String(primary.port));
  if (!replica) throw new Error(`the primary on port ${primary.port} has no replica`);
  return replica;
}
