import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { Channel } from '@clarion/contracts';
import { addIntegration, EMAIL_STEP, IN_APP_STEP, openEmailScene, Pipeline } from './pipeline';
import type { Process } from './processes';
import { type Figure, progress } from './report';
import type { Scene, Stage } from './stage';

export type CostsOptions = { notifications: number };

/** Slow enough that the worker waits only for the provider. */
const CALL_MS = 50;
const TICKS_PER_SECOND = 100;

/**
 * The cost of a notification for each part of the system, for `npm run capacity`: processor time, which depends little
 * on other load of the machine, and bytes. Each role runs in a separate process, as it is deployed.
 */
export async function costs(stage: Stage, { notifications }: CostsOptions): Promise<Figure[]> {
  return [
    await costsOf(stage, { channel: 'in_app', step: IN_APP_STEP, how: 'bulk' }, notifications),
    await costsOf(stage, { channel: 'email', step: EMAIL_STEP, how: 'bulk' }, notifications),
    await costsOf(stage, { channel: 'email', step: EMAIL_STEP, how: 'lone' }, Math.ceil(notifications / 4)),
    await callsAtOnce(stage, notifications),
  ];
}

type Case = { channel: Channel; step: object; how: 'bulk' | 'lone' };

async function costsOf(stage: Stage, { channel, step, how }: Case, count: number): Promise<Figure> {
  const { scene, close } = await openEmailScene(stage, `costs_${channel}_${how}`, { gateway: false });
  const roles = { gateway: await scene.start('gateway'), engine: await scene.start('engine') };
  const worker = await scene.start(channel);
  await addIntegration(scene);
  const pipeline = await Pipeline.open(scene, channel.replace('_', '-'), step);
  const redis = new Redis(scene.redisUrl!);
  try {
    await pipeline.deliver(Math.min(count, 2_000), `costs: warming up ${channel}`);
    const look = (): Promise<Spent> => spent(pipeline.sql, redis, { ...roles, worker });
    const before = await look();
    await pipeline.deliver(count, `costs: ${channel}, ${how}`, how);
    const after = await look();
    const values = Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, (value - before[name as keyof Spent]) / count]),
    );
    await worker.stop();
    values['queueBytes'] = await bytesInQueue(scene, pipeline, redis, Math.min(count, 5_000));
    return {
      what: `one ${channel} notification of ${how === 'bulk' ? 'many' : 'a single-event call'}`,
      measured: describe(values as Record<keyof Spent | 'queueBytes', number>),
      goal: 'none, it is for npm run capacity',
      reached: true,
      values,
    };
  } finally {
    redis.disconnect();
    await pipeline.close();
    await close();
  }
}

const describe = (cost: Record<keyof Spent | 'queueBytes', number>): string => {
  const ms = (seconds: number): string => (seconds * 1000).toFixed(3);
  const kib = (bytes: number): string => (bytes / 1024).toFixed(1);
  return (
    `ms of processor: ${ms(cost.gateway)} gateway, ${ms(cost.engine)} engine, ${ms(cost.worker)} worker, ` +
    `${ms(cost.postgres)} Postgres, ${ms(cost.redis)} Redis; ` +
    `KiB: ${kib(cost.databaseBytes)} stored, ${kib(cost.walBytes)} of log`
  );
};

/** Seconds of processor time and bytes, since the processes started. */
type Spent = Record<'gateway' | 'engine' | 'worker' | 'postgres' | 'redis' | 'databaseBytes' | 'walBytes', number>;

async function spent(sql: Pool, redis: Redis, roles: Record<'gateway' | 'engine' | 'worker', Process>): Promise<Spent> {
  const { rows } = await sql.query<{ pid: number; database: number; wal: number }>(
    `SELECT pg_backend_pid() AS pid, pg_database_size(current_database())::float8 AS database,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal`,
  );
  const { pid, database, wal } = rows[0]!;
  const server = statOf(pid)!.parent;
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))![1]);
  const ofProcess = (id: number): number => statOf(id)!.own;
  return {
    gateway: ofProcess(roles.gateway.pid),
    engine: ofProcess(roles.engine.pid),
    worker: ofProcess(roles.worker.pid),
    postgres: ofServer(server),
    redis: ofProcess(redisPid),
    databaseBytes: database,
    walBytes: wal,
  };
}

/** All processes of Postgres, including those that have ended. */
function ofServer(server: number): number {
  const { own, ended } = statOf(server)!;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === server);
  return children.reduce((sum, stat) => sum + stat!.own, own + ended);
}

/** Processor time of a process and its ended children, in seconds. */
function statOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
    return {
      parent: fields[1]!,
      own: (fields[11]! + fields[12]!) / TICKS_PER_SECOND,
      ended: (fields[13]! + fields[14]!) / TICKS_PER_SECOND,
    };
  } catch {
    return undefined;
  }
}

/** The memory of a notification in Redis while it waits for a worker. */
async function bytesInQueue(scene: Scene, pipeline: Pipeline, redis: Redis, count: number): Promise<number> {
  progress('costs: a queue without a worker');
  const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
  const before = await used();
  await pipeline.accept(count);
  for (;;) {
    const { rows } = await pipeline.sql.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM trigger WHERE environment_id = $1 AND state IN ('accepted', 'running')`,
      [scene.environment.id],
    );
    if (rows[0]!.open === 0) return Math.max(0, (await used()) - before) / count;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The number of concurrent calls of a worker to one account, measured with a slow provider. */
async function callsAtOnce(stage: Stage, notifications: number): Promise<Figure> {
  const { scene, close } = await openEmailScene(stage, 'costs_slow', { words: [`delay=${CALL_MS}`] });
  await scene.start('engine');
  await scene.start('email');
  const pipeline = await Pipeline.open(scene, 'email', EMAIL_STEP);
  try {
    await pipeline.deliver(500, 'costs: warming up a slow provider');
    const perSecond = await pipeline.deliver(Math.min(notifications, 10_000), 'costs: a slow provider');
    const callsAtOnce = (perSecond * CALL_MS) / 1000;
    return {
      what: `one worker and an account that takes ${CALL_MS} ms`,
      measured: `${callsAtOnce.toFixed(1)} calls at a time (${Math.round(perSecond)}/s)`,
      goal: 'none, it is for npm run capacity',
      reached: true,
      values: { callsAtOnce },
    };
  } finally {
    await pipeline.close();
    await close();
  }
}
