import type { AuditActorType, EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { WorkflowVersion } from '../entities';
import { leadingRows, readLeading } from '../sql/page-bytes';

export type WorkflowVersionRow = Pick<WorkflowVersion, 'version' | 'steps' | 'createdAt'> & {
  /** Null when the audit log has no entry of the change. */
  actorType: AuditActorType | null;
  actorId: string | null;
  actorName: string | null;
};

/** A version and its audit log entry have the time of their transaction. The index on it finds the entry. */
const VERSIONS = `
  SELECT v.version, v.steps, v.created_at, a.actor_type, a.actor_id, a.actor_name
    FROM workflow_version v
    LEFT JOIN LATERAL (
      SELECT actor_type, actor_id, actor_name FROM audit_log
       WHERE environment_id = v.environment_id AND created_at = v.created_at
         AND resource_type = 'workflow' AND resource_id = v.workflow_id::text
       LIMIT 1) a ON true
   WHERE v.environment_id = $1 AND v.workflow_id = $2 AND ($3::int IS NULL OR v.version < $3)
   ORDER BY v.version DESC LIMIT $4`;

/** Reads the versions of workflows. `WorkflowRepository` writes them. */
export class WorkflowVersionRepository extends Repository {
  /** Newest first, fewer when they are large (`isCut`); `before` is the last version of the page before. */
  async list(
    environmentId: EnvironmentId,
    workflowId: string,
    { limit, before }: { limit: number; before?: number },
  ): Promise<{ rows: WorkflowVersionRow[]; isCut: boolean }> {
    const parameters = [environmentId, workflowId, before ?? null, limit];
    // A version is compared with the one before it.
    return readLeading<WorkflowVersionRow>(await this.database.rows(leadingRows(VERSIONS, { least: 2 }), parameters));
  }
}
