import { randomBytes } from 'node:crypto';
import type { EnvironmentId } from '@clarion/contracts/core';
import type { Database, PackedDetail } from '@clarion/persistence';
import { insertWorkflow, type WorkflowRow } from './builders';

export type History = {
  environmentId: EnvironmentId;
  /** The number of notifications; each has one step, one message and four details. */
  notifications: number;
  /** The number of subscribers that share them. */
  subscribers: number;
  from: Date;
  to: Date;
};

const CHUNK = 10_000;
const HISTORY_CHANNELS = ['in_app', 'email', 'sms'] as const;
const HISTORY_DETAILS: PackedDetail[] = [
  { d: 'Provider was selected', s: 'Pending' },
  { d: 'Message created', s: 'Pending', m: true },
  { d: 'Message sent', m: true },
];

/**
 * Generates a long history inside Postgres, evenly spread over a time span; a message is created up to a day after its
 * step. A million notifications with all their rows take minutes. Subscriber `n` has the id `<prefix>-<n>`, and so does
 * the transaction of notification `n`.
 */
export async function insertHistory(
  database: Database,
  { environmentId, notifications, subscribers, from, to }: History,
): Promise<{ prefix: string; workflow: WorkflowRow }> {
  const salt = randomBytes(2).toString('hex').slice(1);
  const prefix = `history-${salt}`;
  const workflow = await insertWorkflow(database, { environmentId, steps: HISTORY_CHANNELS.map((type) => ({ type })) });
  const id = (milliseconds: string, number: string): string =>
    `(lpad(to_hex(${milliseconds}), 12, '0') || '7${salt}8' || lpad(to_hex(${number}), 15, '0'))::uuid`;

  await inChunks(subscribers, (first, last) =>
    database.query(
      `INSERT INTO subscriber (id, environment_id, subscriber_id, first_name, last_name, email, created_at, updated_at)
       SELECT ${id('$2::bigint', 'n')}, $1, '${prefix}-' || n, 'First' || n, 'Last' || n,
              '${prefix}-' || n || '@example.com', now(), now()
         FROM generate_series($3::bigint, $4::bigint) n`,
      [environmentId, from.getTime(), first, last],
    ),
  );

  // The id of a notification ends with the byte 0.
  const base = `
    SELECT n, $1::uuid AS environment_id, to_timestamp(made.ms / 1000.0) AS at, ${id('made.ms', 'n * 256')} AS id,
           '${prefix}-' || n AS transaction_id, ${id('$2::bigint', 'n % $4::bigint')} AS subscriber_id,
           ('{${HISTORY_CHANNELS.join()}}'::text[])[1 + n % ${HISTORY_CHANNELS.length}] AS channel,
           (n % ${HISTORY_CHANNELS.length})::int AS position
      FROM generate_series($6::bigint, $7::bigint) n
     CROSS JOIN LATERAL (SELECT $2::bigint + ($3::bigint - $2::bigint) * n / $5::bigint AS ms) made`;
  await inChunks(notifications, async (first, last) => {
    const parameters = [environmentId, from.getTime(), to.getTime(), subscribers, notifications, first, last];
    await database.query(
      `WITH base AS MATERIALIZED (${base}), transactions AS (
         INSERT INTO transaction (environment_id, transaction_id, trigger_id)
         SELECT environment_id, transaction_id, id FROM base
       )
       INSERT INTO trigger (id, environment_id, workflow_id, workflow_version, transaction_id, fingerprint, recipients,
                            payload, created_at)
       SELECT id, environment_id, '${workflow.id}', 1, transaction_id, '', '[]', jsonb_build_object('n', n), at
         FROM base`,
      parameters,
    );
    await database.query(
      `INSERT INTO notification (id, environment_id, trigger_id, workflow_id, subscriber_id, channels, created_at)
       SELECT id, environment_id, id, '${workflow.id}', subscriber_id, ARRAY[channel], at FROM (${base}) base`,
      parameters,
    );
    await database.query(
      `INSERT INTO step (id, environment_id, step_key, type, state, queued_at, ended_at, details)
       SELECT step_id(id, position), environment_id, channel || '-' || position, channel, 'completed', at, at,
              '${JSON.stringify(HISTORY_DETAILS)}'
         FROM (${base}) base`,
      parameters,
    );
    await database.query(
      `INSERT INTO message (id, environment_id, trigger_id, step_id, subscriber_id, workflow_id, channel, provider_id,
                            content, created_at, updated_at)
       SELECT step_id(id, position), environment_id, id, step_id(id, position), subscriber_id, '${workflow.id}', channel,
              'platform', to_jsonb('Message ' || n), at + delay, at + delay
         FROM (${base}) base
        CROSS JOIN LATERAL (SELECT make_interval(secs => n * 7919 % 86400) AS delay) waited`,
      parameters,
    );
  });
  return { prefix, workflow };
}

/** Statements have a timeout; a chunk stays far below it. */
async function inChunks(count: number, work: (first: number, last: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < count; first += CHUNK) await work(first, Math.min(first + CHUNK, count) - 1);
}
