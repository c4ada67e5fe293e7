import {
  type EnvironmentId,
  type JsonObject,
  LIMITS,
  newId,
  type OrderDirection,
  type StepType,
  type WorkflowStatus,
  type WorkflowStep,
} from '@clarion/contracts/core';
import { columnName } from '../connection/column-names';
import { Repository } from '../connection/repository';
import type { Workflow } from '../entities';
import { likeSubstring } from '../sql/substrings';
import { logWorkflows } from '../history/event-log.sql';
import { NEAREST, TRIGGERABLE } from './workflow.sql';

export type WorkflowWithSteps = Workflow & { steps: WorkflowStep[] };

/** By the caller's workflowId or by its id (also from a slug). A workflowId wins over an id of the same text. */
export type WorkflowName = { workflowId: string; id?: string };

/** The fields that a trigger needs. `payloadSchemaBytes` is the size of the schema as JSON, 0 without one. */
export type TriggerableWorkflow = Pick<
  Workflow,
  'id' | 'workflowId' | 'active' | 'validatePayload' | 'payloadSchema' | 'severity' | 'preferences'
> & {
  version: number;
  stepCount: number;
  activeStepCount: number;
  payloadSchemaBytes: number;
  /** Templates of active steps that do not compile: such a step fails. */
  templateFaults: string[] | null;
};

export type WorkflowSummary = Pick<Workflow, 'id' | 'workflowId' | 'name' | 'tags' | 'severity' | 'preferences'>;

const HEAD_FIELDS = [
  'name',
  'description',
  'tags',
  'active',
  'status',
  'origin',
  'severity',
  'validatePayload',
  'escapeHtml',
  'whileRetrying',
  'payloadSchema',
  'preferences',
  'variables',
] as const satisfies (keyof Workflow)[];

export type WorkflowHead = Pick<Workflow, (typeof HEAD_FIELDS)[number]>;

const HEAD_COLUMNS = HEAD_FIELDS.map(columnName);

export type WorkflowFilter = { query?: string; tags?: string[]; status?: WorkflowStatus[] };

export type WorkflowPage = {
  limit: number;
  offset: number;
  orderBy: 'created_at' | 'updated_at' | 'name' | 'last_triggered_at';
  orderDirection: OrderDirection;
};

/** A step in the list of workflows; its content is not read. */
export type StepOverview = Pick<WorkflowStep, 'id' | 'stepId' | 'name' | 'type' | 'issues'>;
export type WorkflowOverview = Omit<
  Workflow,
  'payloadSchema' | 'preferences' | 'variables' | 'escapeHtml' | 'whileRetrying'
> & {
  steps: StepOverview[];
};

type EmbeddedContent = Pick<WorkflowStep, 'id'> &
  Partial<Pick<WorkflowStep, 'name' | 'active' | 'filters'>> & {
    /** Of digests and delays only. */
    controlValues: JsonObject | null;
  };

/** A workflow in a message, also a deleted one; the contents of its channel steps are not read. */
export type EmbeddedWorkflow = Pick<
  Workflow,
  'id' | 'workflowId' | 'name' | 'description' | 'tags' | 'active' | 'preferences' | 'variables' | 'deletedAt'
> & {
  /** The keys that created and deleted it. */
  createdBy: string | null;
  deletedBy: string | null;
  /** Its filters and variants are too large for the page. */
  isCut: boolean;
  steps: (EmbeddedContent & Pick<WorkflowStep, 'type' | 'shouldStopOnFail'> & { variants: EmbeddedContent[] | null })[];
};

/** The part of a step or variant `content` that a message shows; `wide` has its filters. */
const embeddedContent = (content: string, type: string): string => `
  jsonb_build_object('id', ${content} -> 'id', 'name', ${content} -> 'name', 'active', ${content} -> 'active',
    'filters', CASE WHEN is_cut THEN '[]' ELSE ${content} -> 'filters' END,
    'controlValues', CASE WHEN ${type} IN ('digest', 'delay') THEN ${content} -> 'controlValues' END)`;

/** Audit entries are written in the transaction of the change, and have its time. */
const keyThat = (verb: 'created' | 'deleted'): string => `
  (SELECT a.actor_id FROM audit_log a
    WHERE a.environment_id = $1 AND a.created_at = t.${verb}_at AND a.resource_id = t.id::text
      AND a.action = 'workflow.${verb}' LIMIT 1)`;

export type NewWorkflow = { workflowId: string; head: WorkflowHead; steps: WorkflowStep[] };

/** A change of a workflow. Fields that are absent stay as they are; with steps there is a new version. */
export type WorkflowEdit = { workflow: WorkflowWithSteps; changes: Partial<WorkflowHead>; steps?: WorkflowStep[] };

/** The versions $3 of the workflows in `head`. */
const INSERT_VERSIONS = `
  INSERT INTO workflow_version (id, environment_id, workflow_id, version, steps)
  SELECT v.id, head.environment_id, head.id, head.current_version, v.steps
    FROM head JOIN jsonb_to_recordset($3::jsonb) AS v (id uuid, workflow_id uuid, steps jsonb)
      ON v.workflow_id = head.id`;

/** Selects the named workflow `t`; $1 is the environment, $2 the workflowId, $3 the id or null. */
const NAMED = `t.environment_id = $1 AND t.deleted_at IS NULL AND (t.workflow_id = $2 OR t.id = $3::uuid)`;
const NAME_ORDER = `ORDER BY (t.workflow_id = $2) DESC LIMIT 1`;

export class WorkflowRepository extends Repository {
  /** Undefined when the workflowId is taken: the unique index decides. */
  async insert(
    environmentId: EnvironmentId,
    workflowId: string,
    head: WorkflowHead,
    steps: WorkflowStep[],
  ): Promise<WorkflowWithSteps | undefined> {
    return (await this.insertMany(environmentId, [{ workflowId, head, steps }]))[0];
  }

  /** Leaves out those whose workflowId is taken. */
  async insertMany(environmentId: EnvironmentId, workflows: NewWorkflow[]): Promise<WorkflowWithSteps[]> {
    if (workflows.length === 0) return [];
    const given = workflows.map((workflow) => ({ ...workflow, id: newId() }));
    const rows = given.map(({ id, workflowId, head }) => ({ id, workflow_id: workflowId, ...columnsOf(head) }));
    const columns = HEAD_COLUMNS.join(', ');
    const inserted = await this.database.rows<Workflow>(
      `WITH head AS (
         INSERT INTO workflow (id, environment_id, workflow_id, ${columns})
         SELECT id, $1, workflow_id, ${columns} FROM jsonb_populate_recordset(NULL::workflow, $2::jsonb)
         ON CONFLICT (environment_id, workflow_id) WHERE deleted_at IS NULL DO NOTHING
         RETURNING *
       ), first AS (${INSERT_VERSIONS}
       ), logged AS (${logWorkflows(['workflow.created', 'workflow.published'], '$1')}
       )
       SELECT * FROM head`,
      [environmentId, JSON.stringify(rows), versionsOf(given)],
    );
    return withSteps(inserted, given);
  }

  find(environmentId: EnvironmentId, name: WorkflowName): Promise<WorkflowWithSteps | undefined> {
    return this.database.row<WorkflowWithSteps>(
      `SELECT t.*, v.steps
         FROM workflow t JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
        WHERE ${NAMED} ${NAME_ORDER}`,
      [environmentId, name.workflowId, name.id ?? null],
    );
  }

  /** The names of active workflows with a step of this type, up to a limit. */
  namesWithStep(environmentId: EnvironmentId, type: StepType, limit: number): Promise<string[]> {
    return this.database.column<string>(
      `SELECT t.name
         FROM workflow t JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
        WHERE t.environment_id = $1 AND t.deleted_at IS NULL AND t.active AND v.steps @> $2::jsonb
        ORDER BY t.name LIMIT $3`,
      [environmentId, JSON.stringify([{ type }]), limit],
    );
  }

  /** Two statements: a join that waits for the lock would continue with the version before it. */
  async lock(environmentId: EnvironmentId, name: WorkflowName): Promise<WorkflowWithSteps | undefined> {
    const [held] = await this.database.rows<Workflow>(
      `SELECT t.id, t.workflow_id FROM workflow t WHERE ${NAMED} ${NAME_ORDER} FOR UPDATE`,
      [environmentId, name.workflowId, name.id ?? null],
    );
    return held && this.find(environmentId, held);
  }

  /** Must run under `lock`. With steps, a new version becomes the current one; old versions never change. */
  async update(
    workflow: WorkflowWithSteps,
    changes: Partial<WorkflowHead>,
    steps?: WorkflowStep[],
  ): Promise<WorkflowWithSteps> {
    return (await this.updateMany(workflow.environmentId, [{ workflow, changes, ...(steps && { steps }) }]))[0]!;
  }

  /** As `update`, for workflows of one environment. */
  async updateMany(environmentId: EnvironmentId, edits: WorkflowEdit[]): Promise<WorkflowWithSteps[]> {
    const given = edits.map(({ workflow, changes, steps }) => ({
      id: workflow.id,
      head: { ...workflow, ...withoutUndefined(changes) },
      steps,
      kept: workflow.steps,
    }));
    const updated: Workflow[] = [];
    for (const part of [given.filter(({ steps }) => steps), given.filter(({ steps }) => !steps)]) {
      if (part.length > 0) updated.push(...(await this.write(environmentId, part)));
    }
    return withSteps(
      updated,
      given.map(({ id, steps, kept }) => ({ id, steps: steps ?? kept })),
    );
  }

  private write(
    environmentId: EnvironmentId,
    edits: { id: string; head: WorkflowHead; steps?: WorkflowStep[] | undefined }[],
  ): Promise<Workflow[]> {
    const hasSteps = edits[0]!.steps !== undefined;
    const assignments = HEAD_COLUMNS.map((column) => `${column} = given.${column}`);
    if (hasSteps) assignments.push('current_version = t.current_version + 1');
    const rows = edits.map(({ id, head }) => ({ id, ...columnsOf(head) }));
    const versions = edits.flatMap(({ id, steps }) => (steps ? [{ id, steps }] : []));
    return this.database.rows<Workflow>(
      `WITH head AS (
         UPDATE workflow t SET ${[...assignments, 'updated_at = now()'].join(', ')}
           FROM jsonb_populate_recordset(NULL::workflow, $2::jsonb) AS given
          WHERE t.environment_id = $1 AND t.id = given.id RETURNING t.*
       ), next AS (${INSERT_VERSIONS}
       ), logged AS (
         ${logWorkflows(hasSteps ? ['workflow.updated', 'workflow.published'] : ['workflow.updated'], '$1')}
       )
       SELECT * FROM head`,
      [environmentId, JSON.stringify(rows), versionsOf(versions)],
    );
  }

  /** Must run under `lock`. The rows and their versions stay for running notifications; lookups skip them. */
  async deleteMany(environmentId: EnvironmentId, ids: string[]): Promise<void> {
    await this.database.execute(
      `WITH head AS (
         UPDATE workflow SET deleted_at = now(), updated_at = now()
          WHERE environment_id = $1 AND deleted_at IS NULL AND id = ANY ($2::uuid[]) RETURNING *
       ), logged AS (${logWorkflows(['workflow.deleted'], '$1')}
       )
       SELECT 1 FROM head`,
      [environmentId, ids],
    );
  }

  /** Case-insensitive `query` in the name or the workflowId; any of the tags; any of the statuses. */
  async list(
    environmentId: EnvironmentId,
    filter: WorkflowFilter,
    page: WorkflowPage,
  ): Promise<{ rows: WorkflowOverview[]; totalCount: number }> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1', 't.deleted_at IS NULL'];
    if (filter.query !== undefined) {
      const text = `$${parameters.push(likeSubstring(filter.query))}`;
      where.push(`(t.name ILIKE ${text} OR t.workflow_id ILIKE ${text})`);
    }
    if (filter.tags?.length) where.push(`t.tags && $${parameters.push(filter.tags)}::text[]`);
    if (filter.status?.length) where.push(`t.status = ANY ($${parameters.push(filter.status)})`);
    const { orderDirection: direction } = page;
    const [rows, [counted]] = await Promise.all([
      this.database.rows<WorkflowOverview>(
        `SELECT page.*, overview.steps
           FROM (SELECT t.id, t.environment_id, t.workflow_id, t.name, t.description, t.tags, t.active, t.status,
             t.origin,
                        t.severity, t.validate_payload, t.current_version, t.last_triggered_at, t.created_at,
                          t.updated_at
                   FROM workflow t WHERE ${where.join(' AND ')}
                  ORDER BY t.${page.orderBy} ${direction} NULLS LAST, t.id ${direction}
                  LIMIT ${page.limit} OFFSET ${page.offset}) page
           JOIN workflow_version v ON v.workflow_id = page.id AND v.version = page.current_version
          CROSS JOIN LATERAL (
            SELECT coalesce(jsonb_agg(jsonb_build_object('id', s -> 'id', 'stepId', s -> 'stepId', 'name', s -> 'name',
                                                         'type', s -> 'type', 'issues', s -> 'issues') ORDER BY n),
                                                           '[]') AS steps
              FROM jsonb_array_elements(v.steps) WITH ORDINALITY AS e (s, n)) overview
          ORDER BY page.${page.orderBy} ${direction} NULLS LAST, page.id ${direction}`,
        parameters,
      ),
      this.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM workflow t WHERE ${where.join(' AND ')}`,
        parameters,
      ),
    ]);
    return { rows, totalCount: counted!.count };
  }

  findEmbedded(environmentId: EnvironmentId, ids: string[]): Promise<EmbeddedWorkflow[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.database.rows<EmbeddedWorkflow>(
      `SELECT t.id, t.workflow_id, t.name, t.description, t.tags, t.active, t.preferences, t.variables, t.deleted_at,
              ${keyThat('created')} AS created_by, ${keyThat('deleted')} AS deleted_by, is_cut, shown.steps
         FROM workflow t
         JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
        CROSS JOIN LATERAL (SELECT octet_length(v.steps::text) > $3 AS is_cut) size
        CROSS JOIN LATERAL (
          SELECT coalesce(jsonb_agg(${embeddedContent('s', `s ->> 'type'`)} || jsonb_build_object('type', s -> 'type',
                   'shouldStopOnFail', s -> 'shouldStopOnFail', 'variants', CASE WHEN NOT is_cut THEN (
                     SELECT jsonb_agg(${embeddedContent('variant', `s ->> 'type'`)} ORDER BY place)
                       FROM jsonb_array_elements(s -> 'variants') WITH ORDINALITY AS each (variant, place)) END)
                   ORDER BY n), '[]') AS steps
            FROM jsonb_array_elements(v.steps) WITH ORDINALITY AS e (s, n)) shown
        WHERE t.environment_id = $1 AND t.id = ANY ($2)`,
      [environmentId, ids, Math.floor(LIMITS.pageBytes / ids.length)],
    );
  }

  findSummaries(
    environmentId: EnvironmentId,
    { ids = [], workflowIds = [], tags = [] }: { ids?: string[]; workflowIds?: string[]; tags?: string[] },
  ): Promise<WorkflowSummary[]> {
    if (ids.length + workflowIds.length + tags.length === 0) return Promise.resolve([]);
    return this.database.rows<WorkflowSummary>(
      `SELECT id, workflow_id, name, tags, severity, preferences FROM workflow
        WHERE environment_id = $1 AND deleted_at IS NULL
          AND (id = ANY ($2::uuid[]) OR workflow_id = ANY ($3) OR tags && $4::text[])
        ORDER BY id`,
      [environmentId, ids, workflowIds, tags],
    );
  }

  /** All named workflows in one statement. */
  findTriggerable(environmentId: EnvironmentId, workflowIds: string[]): Promise<TriggerableWorkflow[]> {
    return this.database.rows<TriggerableWorkflow>(TRIGGERABLE, [environmentId, workflowIds]);
  }

  /** For each name that has one: the existing workflowId that is most like it. */
  async nearest(environmentId: EnvironmentId, names: string[]): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ name: string; workflowId: string }>(NEAREST, [environmentId, names]);
    return new Map(rows.map(({ name, workflowId }) => [name, workflowId]));
  }
}

const columnsOf = (head: WorkflowHead): Record<string, unknown> =>
  Object.fromEntries(HEAD_FIELDS.map((field) => [columnName(field), head[field]]));

const withoutUndefined = (changes: Partial<WorkflowHead>): Partial<WorkflowHead> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const versionsOf = (workflows: { id: string; steps: WorkflowStep[] }[]): string =>
  JSON.stringify(workflows.map(({ id, steps }) => ({ id: newId(), workflow_id: id, steps })));

function withSteps(rows: Workflow[], given: { id: string; steps: WorkflowStep[] }[]): WorkflowWithSteps[] {
  const written = new Map(rows.map((row) => [row.id, row]));
  return given.flatMap(({ id, steps }) => {
    const row = written.get(id);
    return row ? [{ ...row, steps }] : [];
  });
}
