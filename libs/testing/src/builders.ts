import { DEMO_PROVIDERS, type EnvironmentId, newId, type WorkflowStep } from '@clarion/contracts/core';
import type { Database, Workflow } from '@clarion/persistence';
import { type Given, insertRows, stampsOf } from './insert-rows';

/**
 * Inserts rows directly, for specs and benchmarks of code that reads them. Give the fields that the spec is about; the
 * rest gets defaults. A row is created at its `createdAt`, and its id encodes the same time, so rows of other weeks go
 * into their partition (create it first with `ensurePartitions`).
 */
/** An environment in its own organization, without integrations or keys. */
export async function insertEnvironment(database: Database): Promise<EnvironmentId> {
  const environmentId = newId<EnvironmentId>();
  await database.query(
    `WITH owner AS (INSERT INTO organization (id, name) VALUES ($1, 'Organization') RETURNING id)
     INSERT INTO environment (id, organization_id, name, identifier, kind)
     SELECT $2, id, 'Environment', $3, 'development' FROM owner`,
    [newId(), environmentId, `environment-${environmentId}`],
  );
  return environmentId;
}

export type WorkflowRow = Workflow & { version: number; steps: WorkflowStep[] };

/** A workflow with one version; without `steps` it has one email step. */
export async function insertWorkflow(
  database: Database,
  { steps, ...given }: Given<Workflow, 'environmentId'> & { steps?: Partial<WorkflowStep>[] },
): Promise<WorkflowRow> {
  const stamps = stampsOf(given);
  const version = given.currentVersion ?? 1;
  const [workflow] = await insertRows<Workflow>(database, 'workflow', [
    {
      ...stamps,
      workflowId: `workflow-${stamps.id}`,
      name: 'Workflow',
      tags: [],
      active: true,
      status: 'ACTIVE',
      origin: 'platform-cloud',
      severity: 'none',
      validatePayload: false,
      escapeHtml: true,
      whileRetrying: 'continue',
      preferences: {},
      currentVersion: version,
      ...given,
    },
  ]);
  const authored = (steps ?? [{}]).map(authoredStep);
  await insertRows(database, 'workflow_version', [
    {
      id: newId(),
      environmentId: given.environmentId,
      workflowId: workflow!.id,
      version,
      steps: authored,
      createdAt: stamps.createdAt,
    },
  ]);
  return { ...workflow!, version, steps: authored };
}

function authoredStep(given: Partial<WorkflowStep>, index: number): WorkflowStep {
  const type = given.type ?? 'email';
  return {
    id: newId(),
    stepId: `${type}-${index}`,
    name: `${type} ${index}`,
    type,
    active: true,
    shouldStopOnFail: false,
    filters: [],
    variants: [],
    controlValues: {},
    ...given,
  };
}

/** Deletes the demo integrations of a new environment. Most specs need channels with only their own integrations. */
export async function deleteDemoIntegrations(database: Database, environmentId: EnvironmentId): Promise<void> {
  await database.query(`DELETE FROM integration WHERE environment_id = $1 AND provider_id = ANY ($2)`, [
    environmentId,
    DEMO_PROVIDERS,
  ]);
}
