import { EnvironmentCache, type EnvironmentId, memoryOf, type WorkflowStep } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import type { Environment, Workflow } from '../entities';
import { leadingRows, readLeading } from '../sql/page-bytes';

/** A workflow for a running notification: the steps of its version, and the other fields with their current values. */
export type RunningWorkflow = Pick<Workflow, 'id' | 'environmentId' | 'workflowId' | 'name' | 'description' | 'tags'> &
  Pick<Workflow, 'severity' | 'preferences' | 'escapeHtml' | 'whileRetrying'> & {
    steps: WorkflowStep[];
    environment: Pick<Environment, 'name' | 'type'>;
    /** About the bytes that it takes in memory. */
    memory: number;
  };

export type WorkflowReference = {
  environmentId: EnvironmentId;
  workflowId: string;
  workflowVersion: number;
  /** In milliseconds. */
  workflowUpdatedAt: number;
};

/** Memory of all cached workflows. */
const REMEMBERED_BYTES = 64 * 1024 * 1024;
/** What an entry takes beside its workflow. */
const ENTRY_BYTES = 500;
/** JSON that one `load` reads, and one workflow more. */
const READ_BYTES = 1024 * 1024;

/**
 * Versions never change, and each row names the time of the last change of its workflow. So a cached workflow is valid
 * for every row that names the same two, and an edit is seen with the next row without a query.
 */
export class WorkflowCache {
  private readonly known = new EnvironmentCache<RunningWorkflow>(REMEMBERED_BYTES, (id) =>
    this.database.organizations.of(id as EnvironmentId),
  );

  constructor(private readonly database: Database) {}

  /**
   * One statement for the unknown ones; none when all are cached. A batch may name many large workflows, so it is run
   * in parts: for the rows of a later part, which are loaded again, the function returns undefined.
   */
  async load(references: WorkflowReference[]): Promise<(reference: WorkflowReference) => RunningWorkflow | undefined> {
    // What this part needs, also after the batches of others have displaced it.
    const loaded = new Map<string, RunningWorkflow>();
    const missing = new Map<string, WorkflowReference>();
    for (const [index, reference] of references.entries()) {
      if (index > 0 && areSame(reference, references[index - 1]!)) continue;
      const key = keyOf(reference);
      const known = this.known.get(reference.environmentId, key);
      if (known) loaded.set(key, known);
      else missing.set(key, reference);
    }
    if (missing.size > 0) {
      for (const workflow of await this.read([...missing.values()])) {
        const { key, ...own } = workflow;
        loaded.set(key, own);
        this.known.set(own.environmentId, key, own, own.memory);
      }
    }
    let last: { reference: WorkflowReference; workflow: RunningWorkflow | undefined } | undefined;
    return (reference) => {
      if (!last || !areSame(reference, last.reference)) last = { reference, workflow: loaded.get(keyOf(reference)) };
      return last.workflow;
    };
  }

  private async read(references: WorkflowReference[]): Promise<(RunningWorkflow & { key: string })[]> {
    const { rows, isCut } = readLeading(
      await this.database.rows<Omit<RunningWorkflow, 'memory'> & { place: string }>(
        leadingRows(
          `SELECT w.id, w.environment_id, w.workflow_id, w.name, w.description, w.tags, w.severity, w.preferences,
                  w.escape_html, w.while_retrying, v.steps, r.place,
                  json_build_object('name', e.name, 'type', e.type) AS environment
             FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS r (workflow_id, version, place)
             JOIN workflow w ON w.id = r.workflow_id
             JOIN workflow_version v ON v.workflow_id = w.id AND v.version = r.version
             JOIN environment e ON e.id = w.environment_id`,
          { bytes: READ_BYTES },
        ),
        [references.map(({ workflowId }) => workflowId), references.map(({ workflowVersion }) => workflowVersion)],
      ),
    );
    if (!isCut && rows.length < references.length) throw new Error('Versions of workflows were deleted meanwhile');
    return rows.map(({ place, ...workflow }) => ({
      ...workflow,
      key: keyOf(references[Number(place) - 1]!),
      memory: ENTRY_BYTES + memoryOf(workflow),
    }));
  }
}

/** Rows of a batch are mostly of one workflow: its key is written once. */
const areSame = (one: WorkflowReference, other: WorkflowReference): boolean =>
  one.workflowId === other.workflowId &&
  one.workflowVersion === other.workflowVersion &&
  one.workflowUpdatedAt === other.workflowUpdatedAt;

const keyOf = ({ workflowId, workflowVersion, workflowUpdatedAt }: WorkflowReference): string =>
  `${workflowId} ${workflowVersion} ${workflowUpdatedAt}`;
