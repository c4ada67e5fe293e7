import type { EnvironmentId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { LOCKS, tryLock } from '../schema/partitions';
import { listTenantTables } from '../schema/row-level-security';

/** Rows that one statement deletes by an index. */
const BATCH_ROWS = 5_000;
/** Pages that one statement reads of a table without an index of the environment: 32 MiB. */
const BATCH_PAGES = 4_096;

/** Gateways know a revoked key for 15 seconds; until then an accepted trigger needs the rows. */
const DELETED_AFTER_SECONDS = 60;

/** Cannot be changed: the record of the deletion, and of what came before it, stays. */
const KEPT_TABLES = new Set(['audit_log']);
/** Open work goes first. Then no process works for the environment, and nothing refers to its history. */
const FIRST_TABLE = 'work';

type Leaf = { name: string; isIndexed: boolean; pages: number };

/**
 * Deletes the rows of the environments that were deleted, in statements of bounded size, and at last the environment.
 * One process at a time does it. `isStopping` ends the work between two statements; the next call goes on. Returns the
 * number of deleted rows.
 */
export function deleteEnvironments(database: Database, isStopping: () => boolean): Promise<number> {
  return database.transaction(async () => {
    const held = await tryLock(database, LOCKS.environments);
    return held ? database.outsideTransaction(() => deleteAll(database, isStopping)) : 0;
  });
}

async function deleteAll(database: Database, isStopping: () => boolean): Promise<number> {
  const environments = await database.query<{ id: EnvironmentId }>(
    `SELECT id FROM environment WHERE deleted_at < now() - $1::int * interval '1 second' ORDER BY id`,
    [DELETED_AFTER_SECONDS],
  );
  if (environments.length === 0) return 0;
  const tables = await tablesInOrder(database);
  let total = 0;
  for (const { id } of environments) {
    // A process that still held a step may have written while its table was read: until a pass finds nothing.
    for (let found = 1; found > 0;) {
      found = 0;
      for (const table of tables) {
        for (const leaf of await leavesOf(database, table)) {
          found += await deleteRows(database, leaf, id, isStopping);
          if (isStopping()) return total + found;
        }
      }
      total += found;
    }
    total += await database.execute(`DELETE FROM environment WHERE id = $1`, [id]);
  }
  return total;
}

async function deleteRows(database: Database, leaf: Leaf, id: EnvironmentId, isStopping: () => boolean) {
  let total = 0;
  if (leaf.isIndexed) {
    for (let deleted = BATCH_ROWS; deleted === BATCH_ROWS && !isStopping(); total += deleted) {
      deleted = await database.execute(
        `DELETE FROM "${leaf.name}" WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM "${leaf.name}" WHERE environment_id = $1 LIMIT ${BATCH_ROWS}))`,
        [id],
      );
    }
    return total;
  }
  for (let page = 0; page < leaf.pages && !isStopping(); page += BATCH_PAGES) {
    total += await database.execute(
      `DELETE FROM "${leaf.name}" WHERE ctid >= '(${page},0)'::tid AND ctid < '(${page + BATCH_PAGES},0)'::tid
          AND environment_id = $1`,
      [id],
    );
  }
  return total;
}

/** Every table that names an environment: rows before those that they refer to, so that no statement cascades far. */
async function tablesInOrder(database: Database): Promise<string[]> {
  const tables = (await listTenantTables(database)).filter((table) => !KEPT_TABLES.has(table));
  const references = await database.query<{ table: string; target: string }>(
    `SELECT DISTINCT own.relname AS "table", other.relname AS target
       FROM pg_constraint k JOIN pg_class own ON own.oid = k.conrelid JOIN pg_class other ON other.oid = k.confrelid
      WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND own.oid <> other.oid`,
  );
  const ordered: string[] = [];
  const add = (table: string): void => {
    if (ordered.includes(table) || !tables.includes(table)) return;
    for (const reference of references) if (reference.target === table) add(reference.table);
    ordered.push(table);
  };
  for (const table of [FIRST_TABLE, ...tables]) add(table);
  return ordered;
}

/** The partitions of the table, or the table itself, with the size that they have now. */
async function leavesOf(database: Database, table: string): Promise<Leaf[]> {
  return database.query<Leaf>(
    `SELECT c.relname AS name,
            (pg_relation_size(c.oid) / current_setting('block_size')::int)::int AS pages,
            EXISTS (SELECT 1 FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
                      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                     WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND m.amname = 'btree'
                       AND a.attname = 'environment_id') AS "isIndexed"
       FROM pg_class c
      WHERE c.relkind = 'r' AND (c.oid = $1::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1::regclass)))
      ORDER BY 1`,
    [`"${table}"`],
  );
}
