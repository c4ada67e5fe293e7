import type { Redis } from 'ioredis';
import {
  parseRedisUrl,
  type RedisAddress,
  type RedisForm,
  type RedisHost,
  redisHostName,
  redisHostNames,
  redisScheme,
} from '@clarion/contracts/core';
import { openRedisHost } from './redis-connections';

const CLOCK_READINGS = 3;

/** Facts about one server that accepts writes. Undefined: the user of the URL may not read it. */
export type RedisServerFacts = {
  /** `host:port`, as the sentinels or the cluster name it. */
  address: string;
  version: string;
  role: 'primary' | 'replica';
  /** Replicas that are connected to it. */
  replicas: number;
  maxmemoryPolicy: string;
  usedMemoryBytes: number;
  /** 0 is no limit. */
  maxmemoryBytes: number;
  /** The append-only file, and snapshots. */
  aof: boolean;
  rdb: boolean | undefined;
  /** The clock of the server minus the clock of this process. */
  clockSkewMs: number | undefined;
};

export type RedisFacts = { form: RedisForm; primaries: RedisServerFacts[] };

/** Reads the facts of the server, or of every primary of the cluster. Throws when none answers. */
export async function inspectRedis(url: string): Promise<RedisFacts> {
  const address = parseRedisUrl(url);
  const primaries = await findPrimaries(address);
  return { form: address.form, primaries: await Promise.all(primaries.map((host) => factsOf(address, host))) };
}

/** Why Redis cannot be used, and what to do; undefined when it can. Throws when no host answers. */
export async function redisFault(url: string): Promise<string | undefined> {
  const address = parseRedisUrl(url);
  try {
    const { host, mode } = await firstAnswer(address, async (redis, host) => ({
      host,
      mode: infoField(await redis.info('server'), 'redis_mode'),
    }));
    const fault = formFault(address, host, mode) ?? (await masterFault(address));
    if (fault) return fault;
    const primaries = await findPrimaries(address);
    const faults = await Promise.all(primaries.map((primary) => serverFault(address, primary)));
    return faults.find((text) => text !== undefined);
  } catch (error) {
    const fault = lastingFault(error as Error, address);
    if (fault) return fault;
    throw error;
  }
}

/** The URL names another kind of server than it says; a client would never become ready or loop on redirections. */
function formFault({ form, tls, hosts }: RedisAddress, host: RedisHost, mode = 'standalone'): string | undefined {
  if (mode === form) return undefined;
  const write = (other: RedisForm, rest: string): string => `write ${redisScheme(other, tls)}${rest}`;
  const found: Record<string, string> = {
    sentinel: `a sentinel: ${write('sentinel', redisHostNames(hosts))}/ and the name of the primary`,
    cluster: `a node of a Redis Cluster: ${write('cluster', redisHostNames(hosts))}`,
    standalone: `a server without sentinel and cluster mode: ${write('standalone', redisHostName(host))}`,
  };
  const name = redisHostName(host);
  return `REDIS_URL begins with ${redisScheme(form, tls)}, but ${name} is ${found[mode] ?? `a server in ${mode} mode`}`;
}

async function masterFault(address: RedisAddress): Promise<string | undefined> {
  const { form, master } = address;
  if (form !== 'sentinel') return undefined;
  return firstAnswer(address, async (redis, host) => {
    if (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master!)) return undefined;
    const flat = (await redis.call('SENTINEL', 'MASTERS')) as string[][];
    const names = flat.map((fields) => fields[fields.indexOf('name') + 1]);
    return (
      `The sentinel ${redisHostName(host)} monitors no primary with the name "${master}" of REDIS_URL: ` +
      (names.length > 0 ? `it monitors ${names.join(', ')}` : 'it monitors none')
    );
  });
}

async function serverFault(address: RedisAddress, host: RedisHost): Promise<string | undefined> {
  const info = await ask(address, host, address.login, (redis) => redis.info());
  if (address.form === 'standalone' && roleIn(info) === 'replica') {
    return (
      `REDIS_URL names a replica (${redisHostName(host)}), which accepts no writes: ` +
      `name the primary, or let sentinels name it (${redisScheme('sentinel', address.tls)})`
    );
  }
  const policy = policyIn(info);
  if (policy === 'noeviction') return undefined;
  return (
    `Redis runs with maxmemory-policy "${policy}" (${redisHostName(host)}), which silently drops queued work: ` +
    'set it to noeviction (CONFIG SET maxmemory-policy noeviction)'
  );
}

/** Errors that do not pass by waiting: the login, the rights of the user, and certificates. */
function lastingFault(error: Error, { form, tls }: RedisAddress): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (/^(WRONGPASS|NOAUTH|ERR AUTH)/.test(error.message)) {
    const where = form === 'sentinel' ? ' (of the sentinels: sentinelUsername and sentinelPassword)' : '';
    return `Redis rejects the user or the password of REDIS_URL${where}: ${error.message}`;
  }
  if (error.message.startsWith('NOPERM')) {
    return `The user of REDIS_URL lacks rights that Clarion needs (docs/configuration.md lists them): ${error.message}`;
  }
  if (tls && /CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return (
      `The certificate of Redis is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS, ` +
      'and use the host name of the certificate'
    );
  }
  return undefined;
}

/** The servers that accept writes. */
async function findPrimaries(address: RedisAddress): Promise<RedisHost[]> {
  if (address.form === 'standalone') return [address.hosts[0]!];
  return firstAnswer(address, async (redis) => {
    if (address.form === 'sentinel') {
      const answer = await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.master!);
      const found = answer as [string, string] | null;
      if (!found) throw new Error(`no primary is named ${address.master}`);
      return [{ host: found[0], port: Number(found[1]) }];
    }
    const ranges = (await redis.call('CLUSTER', 'SLOTS')) as [number, number, [string | null, number]][];
    // A node that does not know its own address leaves the host out.
    const hosts = ranges.map(([, , [host, port]]) => ({ host: host || String(redis.options.host), port }));
    return [...new Map(hosts.map((host) => [redisHostName(host), host])).values()];
  });
}

async function factsOf(address: RedisAddress, host: RedisHost): Promise<RedisServerFacts> {
  return ask(address, host, address.login, async (redis) => {
    const info = await redis.info();
    const field = (name: string): string => infoField(info, name) ?? '';
    // The queue itself needs neither of these rights.
    const clockSkewMs = await clockSkewOf(redis).catch(() => undefined);
    const save = (await redis.config('GET', 'save').catch(() => undefined)) as string[] | undefined;
    return {
      address: redisHostName(host),
      version: field('redis_version'),
      role: roleIn(info),
      replicas: Number(field('connected_slaves')),
      maxmemoryPolicy: policyIn(info),
      usedMemoryBytes: Number(field('used_memory')),
      maxmemoryBytes: Number(field('maxmemory')),
      aof: field('aof_enabled') === '1',
      rdb: save && Boolean(save[1]),
      clockSkewMs,
    };
  });
}

/** Of several readings the one with the shortest round trip is the most exact. */
async function clockSkewOf(redis: Redis): Promise<number> {
  let best = { skewMs: 0, tookMs: Infinity };
  for (let reading = 0; reading < CLOCK_READINGS; reading += 1) {
    const before = Date.now();
    const [seconds, microseconds] = await redis.time();
    const after = Date.now();
    const skewMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - (before + after) / 2;
    if (after - before < best.tookMs) best = { skewMs, tookMs: after - before };
  }
  return Math.round(best.skewMs);
}

const infoField = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

const roleIn = (info: string): 'primary' | 'replica' => (infoField(info, 'role') === 'slave' ? 'replica' : 'primary');

const policyIn = (info: string): string => infoField(info, 'maxmemory_policy') || 'noeviction';

type Question<T> = (redis: Redis, host: RedisHost) => Promise<T>;

/** Asks the hosts of the URL, one after the other, until one answers. */
async function firstAnswer<T>(address: RedisAddress, question: Question<T>): Promise<T> {
  const login = address.form === 'sentinel' ? (address.sentinelLogin ?? {}) : address.login;
  let fault: unknown;
  for (const host of address.hosts) {
    try {
      return await ask(address, host, login, question);
    } catch (error) {
      // A host that answers with an error says more than one that does not answer.
      if (fault === undefined || lastingFault(error as Error, address)) fault = error;
    }
  }
  throw fault;
}

async function ask<T>(
  address: RedisAddress,
  host: RedisHost,
  login: RedisAddress['login'],
  question: Question<T>,
): Promise<T> {
  const redis = openRedisHost(address, host, login);
  let connectionError: Error | undefined;
  redis.on('error', (error) => (connectionError = error));
  try {
    await redis.connect();
    return await question(redis, host);
  } catch (error) {
    // When the connection fails, the error of a command only says that it is closed.
    throw connectionError ?? error;
  } finally {
    redis.disconnect();
  }
}
