import { randomBytes } from 'node:crypto';
import type { QueueEngine } from '@clarion/queue';

/** The queue engine under test: `npm test` runs the engine-dependent specs once on each. */
export function testQueueEngine(databaseUrl: string): QueueEngine {
  const redis = process.env['CLARION_TEST_REDIS_URL'];
  if (redis && process.env['CLARION_TEST_QUEUE'] !== 'postgres') return { kind: 'redis', url: redis };
  return { kind: 'postgres', url: databaseUrl };
}

/** A prefix per spec file, so that files may run side by side on one Redis. */
export const uniquePrefix = (): string => `test-${randomBytes(6).toString('hex')}`;
