import { randomBytes } from 'node:crypto';
import type { QueueBackend } from '@clarion/queue';

/** The queue backend under test: `npm test` runs the specs that depend on it on each backend. */
export function testQueueBackend(databaseUrl: string): QueueBackend {
  const redis = process.env['CLARION_TEST_REDIS_URL'];
  if (redis && process.env['CLARION_TEST_QUEUE'] !== 'postgres') return { kind: 'redis', url: redis };
  return { kind: 'postgres', url: databaseUrl };
}

/** A prefix per spec file, so that files can run in parallel on one Redis. */
export const uniquePrefix = (): string => `test-${randomBytes(6).toString('hex')}`;
