import { idAtTime } from '@clarion/contracts/core';
import { settingsOf } from '../connection/data-source';
import type { Database } from '../connection/database';
import type { RetentionObstacle } from '../operations/maintenance.entity';
import {
  attach,
  createDetached,
  databaseTime,
  listPartitions,
  type Partition,
  PARTITIONED_TABLES,
  REMAINDER,
  WEEK,
} from './partitions';

/** Notifications of the week after a trigger may need its payload and its files. */
const KEPT_LONGER: readonly string[] = ['trigger', 'attachment'] satisfies (typeof PARTITIONED_TABLES)[number][];

/** A statement that waits for a lock on the parent makes every other statement wait behind it: at most this long. */
const LOCK_MS = 200;
const COPY_MS = 5 * 60 * 1000;

/** The mark of a table that is detached to be dropped: one that an operator detached to keep it has none. */
const EXPIRED = 'Past the retention: Clarion drops it';

/**
 * The open steps, and those that joined an open digest: a step that waits for months needs its notification, the
 * outputs and messages of the steps before it, and the payload of its trigger.
 */
const OPEN = `open AS MATERIALIZED (
  SELECT notification_id AS id, trigger_id FROM work WHERE trigger_id < $2::uuid
  UNION
  SELECT n.id, n.trigger_id FROM step s JOIN work w ON w.id = s.digest_master_id
    JOIN notification n ON n.environment_id = s.environment_id AND n.id = notification_of(s.id)
   WHERE s.digest_master_id IS NOT NULL AND s.state = 'merged' AND n.trigger_id < $2::uuid
)`;

/** What open work needs of a partition with the ids from $1 to $2. */
const OF_NOTIFICATIONS = `SELECT DISTINCT id FROM open WHERE id IS NOT NULL`;
const NEEDED: Partial<Record<Partition['table'], string>> = {
  trigger: `JOIN (SELECT DISTINCT trigger_id AS id FROM open) o ON o.id = p.id`,
  attachment: `JOIN (SELECT DISTINCT trigger_id AS id FROM open) o ON o.id = p.trigger_id`,
  notification: `JOIN (${OF_NOTIFICATIONS}) o ON o.id = p.id`,
  step: `JOIN (${OF_NOTIFICATIONS}) o ON p.id > o.id AND p.id <= step_id(o.id, 254)`,
  message: `JOIN (SELECT DISTINCT trigger_id FROM open) o ON o.trigger_id = p.trigger_id
            WHERE notification_of(p.step_id) IN (${OF_NOTIFICATIONS})`,
  execution_detail: `JOIN (${OF_NOTIFICATIONS}) o ON o.id = p.notification_id`,
};

/**
 * Drops every partition that ended before the retention began. The few rows that open work needs move to a small
 * partition in its place, so a single long delay does not keep the history of all tenants. A table that cannot be
 * locked soon is tried again by the next run; the obstacles say what it waits for.
 */
export async function dropExpired(
  database: Database,
  retentionDays: number,
): Promise<{ dropped: string[]; obstacles: RetentionObstacle[] }> {
  const dropped = await dropDetached(database);
  const obstacles: RetentionObstacle[] = [];
  const cutoff = (await databaseTime(database)) - retentionDays * 24 * 3600 * 1000;
  const partitions = await listPartitions(database);
  for (const table of PARTITIONED_TABLES) {
    const keptMs = KEPT_LONGER.includes(table) ? WEEK : 0;
    const expired = partitions.filter((one) => one.table === table && one.to + keptMs <= cutoff);
    for (const partition of expired) {
      try {
        if (await expire(database, partition)) dropped.push(partition.name);
      } catch (error) {
        obstacles.push({ partition: partition.name, reason: await explain(database, partition, error as Error) });
        // The others of the table would wait for the same.
        break;
      }
    }
  }
  return { dropped, obstacles };
}

/** Tables that were detached when a process ended. */
async function dropDetached(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND NOT relispartition AND relnamespace = current_schema()::regnamespace
        AND obj_description(oid, 'pg_class') = '${EXPIRED}'`,
  );
  for (const { name } of rows) await database.query(`DROP TABLE ${name}`);
  return rows.map(({ name }) => name);
}

async function expire(database: Database, partition: Partition): Promise<boolean> {
  const { table, name } = partition;
  if (!partition.isPending && (await isNeeded(database, partition))) {
    if (partition.isRemainder) return false;
    await replace(database, partition, true);
    return true;
  }
  // A pooler sends each statement with others, in a transaction.
  if (settingsOf(database.dataSource).rules.scopesAll) {
    await replace(database, partition, false);
    return true;
  }
  await database.query(`COMMENT ON TABLE ${name} IS '${EXPIRED}'`);
  await database.query(
    `ALTER TABLE "${table}" DETACH PARTITION ${name} ${partition.isPending ? 'FINALIZE' : 'CONCURRENTLY'}`,
  );
  await database.query(`DROP TABLE ${name}`);
  return true;
}

const boundsOf = ({ from, to }: Partition): [first: string, end: string] => [idAtTime(from), idAtTime(to)];

const selectNeeded = (name: string, needed: string): string => `
  SELECT p.* FROM (SELECT * FROM ${name} WHERE id >= $1::uuid AND id < $2::uuid) p ${needed}`;

async function isNeeded(database: Database, partition: Partition): Promise<boolean> {
  const needed = NEEDED[partition.table];
  if (needed === undefined) return false;
  const [row] = await inLongStatement(database, () =>
    database.query<{ needed: boolean }>(
      `WITH ${OPEN} SELECT EXISTS (${selectNeeded(partition.name, needed)}) AS needed`,
      boundsOf(partition),
    ),
  );
  return row!.needed;
}

/** In one transaction: a concurrent detachment would hide the rows from claims meanwhile. */
function replace(database: Database, partition: Partition, keepsRows: boolean): Promise<void> {
  const { table, name } = partition;
  return inLongStatement(database, async () => {
    await database.query(`SET LOCAL lock_timeout = '${LOCK_MS}ms'`);
    await database.query(`LOCK TABLE ${name} IN SHARE MODE`);
    const remainder = { ...partition, name: name + REMAINDER };
    if (keepsRows) {
      await createDetached(database, remainder);
      await database.query(
        `WITH ${OPEN} INSERT INTO ${remainder.name} ${selectNeeded(name, NEEDED[table]!)}`,
        boundsOf(partition),
      );
    }
    await database.query(`ALTER TABLE "${table}" DETACH PARTITION ${name}`);
    if (keepsRows) await attach(database, remainder);
    await database.query(`DROP TABLE ${name}`);
  });
}

function inLongStatement<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.transaction(async () => {
    await database.query(`SET LOCAL statement_timeout = '${COPY_MS}ms'`);
    return work();
  });
}

/** What the partition waits for: the transactions that have used its table longest. */
async function explain(database: Database, { table }: Partition, error: Error): Promise<string> {
  const rows = await database.query<{ session: string }>(
    `SELECT format('process %s (%s), whose transaction has lasted %s s', a.pid,
                   coalesce(nullif(a.application_name, ''), a.usename),
                   round(extract(epoch FROM clock_timestamp() - a.xact_start))) AS session
       FROM pg_stat_activity a
      WHERE a.pid <> pg_backend_pid() AND a.xact_start < now()
        AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.granted AND l.relation = '"${table}"'::regclass)
      ORDER BY a.xact_start LIMIT 3`,
  );
  const sessions = rows.map(({ session }) => session);
  return sessions.length > 0 ? `It waits for ${sessions.join(', ')}` : error.message;
}
