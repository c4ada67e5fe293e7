import { randomBytes } from 'node:crypto';
import type { QueueBackend } from '@clarion/queue';

/** The queue backend under test: `npm test` runs the specs that depend on it once on each. */
export function testQueueBackend(databaseUrl: string): QueueBackend {
  const redis = process.env['CLARION_TEST_REDIS_URL'];
  if (redis && process.env['CLARION_TEST_QUEUE'] !== 'postgres') return { kind: 'redis', url: redis };
  return { kind: 'postgres', url: databaseUrl };
}

/** A prefix per spec file, so that files may run side by side on one Redis. */
export const uniquePrefix = (): string => `test-${randomBytes(6).toString('hex')}`;
