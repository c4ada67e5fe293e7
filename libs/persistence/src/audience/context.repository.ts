import { type EnvironmentId, type JsonObject, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Context } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { contains } from '../sql/substrings';
import { searchable } from '../schema/row-level-security';

export type ContextName = { type: string; contextId: string };
export type ContextInput = ContextName & { data?: JsonObject };

export type ContextFilter = { contextId?: string; search?: string };

/** Must be equivalent to the expression of context_key_trgm_idx. */
const CONTEXT_KEY = `(t.type || ':' || t.context_id)`;

export class ContextRepository extends Repository {
  find(environmentId: EnvironmentId, { type, contextId }: ContextName): Promise<Context | undefined> {
    return this.database.row<Context>(
      `SELECT * FROM context WHERE environment_id = $1 AND type = $2 AND context_id = $3`,
      [environmentId, type, contextId],
    );
  }

  /** The same, locked until the open transaction ends. */
  lock(environmentId: EnvironmentId, { type, contextId }: ContextName): Promise<Context | undefined> {
    return this.database.row<Context>(
      `SELECT * FROM context WHERE environment_id = $1 AND type = $2 AND context_id = $3 FOR UPDATE`,
      [environmentId, type, contextId],
    );
  }

  /** Undefined when the context exists: the unique constraint decides between concurrent callers. */
  insert(environmentId: EnvironmentId, { type, contextId, data }: ContextInput): Promise<Context | undefined> {
    return this.database.row<Context>(
      `INSERT INTO context (id, environment_id, type, context_id, data) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT ON CONSTRAINT context_identifier_key DO NOTHING RETURNING *`,
      [newId(), environmentId, type, contextId, data === undefined ? null : JSON.stringify(data)],
    );
  }

  /**
   * Finds or creates the named contexts of any number of environments in one statement; existing ones are not changed.
   * The first read does not see a row that a concurrent transaction is creating; the empty update waits for it and
   * returns it. Rows are written in the order of their names, so that callers with the same names do not deadlock.
   */
  async ensureMany(rows: (ContextInput & { environmentId: EnvironmentId })[]): Promise<Context[]> {
    if (rows.length === 0) return [];
    const records = rows.map(({ environmentId, type, contextId, data }) => ({
      id: newId(),
      environment_id: environmentId,
      type,
      context_id: contextId,
      data,
    }));
    return this.database.rows<Context>(
      `WITH given AS (
         SELECT DISTINCT ON (environment_id, type, context_id) *
           FROM jsonb_to_recordset($1) AS g (id uuid, environment_id uuid, type text, context_id text, data jsonb)
          ORDER BY environment_id, type, context_id, id
       ), known AS MATERIALIZED (
         SELECT t.* FROM given JOIN context t USING (environment_id, type, context_id)
       ), made AS (
         INSERT INTO context AS t (id, environment_id, type, context_id, data)
         SELECT id, environment_id, type, context_id, data FROM given
          WHERE NOT EXISTS (SELECT 1 FROM known
                             WHERE (known.environment_id, known.type, known.context_id)
                                 = (given.environment_id, given.type, given.context_id))
          ORDER BY environment_id, type, context_id
         ON CONFLICT ON CONSTRAINT context_identifier_key DO UPDATE SET updated_at = t.updated_at
         RETURNING t.*
       )
       SELECT * FROM known UNION ALL SELECT * FROM made`,
      [JSON.stringify(records)],
    );
  }

  replaceData(environmentId: EnvironmentId, name: ContextName, data: JsonObject): Promise<Context | undefined> {
    return this.database.row<Context>(
      `UPDATE context SET data = $4, updated_at = now()
        WHERE environment_id = $1 AND type = $2 AND context_id = $3 RETURNING *`,
      [environmentId, name.type, name.contextId, JSON.stringify(data)],
    );
  }

  async delete(environmentId: EnvironmentId, { type, contextId }: ContextName): Promise<boolean> {
    return this.database.matches(`DELETE FROM context WHERE environment_id = $1 AND type = $2 AND context_id = $3`, [
      environmentId,
      type,
      contextId,
    ]);
  }

  /** Matches the whole id, and a substring of `type:id` in any case. */
  list(environmentId: EnvironmentId, filter: ContextFilter, page: CursorPage): Promise<CursorResult<Context>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (filter.contextId !== undefined) where.push(`t.context_id = $${parameters.push(filter.contextId)}`);
    if (filter.search !== undefined) where.push(contains(CONTEXT_KEY, filter.search, parameters, 'ILIKE'));
    const from = `${filter.search === undefined ? 'context' : searchable('context')} t`;
    return readKeyset(this.database, { name: 'contexts', select: 't.*', from, where, parameters }, page);
  }
}
