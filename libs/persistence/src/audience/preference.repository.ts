import type { Criticality, EnvironmentId, SubscriberRowId } from '@clarion/contracts';
import {
  type Channel,
  CHANNELS,
  newId,
  preferenceContext,
  type PreferenceLayer,
  type Severity,
  type SubscriberSchedule,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Preference, Workflow } from '../entities';
import { logPreferences } from '../history/event-log.sql';
import type { WorkflowName } from '../authoring/workflow.repository';

/** Given fields are changed, absent ones keep their values. Without a workflow it is the global preference. */
export type PreferenceChange = {
  workflowId?: string;
  channels?: Partial<Record<Channel, boolean>>;
  schedule?: SubscriberSchedule;
};

export type PreferredWorkflow = Pick<
  Workflow,
  'id' | 'workflowId' | 'name' | 'tags' | 'severity' | 'preferences' | 'updatedAt'
> & { channels: Channel[] };

/** Workflows with one of the tags and one of the severities; an empty list does not filter. */
export type PreferredWorkflowFilter = { criticality: Criticality; tags?: string[]; severity?: Severity[] };

const WORKFLOW_COLUMNS = `t.id, t.workflow_id, t.name, t.tags, t.severity, t.preferences, t.updated_at,
  ARRAY(SELECT DISTINCT s ->> 'type' FROM jsonb_array_elements(v.steps) s
         WHERE (s ->> 'active')::boolean AND s ->> 'type' = ANY ('{${CHANNELS.join()}}')) AS channels`;
const WORKFLOWS = `workflow t JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version`;

/** The SQL form of isCritical in libs/rules, for a workflow `t`. */
const IS_CRITICAL = `(t.preferences @> '{"user": {"all": {"readOnly": true}}}'
                   OR t.preferences @> '{"workflow": {"all": {"readOnly": true}}}')`;

export class PreferenceRepository extends Repository {
  /** The preferences of these subscribers, without context or with exactly these contexts. */
  findMany(
    environmentId: EnvironmentId,
    subscriberIds: SubscriberRowId[],
    workflowIds: string[],
    contextKeys: string[] = [],
  ): Promise<Preference[]> {
    return this.database.rows<Preference>(
      `SELECT * FROM preference
        WHERE environment_id = $1 AND subscriber_id = ANY ($2::uuid[])
          AND (workflow_id IS NULL OR workflow_id = ANY ($3::uuid[])) AND context_key = ANY ($4)`,
      [environmentId, subscriberIds, workflowIds, ['', preferenceContext(contextKeys)]],
    );
  }

  /**
   * Creates or changes the preferences of one subscriber in one statement; each workflow may occur once. Rows are
   * written in the order of their workflows, so that callers with the same ones wait for each other instead of
   * deadlocking. False when the subscriber does not exist; it cannot be deleted while this runs.
   */
  async upsertMany(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    contextKeys: string[],
    changes: PreferenceChange[],
  ): Promise<boolean> {
    const records = changes.map(({ workflowId = null, channels = {}, schedule }) => ({
      id: newId(),
      workflow_id: workflowId,
      preferences: layerOf(channels),
      schedule,
    }));
    return this.database.matches(
      `WITH written AS (
       INSERT INTO preference AS t (id, environment_id, subscriber_id, workflow_id, context_key, preferences, schedule)
       SELECT given.id, s.environment_id, s.id, given.workflow_id, $3, given.preferences, given.schedule
         FROM subscriber s CROSS JOIN jsonb_populate_recordset(NULL::preference, $4) given
        WHERE s.environment_id = $1 AND s.id = $2
        ORDER BY given.workflow_id
          FOR KEY SHARE OF s
       ON CONFLICT ON CONSTRAINT preference_key DO UPDATE SET
         preferences = t.preferences || jsonb_build_object('channels',
           coalesce(t.preferences -> 'channels', '{}') || coalesce(excluded.preferences -> 'channels', '{}')),
         schedule = CASE WHEN excluded.schedule IS NULL THEN t.schedule
                         ELSE coalesce(t.schedule, '{}') || excluded.schedule END,
         updated_at = now()
       RETURNING t.*
       ), logged AS (${logPreferences('$1')})
       SELECT 1 FROM written`,
      [environmentId, subscriberId, preferenceContext(contextKeys), JSON.stringify(records)],
    );
  }

  /** The active workflows of an environment, newest first; one more than the limit when there are more. */
  listWorkflows(
    environmentId: EnvironmentId,
    { criticality, tags = [], severity = [] }: PreferredWorkflowFilter,
    page: { limit: number; offset: number },
  ): Promise<PreferredWorkflow[]> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1', 't.deleted_at IS NULL', 't.active'];
    if (criticality !== 'all') where.push(criticality === 'critical' ? IS_CRITICAL : `NOT ${IS_CRITICAL}`);
    if (tags.length > 0) where.push(`t.tags && $${parameters.push(tags)}::text[]`);
    if (severity.length > 0) where.push(`t.severity = ANY ($${parameters.push(severity)}::text[])`);
    return this.database.rows<PreferredWorkflow>(
      `SELECT ${WORKFLOW_COLUMNS} FROM ${WORKFLOWS} WHERE ${where.join(' AND ')}
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${page.limit + 1} OFFSET ${page.offset}`,
      parameters,
    );
  }

  /** In the order of the names; undefined for a name that no workflow has, active or not. */
  async findWorkflows(environmentId: EnvironmentId, names: WorkflowName[]): Promise<(PreferredWorkflow | undefined)[]> {
    const rows = await this.database.rows<PreferredWorkflow>(
      `SELECT ${WORKFLOW_COLUMNS} FROM ${WORKFLOWS}
        WHERE t.environment_id = $1 AND t.deleted_at IS NULL AND (t.workflow_id = ANY ($2) OR t.id = ANY ($3::uuid[]))`,
      [environmentId, names.map(({ workflowId }) => workflowId), names.flatMap(({ id }) => id ?? [])],
    );
    return names.map(
      (name) =>
        rows.find(({ workflowId }) => workflowId === name.workflowId) ??
        rows.find(({ id }) => id === name.id?.toLowerCase()),
    );
  }
}

function layerOf(channels: Partial<Record<Channel, boolean>>): PreferenceLayer {
  const given = CHANNELS.filter((channel) => channels[channel] !== undefined);
  return { channels: Object.fromEntries(given.map((channel) => [channel, { enabled: channels[channel] }])) };
}
