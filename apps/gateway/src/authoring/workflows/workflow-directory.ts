import { Injectable } from '@nestjs/common';
import { type PayloadCheck, TemplateRenderer } from '@clarion/content';
import { type EnvironmentId, isJsonObject, type Json, type JsonObject } from '@clarion/contracts';
import { type TriggerableWorkflow, WorkflowRepository } from '@clarion/persistence';

export type { PayloadCheck, PayloadFault } from '@clarion/content';
export type { TriggerableWorkflow } from '@clarion/persistence';

const REMEMBER_MS = 5_000;
const REMEMBERED_WORKFLOWS = 5_000;
/** So many bytes of a payload schema count as one more workflow: in memory they take a few times that. */
const SCHEMA_BYTES = 4 * 1024;
const SUGGESTED_NAMES = 10;
/** The characters of an attached file that the check of the payload sees. */
const FILE_CHARACTERS = 1_000;

type Remembered = { workflow: TriggerableWorkflow; until: number; weight: number };

/** Entries live for a few seconds: a change in this process is visible at once, in another when the entry expires. */
@Injectable()
export class WorkflowDirectory {
  private readonly known = new Map<string, Map<string, Remembered>>();
  /** Schemas as text, while their workflow is in the cache. */
  private readonly schemaTexts = new WeakMap<JsonObject, string>();
  private size = 0;
  private changes = 0;

  constructor(
    private readonly workflows: WorkflowRepository,
    private readonly renderer: TemplateRenderer,
  ) {}

  /** Workflows by workflowId. A workflow that does not exist is missing in the result. */
  async find(environmentId: EnvironmentId, workflowIds: string[]): Promise<Map<string, TriggerableWorkflow>> {
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
    // A row that was read during a change may be the state before the change, so it is not cached.
    if (changes === this.changes) this.remember(environmentId, rows);
    return found;
  }

  /** For names without a workflow: the existing workflowId that is most like each, for the first few names. */
  async nearest(environmentId: EnvironmentId, names: string[]): Promise<Map<string, string>> {
    return names.length === 0 ? new Map() : this.workflows.nearest(environmentId, names.slice(0, SUGGESTED_NAMES));
  }

  /**
   * Checks each payload against the schema of its workflow, in the order of the items. Undefined for a workflow
   * without payload validation. A valid result has a payload when the schema filled in defaults.
   */
  async checkPayloads(
    environmentId: EnvironmentId,
    items: { workflow: TriggerableWorkflow; payload: JsonObject }[],
  ): Promise<(PayloadCheck | undefined)[]> {
    const checks: (PayloadCheck | undefined)[] = items.map(() => undefined);
    const asked = items.flatMap(({ workflow, payload }, index) => {
      const schema = this.schemaOf(workflow);
      return schema === undefined ? [] : [{ index, schema, payload }];
    });
    const answers = await this.renderer.checkPayloads(
      environmentId,
      asked.map(({ schema, payload }) => ({ schema, payload: withShortFiles(payload) })),
    );
    for (const [at, { index, payload }] of asked.entries()) checks[index] = withFiles(answers[at]!, payload);
    return checks;
  }

  schemaOf({ validatePayload, payloadSchema }: TriggerableWorkflow): string | undefined {
    if (!validatePayload || !payloadSchema) return undefined;
    let text = this.schemaTexts.get(payloadSchema);
    if (text === undefined) this.schemaTexts.set(payloadSchema, (text = JSON.stringify(payloadSchema)));
    return text;
  }

  /** Called after a change of a workflow in this process. */
  forget(environmentId: EnvironmentId): void {
    this.changes += 1;
    for (const { weight } of this.known.get(environmentId)?.values() ?? []) this.size -= weight;
    this.known.delete(environmentId);
  }

  private remember(environmentId: EnvironmentId, workflows: TriggerableWorkflow[]): void {
    const until = performance.now() + REMEMBER_MS;
    for (const workflow of workflows) {
      const { workflowId, payloadSchemaBytes } = workflow;
      const weight = 1 + Math.floor(payloadSchemaBytes / SCHEMA_BYTES);
      if (this.size + weight > REMEMBERED_WORKFLOWS) {
        this.known.clear();
        this.size = 0;
      }
      const known = this.known.get(environmentId) ?? new Map<string, Remembered>();
      this.size += weight - (known.get(workflowId)?.weight ?? 0);
      known.set(workflowId, { workflow, until, weight });
      this.known.set(environmentId, known);
    }
  }
}

/** Files are megabytes of base64, and a schema checks only their names and that they have content. */
function withShortFiles(payload: JsonObject): JsonObject {
  const { attachments } = payload;
  return Array.isArray(attachments) && attachments.some(isLongFile)
    ? { ...payload, attachments: attachments.map((entry) => (isLongFile(entry) ? shortFile(entry) : entry)) }
    : payload;
}

type LongFile = JsonObject & { file: string };

const isLongFile = (entry: Json): entry is LongFile =>
  isJsonObject(entry) && typeof entry['file'] === 'string' && entry['file'].length > FILE_CHARACTERS;

const shortFile = ({ file, ...entry }: LongFile): JsonObject => ({ ...entry, file: file.slice(0, FILE_CHARACTERS) });

/** Puts the complete files back into the result of the check. */
function withFiles(check: PayloadCheck, { attachments }: JsonObject): PayloadCheck {
  if (!check.valid || !check.payload || !Array.isArray(attachments)) return check;
  const filled = check.payload['attachments'];
  if (!Array.isArray(filled)) return check;
  const whole = filled.map((entry, index) => {
    const given = attachments[index];
    return isJsonObject(entry) && given !== undefined && isLongFile(given) ? { ...entry, file: given.file } : entry;
  });
  return { valid: true, payload: { ...check.payload, attachments: whole } };
}
