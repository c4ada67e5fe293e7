import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@clarion/contracts';
import { type TriggerableWorkflow, WorkflowRepository } from '@clarion/persistence';
import { compilePayloadSchema, type PayloadCheck, type PayloadValidator } from './payload-schema';

export type { PayloadCheck, PayloadFault } from './payload-schema';
export type { TriggerableWorkflow } from '@clarion/persistence';

const REMEMBER_MS = 5_000;
const REMEMBERED_WORKFLOWS = 5_000;
const REMEMBERED_VALIDATORS = 1_000;

type Remembered = { workflow: TriggerableWorkflow; until: number };

/**
 * What a trigger must know of a workflow, without a lookup for each event. Answers are remembered for a few seconds; a
 * change made in this process is seen at once, one made elsewhere when they run out.
 */
@Injectable()
export class WorkflowDirectory {
  private readonly known = new Map<string, Map<string, Remembered>>();
  private readonly validators = new Map<string, { schemaHash: string; validate: PayloadValidator }>();
  private size = 0;
  private changes = 0;

  constructor(private readonly workflows: WorkflowRepository) {}

  /** By workflowId; a name that is missing in the answer has no workflow. */
  async find(environmentId: string, workflowIds: string[]): Promise<Map<string, TriggerableWorkflow>> {
    const found = new Map<string, TriggerableWorkflow>();
    const missing = new Set<string>();
    const known = this.known.get(environmentId);
    const now = performance.now();
    for (const workflowId of workflowIds) {
      const remembered = known?.get(workflowId);
      if (remembered && remembered.until > now) found.set(workflowId, remembered.workflow);
      else missing.add(workflowId);
    }
    if (missing.size === 0) return found;
    const changes = this.changes;
    const rows = await this.workflows.findTriggerable(environmentId, [...missing]);
    for (const workflow of rows) found.set(workflow.workflowId, workflow);
    // What was read while something changed may be the state before the change.
    if (changes === this.changes) this.remember(environmentId, rows);
    return found;
  }

  /** The payload with the defaults of the schema, or what is wrong with it. */
  validatePayload(workflow: TriggerableWorkflow, payload: JsonObject): PayloadCheck {
    if (!workflow.validatePayload || !workflow.payloadSchema || workflow.payloadSchemaHash === null) {
      return { valid: true, payload };
    }
    const remembered = this.validators.get(workflow.id);
    if (remembered?.schemaHash === workflow.payloadSchemaHash) return remembered.validate(payload);
    let validate: PayloadValidator;
    try {
      validate = compilePayloadSchema(workflow.payloadSchema);
    } catch (error) {
      // It compiled when it was saved, so this is rare; it must not fail the other events of the call.
      const reason = error instanceof Error ? error.message : String(error);
      return {
        valid: false,
        errors: [{ field: 'payload', message: `cannot be checked, the schema does not compile: ${reason}` }],
      };
    }
    if (this.validators.size >= REMEMBERED_VALIDATORS) this.validators.clear();
    this.validators.set(workflow.id, { schemaHash: workflow.payloadSchemaHash, validate });
    return validate(payload);
  }

  /** After a change of a workflow in this process. */
  forget(environmentId: string): void {
    this.changes += 1;
    this.size -= this.known.get(environmentId)?.size ?? 0;
    this.known.delete(environmentId);
  }

  private remember(environmentId: string, workflows: TriggerableWorkflow[]): void {
    if (this.size + workflows.length > REMEMBERED_WORKFLOWS) {
      this.known.clear();
      this.size = 0;
    }
    const known = this.known.get(environmentId) ?? new Map<string, Remembered>();
    const before = known.size;
    const until = performance.now() + REMEMBER_MS;
    for (const workflow of workflows) known.set(workflow.workflowId, { workflow, until });
    this.size += known.size - before;
    this.known.set(environmentId, known);
  }
}
