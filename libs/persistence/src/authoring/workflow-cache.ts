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
/** Bytes of the steps, as JSON, of all cached workflows. In memory small values take a few times that. */
const REMEMBERED_BYTES = 32 * 1024 * 1024;

type Read = { workflow: RunningWorkflow; bytes: number };

/**
 * Versions never change, and each row names the time of the last change of its workflow. So a cached workflow is valid
 * for every row that names the same two, and an edit is seen with the next row without a query. The first ones that
 * were read are forgotten first.
 */
export class WorkflowCache {
  private readonly known = new Map<string, Read>();
  private bytes = 0;

  constructor(private readonly database: Database) {}

  /** One statement for all unknown ones; none when all are cached. */
  async load(references: WorkflowReference[]): Promise<(reference: WorkflowReference) => RunningWorkflow> {
    // What this batch needs, also after the batches of others have displaced it.
    const loaded = new Map<string, RunningWorkflow>();
    const missing = new Map<string, WorkflowReference>();
    for (const [index, reference] of references.entries()) {
      if (index > 0 && areSame(reference, references[index - 1]!)) continue;
      const key = keyOf(reference);
      const known = this.known.get(key);
      if (known) loaded.set(key, known.workflow);
      else missing.set(key, reference);
    }
    if (missing.size > 0) {
      const found = await this.read([...missing.values()]);
      for (const [key, { workflowId, workflowVersion }] of missing) {
        const read = found.get(`${workflowId} ${workflowVersion}`);
        if (!read) continue;
        loaded.set(key, read.workflow);
        this.keep(key, read);
      }
    }
    let last: { reference: WorkflowReference; workflow: RunningWorkflow } | undefined;
    return (reference) => {
      if (!last || !areSame(reference, last.reference)) {
        last = { reference, workflow: loaded.get(keyOf(reference))! };
      }
      return last.workflow;
    };
  }

  private async read(references: WorkflowReference[]): Promise<Map<string, Read>> {
    const rows = await this.database.rows<RunningWorkflow & { version: number; bytes: number }>(
      `SELECT w.id, w.environment_id, w.workflow_id, w.name, w.description, w.tags, w.severity, w.preferences,
              w.escape_html, w.while_retrying, v.steps, v.version, octet_length(v.steps::text) AS bytes,
              json_build_object('name', e.name, 'type', e.type) AS environment
         FROM unnest($1::uuid[], $2::int[]) AS r (workflow_id, version)
         JOIN workflow w ON w.id = r.workflow_id
         JOIN workflow_version v ON v.workflow_id = w.id AND v.version = r.version
         JOIN environment e ON e.id = w.environment_id`,
      [references.map(({ workflowId }) => workflowId), references.map(({ workflowVersion }) => workflowVersion)],
    );
    return new Map(rows.map(({ version, bytes, ...workflow }) => [`${workflow.id} ${version}`, { workflow, bytes }]));
  }

  private keep(key: string, read: Read): void {
    // Two batches may read the same one at the same time.
    if (this.known.has(key)) return;
    this.known.set(key, read);
    this.bytes += read.bytes;
    for (const [oldest, { bytes }] of this.known) {
      if (this.known.size <= REMEMBERED && this.bytes <= REMEMBERED_BYTES) break;
      this.known.delete(oldest);
      this.bytes -= bytes;
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
