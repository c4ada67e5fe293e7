import type {
  EnvironmentId,
  EnvironmentType,
  Severity,
  WorkflowPreferences,
  WorkflowStep,
  WhileRetrying,
} from '@clarion/contracts/core';
import type { Database } from '../connection/database';

/** A workflow for a running notification: the steps of its version, and the other fields with their current values. */
export type RunningWorkflow = {
  id: string;
  environmentId: EnvironmentId;
  workflowId: string;
  name: string;
  description: string | null;
  tags: string[];
  severity: Severity;
  preferences: WorkflowPreferences;
  escapeHtml: boolean;
  whileRetrying: WhileRetrying;
  steps: WorkflowStep[];
  environment: { name: string; type: EnvironmentType };
};

export type WorkflowReference = {
  workflowId: string;
  workflowVersion: number;
  /** In milliseconds. */
  workflowUpdatedAt: number;
};

const REMEMBERED = 1_000;

/**
 * Versions never change, and each row names the time of the last change of its workflow. So a cached workflow is valid
 * for every row that names the same two, and an edit is seen with the next row without a query.
 */
export class WorkflowCache {
  private readonly known = new Map<string, RunningWorkflow>();

  constructor(private readonly database: Database) {}

  /** One statement for all unknown ones; none when all are cached. */
  async load(references: WorkflowReference[]): Promise<(reference: WorkflowReference) => RunningWorkflow> {
    const missing = new Map<string, WorkflowReference>();
    for (const [index, reference] of references.entries()) {
      if (index > 0 && areSame(reference, references[index - 1]!)) continue;
      const key = keyOf(reference);
      if (!this.known.has(key)) missing.set(key, reference);
    }
    if (missing.size > 0) await this.read([...missing.values()]);
    let last: { reference: WorkflowReference; workflow: RunningWorkflow } | undefined;
    return (reference) => {
      if (!last || !areSame(reference, last.reference)) {
        last = { reference, workflow: this.known.get(keyOf(reference))! };
      }
      return last.workflow;
    };
  }

  private async read(references: WorkflowReference[]): Promise<void> {
    const rows = await this.database.rows<RunningWorkflow & { version: number }>(
      `SELECT w.id, w.environment_id, w.workflow_id, w.name, w.description, w.tags, w.severity, w.preferences,
              w.escape_html, w.while_retrying, v.steps, v.version,
              json_build_object('name', e.name, 'type', e.type) AS environment
         FROM unnest($1::uuid[], $2::int[]) AS r (workflow_id, version)
         JOIN workflow w ON w.id = r.workflow_id
         JOIN workflow_version v ON v.workflow_id = w.id AND v.version = r.version
         JOIN environment e ON e.id = w.environment_id`,
      [references.map(({ workflowId }) => workflowId), references.map(({ workflowVersion }) => workflowVersion)],
    );
    const found = new Map(rows.map(({ version, ...workflow }) => [`${workflow.id} ${version}`, workflow]));
    while (this.known.size > REMEMBERED - references.length) {
      const oldest = this.known.keys().next();
      if (oldest.done) break;
      this.known.delete(oldest.value);
    }
    for (const reference of references) {
      const workflow = found.get(`${reference.workflowId} ${reference.workflowVersion}`);
      if (workflow) this.known.set(keyOf(reference), workflow);
    }
  }
}

/** Rows of a batch are mostly of one workflow: its key is written once. */
const areSame = (one: WorkflowReference, other: WorkflowReference): boolean =>
  one.workflowId === other.workflowId &&
  one.workflowVersion === other.workflowVersion &&
  one.workflowUpdatedAt === other.workflowUpdatedAt;

const keyOf = ({ workflowId, workflowVersion, workflowUpdatedAt }: WorkflowReference): string =>
  `${workflowId} ${workflowVersion} ${workflowUpdatedAt}`;
