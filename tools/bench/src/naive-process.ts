import { Worker } from 'bullmq';
import { Pool } from 'pg';
import { Pool as HttpPool } from 'undici';
import { exitOnFault, whenAskedToStop } from '@clarion/platform';
import { NAIVE_CONCURRENCY, type NaiveTask } from './naive';
import { acceptedTables, insertRow } from './rows';
import { EMAIL_CALL, sendEmail } from './email-call';

/** The worker of the naive pipeline. */
async function main(): Promise<void> {
  const { pattern, queue, redisUrl, databaseUrl, providerUrl } = JSON.parse(process.argv[2]!) as NaiveTask;
  const pool = new Pool({ connectionString: databaseUrl, max: NAIVE_CONCURRENCY });
  const http = providerUrl ? new HttpPool(providerUrl, { connections: NAIVE_CONCURRENCY }) : undefined;
  const parts = pattern.slice(acceptedTables(pattern));
  const worker = new Worker<Record<string, unknown>[][]>(
    queue,
    async ({ data }) => {
      if (http) await sendEmail(http, EMAIL_CALL);
      for (const [index, part] of parts.entries()) for (const row of data[index]!) await insertRow(pool, part, row);
      process.send!({ done: 1 });
    },
    { connection: { url: redisUrl, maxRetriesPerRequest: null }, concurrency: NAIVE_CONCURRENCY },
  );
  await worker.waitUntilReady();
  process.send!({ ready: true });
  whenAskedToStop(async () => {
    await worker.close();
    await pool.end();
    await http?.close();
  });
}

main().catch(exitOnFault);
