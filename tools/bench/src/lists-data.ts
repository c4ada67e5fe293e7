import type { Pool } from 'pg';
import { newId, type SubscriberRowId } from '@clarion/contracts';
import { ensurePartitions, WEEK } from '@clarion/persistence';
import { insertHistory, insertNotifications, insertWorkflow } from '@clarion/testing';
import { timed, withoutGin } from './seed';
import { openPool, type Scene } from './stage';

/** Facts about a filled database that requests need. */
export type ListsData = {
  /** Cursors in the middle of the lists. */
  subscriberCursor: string;
  topicCursor: string;
  subscriptionCursor: string;
  /** The number of a subscriber and of a topic that is not part of another number. */
  number: number;
  notificationId: string;
  /** A recipient of the history, with HISTORY_SHARE notifications, and one of its transactions. */
  recipient: { subscriberId: string; email: string };
  transactionId: string;
  commonWorkflow: string;
  rareWorkflow: string;
  middle: Date;
};

export type MessagesData = Pick<ListsData, 'recipient' | 'transactionId'>;

/** The number of rare rows, independent of the total. */
const RARE = 10;
/**
 * The rare text appears in an email address, a name, a key and so on; the phone numbers of those rows have their own
 * prefix.
 */
export const RARE_WORD = 'zebra';
export const RARE_PHONE = '441632960';
export const phoneOf = (number: number): string => `+1202${String(number).padStart(7, '0')}`;
/** A topic that one notification in a hundred belongs to. */
export const FREQUENT_TOPIC = 'news';
/** One topic in ten has this text in its key. */
export const FREQUENT_KEY = 'team';
export const WHOLE_TOPIC = 'everyone';
/** A subscriber with a long feed. */
export const READER = 'reader';

const HISTORY_SHARE = 250;
const FEED = 10_000;
const BOUNDED_LIST = 100;

/** Inserts this many rows of each listed kind, with the same number of rare ones. */
export async function fillLists(scene: Scene, rows: number): Promise<ListsData> {
  const pool = openPool(scene, 4);
  try {
    const to = Date.now() - 3600 * 1000;
    const from = to - 4 * WEEK;
    const fill: Fill = { scene, pool, rows, from, to };
    await ensurePartitions(scene.database, { from });
    // In parallel, for two processors.
    const [, history] = await Promise.all([fillDirectory(fill), fillHistory(fill)]);
    await timed(`lists: tidying up ${many(rows)} rows of each kind`, () => pool.query('VACUUM ANALYZE'));
    const middle = Math.floor(rows / 2);
    const idOf = async (query: string, ...values: string[]): Promise<string> =>
      (await pool.query<{ id: string }>(query, values)).rows[0]!.id;
    return {
      ...history,
      subscriberCursor: await idOf(`SELECT id FROM subscriber WHERE subscriber_id = 'member-${middle}'`),
      topicCursor: await idOf(`SELECT id FROM topic WHERE key = 'topic-${middle}'`),
      subscriptionCursor: await idOf(`SELECT id FROM topic_subscription WHERE identifier = 'member-${middle}'`),
      notificationId: await idOf(
        `SELECT n.id FROM trigger t JOIN notification n ON n.trigger_id = t.id WHERE t.transaction_id = $1`,
        history.transactionId,
      ),
      number: Math.floor(rows * 0.876543),
      middle: new Date((from + to) / 2),
    };
  } finally {
    await pool.end();
  }
}

/** Only messages of four weeks, with the rows that they need. */
export async function fillMessages(scene: Scene, rows: number): Promise<MessagesData> {
  const { database, environment } = scene;
  const to = Date.now() - 3600 * 1000;
  const from = to - 4 * WEEK;
  await ensurePartitions(database, { from });
  const { prefix } = await timed(`messages: seeding ${many(rows)}`, () =>
    insertHistory(database, {
      environmentId: environment.id,
      notifications: rows,
      subscribers: Math.floor(rows / HISTORY_SHARE),
      from: new Date(from),
      to: new Date(to),
    }),
  );
  const pool = openPool(scene, 1);
  await timed(`messages: tidying up ${many(rows)} rows`, () => pool.query('VACUUM ANALYZE'));
  await pool.end();
  return {
    recipient: { subscriberId: `${prefix}-1`, email: `${prefix}-1@example.com` },
    transactionId: `${prefix}-${Math.floor(rows / 2)}`,
  };
}

type Fill = { scene: Scene; pool: Pool; rows: number; from: number; to: number };

/** Subscribers, topics, and all subscribers in one topic. */
async function fillDirectory({ scene, pool, rows, from, to }: Fill): Promise<void> {
  const time = `to_timestamp((${from}::bigint + n * ${to - from}::bigint / ${rows}) / 1000.0)`;
  const ms = `${from}::bigint + n * ${to - from}::bigint / ${rows}`;
  const id = `(lpad(to_hex(${ms}), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid`;
  const isRare = `n % ${Math.floor(rows / RARE)} = 1`;
  const numbers = `(SELECT n, ${isRare} AS rare FROM generate_series(1::bigint, ${rows}) n) numbers`;
  await timed(`lists: seeding ${many(rows)} subscribers`, () =>
    withoutGin(pool, 'subscriber', () =>
      pool.query(
        `INSERT INTO subscriber (id, environment_id, subscriber_id, first_name, last_name, email, phone,
                                 created_at, updated_at)
         SELECT ${id}, $1, 'member-' || n, (ARRAY['Ada', 'Grace', 'Alan', 'Edsger'])[1 + n % 4],
                CASE WHEN rare THEN '${RARE_WORD}' ELSE 'Member' END || n,
                CASE WHEN rare THEN '${RARE_WORD}' ELSE 'member' END || n || '@example.com',
                CASE WHEN rare THEN '+${RARE_PHONE}' ELSE '+1202' END || lpad(n::text, 7, '0'), ${time}, ${time}
           FROM ${numbers}`,
        [scene.environment.id],
      ),
    ),
  );
  await timed(`lists: seeding ${many(rows)} topics`, () =>
    withoutGin(pool, 'topic', () =>
      pool.query(
        `INSERT INTO topic (id, environment_id, key, name, created_at, updated_at)
         SELECT ${id}, $1,
                CASE WHEN rare THEN '${RARE_WORD}-' WHEN n % 10 = 4 THEN '${FREQUENT_KEY}-' ELSE 'topic-' END || n,
                CASE WHEN rare THEN 'A ${RARE_WORD}' ELSE 'A topic' END || n, ${time}, ${time}
           FROM ${numbers}`,
        [scene.environment.id],
      ),
    ),
  );
  const topicId = newId();
  await pool.query(`INSERT INTO topic (id, environment_id, key) VALUES ($1, $2, '${WHOLE_TOPIC}')`, [
    topicId,
    scene.environment.id,
  ]);
  await timed(`lists: seeding ${many(rows)} subscriptions of one topic`, () =>
    pool.query(
      `INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier, created_at, updated_at)
       SELECT ${id}, $1, $2, ${id}, 'member-' || n, ${time}, ${time} FROM ${numbers}`,
      [scene.environment.id, topicId],
    ),
  );
  for (let index = 0; index < BOUNDED_LIST; index += 1) {
    await pool.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active)
       VALUES ($1, $2, 'Mail', $3, 'sendgrid', 'email', true)`,
      [newId(), scene.environment.id, `mail-${index}`],
    );
    await insertWorkflow(scene.database, { environmentId: scene.environment.id });
  }
}

/** Notifications with steps, messages (in-app among them) and details. */
async function fillHistory({ scene, pool, rows, from, to }: Fill) {
  const environmentId = scene.environment.id;
  const { prefix, workflow } = await timed(
    `lists: seeding ${many(rows)} notifications with steps, messages and details`,
    () =>
      insertHistory(scene.database, {
        environmentId,
        notifications: rows,
        subscribers: Math.floor(rows / HISTORY_SHARE),
        from: new Date(from),
        to: new Date(to),
      }),
  );
  await pool.query(
    `UPDATE notification n SET topic_keys = '{${FREQUENT_TOPIC}}' FROM trigger t
      WHERE n.environment_id = $1 AND t.id = n.trigger_id AND (t.payload ->> 'n')::int % 100 = 0`,
    [environmentId],
  );
  const readerId = newId<SubscriberRowId>();
  await pool.query(`INSERT INTO subscriber (id, environment_id, subscriber_id) VALUES ($1, $2, '${READER}')`, [
    readerId,
    environmentId,
  ]);
  await timed(`lists: seeding ${many(FEED)} in-app messages of one subscriber`, () =>
    pool.query(
      `WITH rows AS MATERIALIZED (
         SELECT n, row.* FROM generate_series(1::bigint, ${FEED}) n
          CROSS JOIN LATERAL (SELECT ${from}::bigint + n * ${to - from}::bigint / ${FEED} AS ms) made
          CROSS JOIN LATERAL (
            SELECT to_timestamp(ms / 1000.0) AS at,
                   (lpad(to_hex(ms), 12, '0') || '70018' || lpad(to_hex(n * 256), 15, '0'))::uuid AS id) row
       ), triggers AS (
         INSERT INTO trigger (id, environment_id, transaction_id, fingerprint, workflow_id, workflow_version,
                              recipients, payload, created_at)
         SELECT id, $1, 'txn_' || id, '', $3, 1, '[]',
                jsonb_build_object('n', n, 'rare', n % ${FEED / RARE} = 1), at FROM rows
       )
       INSERT INTO message (id, environment_id, trigger_id, step_id, subscriber_id, workflow_id, channel, content, read,
                            created_at, updated_at)
       SELECT step_id(id, 0), $1, id, step_id(id, 0), $2, $3, 'in_app', to_jsonb('Message ' || n), n % 2 = 0, at, at
         FROM rows`,
      [environmentId, readerId, workflow.id],
    ),
  );
  const rare = await insertWorkflow(scene.database, { environmentId, steps: [{ type: 'chat' }] });
  await insertNotifications(
    scene.database,
    Array.from({ length: RARE }, (_, index) => ({
      environmentId,
      subscriberId: readerId,
      workflowId: rare.id,
      channels: ['chat' as const],
      severity: 'high' as const,
      topicKeys: [RARE_WORD],
      createdAt: new Date(from + ((to - from) / RARE) * index),
    })),
  );
  return {
    recipient: { subscriberId: `${prefix}-1`, email: `${prefix}-1@example.com` },
    transactionId: `${prefix}-${Math.floor(rows / 2)}`,
    commonWorkflow: workflow.id,
    rareWorkflow: rare.id,
  };
}

const many = (count: number): string => count.toLocaleString('en');
