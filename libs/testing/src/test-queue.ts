import { randomBytes } from 'node:crypto';
import type { QueueBackend } from '@clarion/queue';

/** The queue backend under test: `npm test` runs the specs that depend on it on each backend. */
export function testQueueBackend(databaseUrl: string): QueueBackend {
  const redis = process.env['CLARION_TEST_REDIS_URL'];
  if (redis && process.env['CLARION_TEST_QUEUE'] !== 'postgres') {
    // On a busy machine only the time of a spec may change, not an answer.
    return { kind: 'redis', url: `${redis}${redis.includes('?') ? '&' : '?'}wait_factor=20` };
  }
  return { kind: 'postgres', url: databaseUrl };
}

/** A prefix per spec file, so that files can run in parallel on one Redis. */
export const uniquePrefix = (): string => `test-${randomBytes(6).toString('hex')}`;
