import type { UnchangingOrder } from '@clarion/contracts';
import { type EnvironmentId, type JsonObject, newId, type TranslatedResource } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Layout, Publish, Translation } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import type { WorkflowWithSteps } from './workflow.repository';
import { columnArrays } from '../sql/column-arrays';

export type PublishableTranslation = Translation & { type: TranslatedResource; identifier: string };

/** The lists as JSON of their entries, which callers write in slices of time. */
export type NewPublish = Omit<Publish, 'id' | 'createdAt' | 'resources' | 'replaced'> & {
  resources: string[];
  replaced: string[];
};

/** `undoneBy`: the publish that has undone it. */
export type PublishRow = Omit<Publish, 'replaced'> & { undoneBy: string | null };

export type PublishPage = CursorPage<UnchangingOrder>;

/** Rows that one statement reads while all resources of an environment are compared. Each may have a megabyte. */
const PAGE_ROWS = 10;

const WORKFLOWS = `
SELECT t.*, v.steps FROM workflow t
  JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
 WHERE t.environment_id = $1 AND t.deleted_at IS NULL`;

const NIL_ID = '00000000-0000-0000-0000-000000000000';

const TYPE = `CASE WHEN x.workflow_id IS NULL THEN 'layout' ELSE 'workflow' END`;
const IDENTIFIER = 'coalesce(w.workflow_id, l.layout_id)';

const TRANSLATIONS = `
SELECT x.*, ${TYPE} AS type, ${IDENTIFIER} AS identifier
  FROM translation x LEFT JOIN workflow w ON w.id = x.workflow_id LEFT JOIN layout l ON l.id = x.layout_id
 WHERE x.environment_id = $1 AND w.deleted_at IS NULL`;

/** Without the values of changed fields, which may be large. */
const WITHOUT_DIFFS = `(SELECT coalesce(jsonb_agg(r.value - 'diffs' ORDER BY r.ordinality), '[]')
  FROM jsonb_array_elements(t.resources) WITH ORDINALITY r)`;

const PUBLISH_COLUMNS = `t.id, t.environment_id, t.source_environment_id, t.origin, t.undoes, t.actor_type, t.actor_id,
  t.actor_name, t.created_at,
  (SELECT u.id FROM publish u WHERE u.environment_id = t.environment_id AND u.undoes = t.id) AS undone_by`;

/** Reads the resources that are published between environments, and keeps the history of publishes. */
export class PromotionRepository extends Repository {
  /** All workflows in pages, so that memory does not grow with their number. */
  workflows(environmentId: EnvironmentId): AsyncGenerator<WorkflowWithSteps> {
    return this.pages<WorkflowWithSteps>(
      `${WORKFLOWS} AND t.workflow_id > $2 ORDER BY t.workflow_id LIMIT ${PAGE_ROWS}`,
      environmentId,
      ({ workflowId }) => workflowId,
    );
  }

  findWorkflows(environmentId: EnvironmentId, workflowIds: string[]): Promise<WorkflowWithSteps[]> {
    return this.database.rows<WorkflowWithSteps>(`${WORKFLOWS} AND t.workflow_id = ANY ($2)`, [
      environmentId,
      workflowIds,
    ]);
  }

  /** In the order of their ids, so that two callers never wait for each other. Ends with the transaction. */
  async lockWorkflows(environmentId: EnvironmentId, workflowIds: string[]): Promise<void> {
    await this.database.query(
      `SELECT 1 FROM workflow WHERE environment_id = $1 AND deleted_at IS NULL AND workflow_id = ANY ($2)
        ORDER BY id FOR UPDATE`,
      [environmentId, workflowIds],
    );
  }

  /** Takes back deletions: preferences of subscribers refer to the rows. Returns those that were there. */
  async restoreWorkflows(environmentId: EnvironmentId, ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    return new Set(
      await this.database.column<string>(
        `UPDATE workflow SET deleted_at = NULL, updated_at = now()
        WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NOT NULL RETURNING id`,
        [environmentId, ids],
      ),
    );
  }

  layouts(environmentId: EnvironmentId): AsyncGenerator<Layout> {
    return this.pages<Layout>(
      `SELECT * FROM layout WHERE environment_id = $1 AND layout_id > $2 ORDER BY layout_id LIMIT ${PAGE_ROWS}`,
      environmentId,
      ({ layoutId }) => layoutId,
    );
  }

  translations(environmentId: EnvironmentId): AsyncGenerator<PublishableTranslation> {
    return this.pages<PublishableTranslation>(
      `${TRANSLATIONS} AND x.id > $2 ORDER BY x.id LIMIT ${PAGE_ROWS}`,
      environmentId,
      ({ id }) => id,
      NIL_ID,
    );
  }

  findTranslations(
    environmentId: EnvironmentId,
    names: { type: TranslatedResource; identifier: string; locale: string }[],
  ): Promise<PublishableTranslation[]> {
    return this.database.rows<PublishableTranslation>(
      `${TRANSLATIONS}
         AND (${TYPE}, ${IDENTIFIER}, x.locale) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]))`,
      [environmentId, ...columnArrays(names, 'type', 'identifier', 'locale')],
    );
  }

  async insertPublish(row: NewPublish): Promise<string> {
    const id = newId();
    await this.database.query(
      `INSERT INTO publish (id, environment_id, source_environment_id, origin, undoes, actor_type, actor_id,
                            actor_name, resources, replaced)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        row.environmentId,
        row.sourceEnvironmentId,
        row.origin,
        row.undoes,
        row.actorType,
        row.actorId,
        row.actorName,
        `[${row.resources.join(',')}]`,
        `[${row.replaced.join(',')}]`,
      ],
    );
    return id;
  }

  listPublishes(environmentId: EnvironmentId, page: PublishPage): Promise<CursorResult<PublishRow>> {
    return readKeyset(
      this.database,
      {
        name: 'publishes',
        select: `${PUBLISH_COLUMNS}, ${WITHOUT_DIFFS} AS resources`,
        from: 'publish t',
        where: ['t.environment_id = $1'],
        parameters: [environmentId],
      },
      page,
    );
  }

  async findPublish(environmentId: EnvironmentId, id: string): Promise<PublishRow | undefined> {
    const [row] = await this.database.rows<Omit<PublishRow, 'resources'>>(
      `SELECT ${PUBLISH_COLUMNS} FROM publish t WHERE t.environment_id = $1 AND t.id = $2`,
      [environmentId, id],
    );
    return row && { ...row, resources: await this.entriesOf('resources', environmentId, id) };
  }

  /** What undo needs of each resource that the publish changed. */
  replacedBy(environmentId: EnvironmentId, id: string): Promise<JsonObject[]> {
    return this.entriesOf('replaced', environmentId, id);
  }

  /** In rows, because the driver parses a value in one turn of the event loop. */
  private entriesOf(list: 'resources' | 'replaced', environmentId: EnvironmentId, id: string): Promise<JsonObject[]> {
    return this.database.column<JsonObject>(
      `SELECT r.value FROM publish t, jsonb_array_elements(t.${list}) WITH ORDINALITY r
        WHERE t.environment_id = $1 AND t.id = $2 ORDER BY r.ordinality`,
      [environmentId, id],
    );
  }

  private async *pages<Row>(sql: string, environmentId: EnvironmentId, idOf: (row: Row) => string, first = '') {
    for (let after = first; ;) {
      const rows = await this.database.rows<Row>(sql, [environmentId, after]);
      yield* rows;
      if (rows.length < PAGE_ROWS) return;
      after = idOf(rows.at(-1)!);
    }
  }
}
