import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '@clarion/testing';
import type { Random } from './random';
import type { World } from './world';

/** One fault. `run` returns when the fault has happened; what it breaks repairs itself. */
export type Deed = { name: string; run(world: World, random: Random): Promise<void> | void };

export const killOne = (app: App): Deed => ({
  name: `SIGKILL of a ${app}`,
  run: (world, random) => random.pick(world.placesOf(app)).kill(),
});

export const flushRedis: Deed = {
  name: 'FLUSHALL',
  run: async ({ stores }) => void (await stores.redis.command('FLUSHALL')),
};

export const restartRedis: Deed = {
  name: 'restart of a Redis without persistence',
  run: async ({ stores }) => {
    await stores.redis.kill();
    await delay(300);
    await stores.redis.restart();
  },
};

export const crashPostgres: Deed = {
  name: 'immediate restart of Postgres',
  run: async ({ stores }) => {
    await stores.postgres.stopPrimary('immediate');
    await delay(300);
    await stores.postgres.restartPrimary();
  },
};

export const cutConnections: Deed = {
  name: 'cut of all connections',
  run: ({ stores }) => {
    for (const proxy of [stores.redisProxy, stores.postgresProxy])
      for (const connection of proxy.connections()) connection.cut();
  },
};

/** A process that is longer away than its lease holds; others take over, and then it goes on where it was. */
export const freezeFor = (app: App, milliseconds: number): Deed => ({
  name: `SIGSTOP of a ${app} for ${milliseconds / 1000} s`,
  run: async (world) => {
    const place = world.placesOf(app)[0]!;
    place.freeze();
    await delay(milliseconds);
    place.resume();
  },
});

/** The deeds in a random order. */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  return values.map(() => left.splice(random.between(0, left.length - 1), 1)[0]!);
}
