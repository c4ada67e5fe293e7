/**
 * Redis as people run it: one server, Sentinel and Cluster, with TLS of a private authority and a user with few rights.
 * Each client is a separate process, because Node reads NODE_EXTRA_CA_CERTS at its start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { backendFault, inspectBackend } from '@clarion/queue';
import {
  freePort,
  type RedisCluster,
  type RedisReplication,
  type RedisSentinel,
  type RedisServer,
  startRedis,
  startRedisCluster,
  startRedisReplication,
  startRedisSentinel,
  until,
} from '@clarion/testing';
import { selfSigned } from '@clarion/testing/providers';
import type { Cluster } from 'ioredis';
import { openRedis, WAIT_FOR_SERVER } from '../src/redis-connections';

const PREFIX = 'clarion';
/** Those of the documentation. */
const RIGHTS = /ACL SETUSER clarion on >password (?<rights>.*)/.exec(
  readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8'),
)!.groups!['rights']!;
const USER = { name: 'clarion', password: 'rights-of-few' };

/** Adds what it reads to a queue and publishes it; prints what its consumer and its subscription get. */
const CLIENT = `
  const { Processor } = require('@nestjs/bullmq');
  const { NestFactory } = require('@nestjs/core');
  const { QueueConnection, QueueModule, QueueProcessor, QueueProducer, RealtimeRelay } = require('./dist/index.js');
  const backend = { kind: 'redis', url: process.env.REDIS_URL };
  const options = { prefix: '${PREFIX}', onError: (error) => console.error(error.message) };
  (async () => {
    class Printer extends QueueProcessor {
      handle = async ({ stepIds }) => stepIds.forEach((id) => console.log('consumed ' + id));
    }
    Processor('deliver.email', { concurrency: 2 })(Printer);
    const queues = QueueModule.on(await QueueConnection.open(backend, options));
    const module = { module: class {}, imports: [queues], providers: [Printer] };
    const app = await NestFactory.createApplicationContext(module, { logger: false });
    const producer = app.get(QueueProducer);
    const relay = new RealtimeRelay(backend, options);
    await relay.subscribe((events) => events.forEach(({ subscriberId }) => console.log('heard ' + subscriberId)));
    require('node:readline').createInterface({ input: process.stdin }).on('line', async (id) => {
      // In the order of a busy process: a delayed job, many jobs, a deep queue, the oldest job.
      const job = (delayMs) => ({ name: 'deliver.email', payload: { v: 1, stepIds: [id] }, delayMs });
      const waiting = Array.from({ length: 60 }, () => ({ name: 'deliver.sms', payload: { v: 1, stepIds: [id] } }));
      await producer.enqueueMany([job(), job(10)]);
      await producer.enqueueMany(waiting);
      await producer.loadOf('deliver.sms');
      await producer.loadOf('deliver.email');
      await relay.publish([{ v: 1, kind: 'message.created', environmentId: 'e', subscriberId: id, messageIds: [] }]);
    });
    console.log('ready');
  })();
`;

type Stoppable = { stop(): Promise<void> };
type Run<T> = { servers: T; client: Client };
type Client = { send(id: string): void; has(line: string): boolean; errors: string[]; stop(): Promise<void> };

describe('the forms of Redis', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-redis-forms-'));
  const authority = join(folder, 'ca.crt');
  const { cert, key } = selfSigned('localhost');
  const tls = { cert, key, ca: cert };
  const opened: Stoppable[] = [];
  let sentinel: Run<RedisSentinel>;
  let cluster: Run<RedisCluster>;
  let single: Run<RedisServer>;

  /** Starts the servers, then a client that has processed a job. */
  async function run<T extends Stoppable & { url: string }>(
    starting: Promise<T>,
    urlOf = ({ url }: T): string => url,
  ): Promise<Run<T>> {
    const servers = await starting;
    opened.push(servers);
    const client = await startClient(urlOf(servers));
    await processes(client, 'before');
    return { servers, client };
  }

  beforeAll(async () => {
    writeFileSync(authority, cert);
    const users = [`${USER.name} on >${USER.password} ${RIGHTS}`];
    [sentinel, cluster, single] = await Promise.all([
      run(startRedisSentinel({ tls, password: 'of-servers', sentinelPassword: 'of-sentinels' })),
      run(startRedisCluster({ tls, password: 'of-nodes', users }), asUser),
      run(startRedis({ users, password: 'of-server', settings: { appendonly: 'yes' } }), asUser),
    ]);
  });
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function startClient(url: string): Promise<Client> {
    const env = { PATH: process.env['PATH'], REDIS_URL: url, NODE_EXTRA_CA_CERTS: authority };
    const child: ChildProcess = spawn(process.execPath, ['-e', CLIENT], { cwd: join(__dirname, '..'), env });
    const lines = new Set<string>();
    const errors: string[] = [];
    createInterface({ input: child.stdout! }).on('line', (line) => lines.add(line));
    createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
    const client: Client = {
      send: (id) => void child.stdin!.write(`${id}\n`),
      has: (line) => lines.has(line),
      errors,
      stop: async () => void (child.kill('SIGKILL') && (await new Promise((ended) => child.once('exit', ended)))),
    };
    opened.unshift(client);
    await until(() => client.has('ready') || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(errors.join('\n'));
    return client;
  }

  /** Sends new ids until one is consumed and one is heard. */
  async function processes(client: Client, name: string): Promise<void> {
    let sent = 0;
    let next = 0;
    const has = (what: string): boolean =>
      Array.from({ length: sent }, (_, at) => `${what} ${name}-${at + 1}`).some((line) => client.has(line));
    await until(() => {
      if (Date.now() >= next) {
        client.send(`${name}-${(sent += 1)}`);
        next = Date.now() + 500;
      }
      return has('consumed') && has('heard');
    });
  }

  const asUser = ({ url }: { url: string }): string => url.replace(/\/\/[^@/]*@/, `//${USER.name}:${USER.password}@`);
  const denials = async (servers: readonly RedisServer[]): Promise<string[]> => {
    const logs = await Promise.all(servers.map((server) => server.command('ACL', 'LOG')));
    return logs.flatMap((log) => (log as string[][]).map((entry) => entry.join(' ')));
  };

  it('processes jobs through sentinels over TLS after the primary was killed', async () => {
    await sentinel.servers.killPrimary();
    await processes(sentinel.client, 'after');
  });

  it('processes jobs in a cluster over TLS as a user with few rights after a primary was killed', async () => {
    await cluster.servers.killPrimaryOf(`{${PREFIX}.deliver.email}`);
    await processes(cluster.client, 'after');
    expect(await denials(cluster.servers.nodes.filter(({ isRunning }) => isRunning))).toEqual([]);
  });

  it('settles a connection to a cluster that is ready at a later attempt', async () => {
    const bus = { 'cluster-port': String(await freePort()), 'cluster-announce-ip': '127.0.0.1' };
    const node = await startRedis({ settings: { 'cluster-enabled': 'yes', ...bus } });
    opened.push(node);
    // A cluster with a missing slot is not ready, as during a failover.
    await node.command('CLUSTER', 'ADDSLOTSRANGE', 1, 16_383);
    const client = openRedis(`redis+cluster://127.0.0.1:${node.port}`, WAIT_FOR_SERVER) as Cluster;
    client.on('error', () => undefined);
    const copy = client.duplicate([], { lazyConnect: true });
    const connecting = copy.connect();
    await once(copy, 'close');
    await node.command('CLUSTER', 'ADDSLOTS', 0);
    await connecting;
    expect(copy.status).toBe('ready');
    for (const one of [client, copy]) one.disconnect();
  });

  it('processes jobs on one server as a user with few rights after the server was killed', async () => {
    expect(await denials([single.servers])).toEqual([]);
    await single.servers.kill();
    await single.servers.restart();
    await processes(single.client, 'after');
    expect(await denials([single.servers])).toEqual([]);
  });
});

describe('a start with a Redis that cannot be used', () => {
  const opened: Stoppable[] = [];
  const errors: Error[] = [];
  let pair: RedisReplication;
  let sentinel: RedisServer;
  let node: RedisServer;
  let locked: RedisServer;

  beforeAll(async () => {
    const opening = async <T extends Stoppable>(starting: Promise<T>): Promise<T> => {
      const started = await starting;
      opened.push(started);
      return started;
    };
    [pair, node, locked] = await Promise.all([
      opening(startRedisReplication()),
      opening(startRedis({ settings: { 'cluster-enabled': 'yes', 'cluster-port': String(await freePort()) } })),
      opening(startRedis({ password: 'right', users: ['few on >right ~* +ping'] })),
    ]);
    const monitor = `monitor main 127.0.0.1 ${pair.primary.port} 1`;
    sentinel = await opening(startRedis({ mode: 'sentinel', settings: { sentinel: monitor } }));
  });
  afterAll(() => Promise.all(opened.map((one) => one.stop())));

  const faultOf = (url: string): Promise<string | undefined> =>
    backendFault({ kind: 'redis', url }, { prefix: PREFIX, onError: (error) => void errors.push(error) });
  const at = ({ port }: RedisServer): string => `127.0.0.1:${port}`;

  it('is refused with the right form of the URL when the server runs in another form', async () => {
    expect(await faultOf(`redis://${at(sentinel)}`)).toBe(
      `REDIS_URL begins with redis://, but ${at(sentinel)} is a sentinel: ` +
        `write redis+sentinel://${at(sentinel)}/ and the name of the primary`,
    );
    expect(await faultOf(`redis://${at(node)}`)).toMatch(`Redis Cluster: write redis+cluster://${at(node)}`);
    expect(await faultOf(`redis+cluster://${at(pair.primary)}`)).toMatch(`write redis://${at(pair.primary)}`);
    expect(await faultOf(`redis+sentinel://${at(pair.primary)}/main`)).toMatch(`write redis://${at(pair.primary)}`);
    expect(await faultOf(`redis+sentinel://${at(sentinel)}/other`)).toMatch(
      'no primary with the name "other" of REDIS_URL: it monitors main',
    );
    expect(await faultOf(`redis://${at(pair.replica)}`)).toMatch(/^REDIS_URL names a replica .* accepts no writes/);
  });

  it('is refused without showing the password when the login or the rights are wrong', async () => {
    const rejected = await faultOf(`redis://:hunter2@${at(locked)}`);
    expect(rejected).toMatch(/^Redis rejects the user or the password of REDIS_URL: WRONGPASS/);
    expect(rejected).not.toMatch(/hunter2/);
    expect(await faultOf(`redis://${at(locked)}`)).toMatch(/^Redis rejects .*NOAUTH/);
    expect(await faultOf(`redis://few:right@${at(locked)}`)).toMatch(/^The user of REDIS_URL lacks rights .*NOPERM/);
  });

  it('is refused when a primary of the cluster evicts', async () => {
    await node.command('CLUSTER', 'ADDSLOTS', 0);
    expect(await faultOf(`redis+cluster://${at(node)}`)).toBeUndefined();
    await node.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await faultOf(`redis+cluster://${at(node)}`)).toMatch(/^Redis runs with maxmemory-policy "allkeys-lru"/);
  });

  it('is not refused while no server answers, because that can pass', async () => {
    errors.length = 0;
    expect(await faultOf('redis+sentinel://127.0.0.1:1,127.0.0.1:2/main')).toBeUndefined();
    expect(errors).toMatchObject([{ code: 'ECONNREFUSED' }]);
  });

  it('tells its form, version and policy when it is inspected', async () => {
    const facts = await inspectBackend({ kind: 'redis', url: `redis+sentinel://${at(sentinel)}/main` }, PREFIX);
    expect(facts).toMatchObject({
      kind: 'redis',
      form: 'sentinel',
      primaries: [
        {
          address: at(pair.primary),
          version: expect.stringMatching(/^\d+\.\d+/) as string,
          role: 'primary',
          replicas: 1,
          maxmemoryPolicy: 'noeviction',
          maxmemoryBytes: 0,
          aof: false,
          rdb: false,
        },
      ],
    });
  });
});
