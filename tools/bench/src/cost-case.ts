import { Redis } from 'ioredis';
import type { Channel } from '@clarion/contracts';
import {
  addIntegration,
  addWebhookEndpoint,
  EMAIL_STEP,
  IN_APP_STEP,
  openEmailScene,
  Pipeline,
  type Provider,
} from './pipeline';
import { countOpenTriggers } from './progress-sql';
import { readSpent, readUpdates, type Spent } from './spent';
import type { Scene, Stage, Tree } from './stage';

/** What an installation may have on. Without one of them the event log is off, which new environments have on. */
export type Extra = 'event log' | 'webhook endpoint' | 'traces' | 'Postgres queue';

export type CostCase = { name: string; channel: Channel; how: 'bulk' | 'lone'; extra?: Extra };

/** The cost of one notification: seconds of processor time of each part, bytes, and updated rows by table. */
export type CostSample = { spent: Spent; updates: Record<string, number> };

export type CaseOptions = { count: number; label: string; tree?: Tree | undefined };

const WARM_UP = 2_000;
/** The code for single events has to be compiled too. */
const LONE_WARM_UP = 500;

/** A receiver of traces that accepts all of them, and the other backend of the queue. */
const VARIABLES: Partial<Record<Extra, (providerUrl: string) => Record<string, string>>> = {
  traces: (providerUrl) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: providerUrl }),
  'Postgres queue': () => ({ CLARION_QUEUE: 'postgres' }),
};

/** Entries of the event log without a number, and those that the endpoint has not got. */
const OPEN_ENTRIES = `
SELECT 1 FROM new_log_entry UNION ALL SELECT 1 FROM new_log_batch UNION ALL
SELECT 1 FROM webhook_delivery WHERE state = 'waiting' UNION ALL
SELECT 1 FROM webhook_endpoint e JOIN event_log l USING (environment_id) WHERE e.cursor < l.last_sequence LIMIT 1`;
const LOOK_MS = 200;

/** Each role runs in a separate process, as it is deployed. */
export async function measureCase(stage: Stage, kind: CostCase, options: CaseOptions): Promise<CostSample> {
  const { count, label, tree } = options;
  const isRecorded = kind.extra === 'event log' || kind.extra === 'webhook endpoint';
  return withScene(stage, kind, tree, async (scene, redis, provider) => {
    const setting = [scene.environment.id, kind.extra === 'event log'];
    if (!tree) await scene.database.query(`UPDATE environment SET event_log = $2 WHERE id = $1`, setting);
    const roles = {
      gateway: await scene.start('gateway'),
      engine: await scene.start('engine'),
      // The worker of chat numbers the entries of the event log and calls the endpoints.
      worker: await scene.start(kind.channel, ...(isRecorded ? (['chat'] as const) : [])),
    };
    await addIntegration(scene);
    if (kind.extra === 'webhook endpoint') await addWebhookEndpoint(scene, `${provider.url}/hook`);
    const pipeline = await openPipeline(scene, kind);
    try {
      const many = Math.min(count, WARM_UP);
      const lone = kind.how === 'lone' ? Math.min(count, LONE_WARM_UP) : 0;
      const untilRecorded = async (): Promise<void> => {
        while (isRecorded && (await scene.database.query(OPEN_ENTRIES)).length > 0)
          await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      };
      await pipeline.deliver(many, `${label}: warming up`);
      if (lone > 0) await pipeline.deliver(lone, `${label}: warming up`, 'lone');
      await untilRecorded();
      const before = await readSpent(pipeline.sql, redis, roles);
      await pipeline.deliver(count, label, kind.how);
      await untilRecorded();
      const after = await readSpent(pipeline.sql, redis, roles);
      for (const role of Object.values(roles)) await role.stop();
      const updates = Object.entries(await readUpdates(pipeline.sql));
      return {
        spent: Object.fromEntries(
          Object.entries(after).map(([part, value]) => [part, (value - before[part as keyof Spent]) / count]),
        ) as Spent,
        updates: Object.fromEntries(updates.map(([table, rows]) => [table, rows / (many + lone + count)])),
      };
    } finally {
      await pipeline.close();
    }
  });
}

/** The memory of a notification in Redis while it waits for a worker. */
export async function bytesInQueue(stage: Stage, kind: CostCase, { count }: CaseOptions): Promise<number> {
  return withScene(stage, kind, undefined, async (scene, redis) => {
    await scene.start('gateway', 'engine');
    await addIntegration(scene);
    const pipeline = await openPipeline(scene, kind);
    try {
      const used = async (): Promise<number> => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1]);
      // The first jobs create the keys of the queues.
      await acceptAll(scene, pipeline, 100);
      const before = await used();
      await acceptAll(scene, pipeline, count);
      return Math.max(0, (await used()) - before) / count;
    } finally {
      await pipeline.close();
    }
  });
}

async function acceptAll(scene: Scene, pipeline: Pipeline, count: number): Promise<void> {
  await pipeline.accept(count);
  while ((await countOpenTriggers(pipeline.sql, scene.environment.id)) > 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

const openPipeline = (scene: Scene, { channel }: CostCase): Promise<Pipeline> =>
  Pipeline.open(scene, channel.replace('_', '-'), channel === 'in_app' ? IN_APP_STEP : EMAIL_STEP);

async function withScene<T>(
  stage: Stage,
  { channel, how, extra }: CostCase,
  tree: Tree | undefined,
  work: (scene: Scene, redis: Redis, provider: Provider) => Promise<T>,
): Promise<T> {
  const variables = extra && VARIABLES[extra];
  const { scene, provider, close } = await openEmailScene(stage, `costs_${channel}_${how}`, {
    gateway: false,
    tree,
    variables,
  });
  const redis = new Redis(scene.redisUrl!);
  try {
    return await work(scene, redis, provider);
  } finally {
    redis.disconnect();
    await close();
  }
}
