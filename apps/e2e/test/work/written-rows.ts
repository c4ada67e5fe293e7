import { Client } from 'pg';

/** Rows and bytes of log, by table; partitions, indexes and TOAST belong to their table. */
export type Written = { table: string; inserted: number; updated: number; deleted: number; bytes: number };

/**
 * What was written to the tables between two positions, from the log itself: it is exact at once, and only of this
 * database, while other specs write to the same server. Full pages count as the change that they contain. Records that
 * tidy up (pruning, vacuum) or split a page of an index do not count, because they depend on the rows and transactions
 * before. Nor do those of commits, which name no table.
 */
const WRITTEN = `
WITH owner AS (
  SELECT c.oid AS relation, coalesce(i.indrelid, c.oid) AS owner
    FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
), relation AS (
  SELECT pg_relation_filenode(o.relation) AS node, o.relation = t.oid AS has_rows,
         coalesce(pg_partition_root(t.oid), t.oid)::regclass::text AS name
    FROM owner o JOIN pg_class t ON o.owner IN (t.oid, nullif(t.reltoastrelid, 0))
   WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r'
), record AS (
  SELECT r.name, r.has_rows, split_part(b.record_type, '+', 1) AS type, min(b.description) AS description,
         min(b.record_length) - sum(b.block_fpi_length) AS bytes
    FROM pg_get_wal_block_info($1, $2, false) b JOIN relation r ON r.node = b.relfilenode
   WHERE b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND b.resource_manager || ' ' || b.record_type !~
         '^(XLOG|Heap2 (?!MULTI_INSERT)|Btree (?!INSERT_LEAF))|VACUUM|SPLIT|DELETE_PAGE'
   GROUP BY b.start_lsn, r.name, r.has_rows, b.record_type
), counted AS (
  SELECT *, CASE WHEN has_rows THEN coalesce(substring(description FROM 'ntuples: (\\d+)')::int, 1) ELSE 0 END AS rows
    FROM record
)
SELECT name AS table, sum(bytes)::float8 AS bytes,
       coalesce(sum(rows) FILTER (WHERE type IN ('INSERT', 'MULTI_INSERT')), 0)::int AS inserted,
       coalesce(sum(rows) FILTER (WHERE type IN ('UPDATE', 'HOT_UPDATE')), 0)::int AS updated,
       coalesce(sum(rows) FILTER (WHERE type = 'DELETE'), 0)::int AS deleted
  FROM counted GROUP BY name`;

/**
 * Whether a row that is updated stays in its page, and so needs no new entries in the indexes, depends on the rows
 * before: here every page has room. Nothing but the work itself writes to the tables.
 */
const STEADY = `
DO $$ DECLARE name regclass; BEGIN
  FOR name IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = 40, autovacuum_enabled = off)', name);
  END LOOP;
END $$`;

const TABLES = `
SELECT oid::regclass::text AS name FROM pg_class
 WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

/** Reads the write-ahead log of the server. */
export class WrittenRows {
  private constructor(
    private readonly client: Client,
    private readonly storedBytes: string,
  ) {}

  static async open(url: string): Promise<WrittenRows> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`CREATE EXTENSION pg_walinspect`);
    await client.query(STEADY);
    // Other specs drop databases, which makes the server remove old log. The slot keeps it until it is read.
    const slot = `work_${process.pid}_${Date.now()}`;
    await client.query(`SELECT pg_create_physical_replication_slot($1, true, true)`, [slot]);
    const { rows } = await client.query<{ name: string }>(TABLES);
    const sizes = rows.map(({ name }) => `(SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM ${name} t)`);
    return new WrittenRows(client, `SELECT (${sizes.join(' + ')})::float8 AS bytes`);
  }

  async position(): Promise<string> {
    const { rows } = await this.client.query<{ at: string }>(`SELECT pg_current_wal_insert_lsn() AS at`);
    return rows[0]!.at;
  }

  /** With `synchronous_commit` off, Postgres writes the log of a commit to its file a little later. This commit waits. */
  async between(from: string, to: string): Promise<Written[]> {
    await this.client.query(`SET synchronous_commit = on; SELECT pg_logical_emit_message(true, 'clarion', 'flush')`);
    const { rows } = await this.client.query<Written>(WRITTEN, [from, to]);
    await this.client.query(
      `SELECT pg_replication_slot_advance(slot_name, $1) FROM pg_replication_slots WHERE active_pid = pg_backend_pid()`,
      [to],
    );
    return rows;
  }

  /** The size of all rows, without indexes: these grow by pages. A new index shows in the bytes of log. */
  async stored(): Promise<number> {
    const { rows } = await this.client.query<{ bytes: number }>(this.storedBytes);
    return rows[0]!.bytes;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
