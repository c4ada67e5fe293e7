import { type RedisCluster, type RedisSentinel, startRedisCluster, startRedisSentinel, until } from '@clarion/testing';
import { type Clarion, startOwnClarion } from './harness';

type Stoppable = { stop(): Promise<void> };

/** Until the sweeper has offered every row whose job was lost or could not be added. */
const DEADLINE_MS = 120_000;
const BEFORE_AND_AFTER = 10;

describe('a failover of Redis under load', () => {
  const opened: Stoppable[] = [];
  let sentinel: { redis: RedisSentinel; clarion: Clarion };
  let cluster: { redis: RedisCluster; clarion: Clarion };

  async function open<T extends Stoppable & { url: string }>(starting: Promise<T>) {
    const redis = await starting;
    opened.push(redis);
    const clarion = await startOwnClarion({
      roles: ['engine', 'email'],
      queueBackend: { kind: 'redis', url: redis.url },
    });
    opened.unshift({ stop: () => clarion.close() });
    clarion.provider.always('/emails', { json: { id: 'taken' }, delayMs: 20 });
    await clarion.integration('resend', 'email');
    await clarion.workflow('mail', [{ type: 'email', controlValues: { subject: 'S', body: '<p>{{payload.n}}</p>' } }]);
    return { redis, clarion };
  }

  beforeAll(async () => {
    [sentinel, cluster] = await Promise.all([open(startRedisSentinel()), open(startRedisCluster())]);
  });
  afterAll(async () => {
    for (const one of opened) await one.stop();
  });

  /** Triggers before, during and after the failover. Each trigger is accepted, and its email is sent once. */
  async function survives(clarion: Clarion, failOver: () => Promise<unknown>): Promise<void> {
    const accepted: string[] = [];
    const trigger = async (): Promise<void> => {
      const n = accepted.length;
      const to = { subscriberId: `s${n}`, email: `s${n}@x.test` };
      accepted.push(await clarion.trigger('mail', to, { payload: { n } }));
    };
    while (accepted.length < BEFORE_AND_AFTER) await trigger();
    let isOver = false;
    const failedOver = failOver().finally(() => (isOver = true));
    while (!isOver) await trigger();
    await failedOver;
    const during = accepted.length;
    while (accepted.length < during + BEFORE_AND_AFTER) await trigger();

    const sentTo = (): string[] =>
      clarion.provider.calls.map(({ body }) => (JSON.parse(body) as { to: string[] }).to[0]!);
    const everyone = accepted.map((_, n) => `s${n}@x.test`).toSorted();
    await until(() => new Set(sentTo()).size === accepted.length, DEADLINE_MS);
    // No process has crashed, so no message may be in doubt and sent again.
    await until(async () => (await openSteps(clarion)) === 0);
    expect(sentTo().toSorted()).toEqual(everyone);
  }

  const openSteps = async (clarion: Clarion): Promise<number> => {
    const [row] = await clarion.database.rows<{ open: number }>(`SELECT count(*)::int AS open FROM work`);
    return row!.open;
  };

  it('loses and doubles no email when sentinels replace a killed primary', async () => {
    await survives(sentinel.clarion, () => sentinel.redis.killPrimary());
  });

  it('loses and doubles no email when a cluster replaces the killed primary of the queue', async () => {
    const prefix = cluster.clarion.context.config.CLARION_QUEUE_PREFIX;
    await survives(cluster.clarion, () => cluster.redis.killPrimaryOf(`{${prefix}.deliver.email}`));
  });
});
