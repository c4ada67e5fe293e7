import {
  DomainError,
  isJsonObject,
  type JsonObject,
  type Lane,
  LANE_NUMBERS,
  type TriggerEventDto,
  type TriggerStatus,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { isCritical, recipientOverrides } from '@clarion/rules';
import type { PayloadCheck, TriggerableWorkflow } from '../authoring/workflows/workflow-directory';
import { type FileFault, filesOf, type GivenFile } from './attachments';
import type { CheckedEvent, Refusal } from './check-event';
import type { Recipients } from './recipients';
import type { TopicFacts } from './topic-directory';

export type AcceptedEvent = CheckedEvent & {
  workflow: TriggerableWorkflow;
  payload: JsonObject;
  files?: GivenFile[];
  lane: Lane;
};
export type Verdict = AcceptedEvent | Refusal;

/** Override paths that one refusal names. */
const NAMED_OVERRIDES = 10;
/** Templates that do not compile, and that one result names. */
const NAMED_FAULTS = 10;

export const isRefusal = (verdict: CheckedEvent | Refusal): verdict is Refusal => 'status' in verdict;

export const tenantOf = ({ tenant }: TriggerEventDto): string | undefined =>
  (isJsonObject(tenant) ? tenant['identifier'] : tenant) as string | undefined;

export type EventFacts = {
  workflow: TriggerableWorkflow | undefined;
  tenantExists: boolean;
  payloadCheck: PayloadCheck | undefined;
  topics: TopicFacts;
  /** Whether the API key may give the event a higher priority than its default. */
  mayRaisePriority: boolean;
  /** The workflowId that is most like the name of an event whose workflow does not exist. */
  nearestWorkflow: string | undefined;
};

/** Decides whether a checked event is accepted. The order of the checks is that of the interface. */
export function judgeEvent(checked: CheckedEvent, facts: EventFacts): Verdict {
  const { event, fingerprint } = checked;
  const known = { event, fingerprint };
  const { workflow, tenantExists, payloadCheck, topics, mayRaisePriority, nearestWorkflow } = facts;
  if (!workflow) return { ...noWorkflow(event.name, nearestWorkflow), ...known };
  if (payloadCheck && !payloadCheck.valid) {
    return { ...invalidPayload(payloadCheck.errors, workflow.payloadSchema), ...known };
  }
  const payload = payloadCheck?.payload ?? event.payload ?? {};
  const status = refusingStatus(workflow, tenantExists);
  if (status) return { status, messages: [], ...known };
  const files = filesOf(payload);
  if (files && 'thrown' in files) return { ...invalidFile(files), ...known };
  const { recipients } = checked;
  if (recipients.recipients.length === 0) {
    return { status: 'invalid_recipients', messages: recipients.faults, ...known };
  }
  const usual = usualLane(workflow, recipients, topics);
  const lane = event.priority ? LANE_NUMBERS[event.priority] : usual;
  if (lane < usual && !mayRaisePriority) return { ...raisedPriority(), ...known };
  const notes = [...topicNotes(recipients, topics.missing), ...(workflow.templateFaults ?? []).slice(0, NAMED_FAULTS)];
  const faults = notes.length === 0 ? recipients.faults : [...recipients.faults, ...notes];
  return { event, fingerprint, recipients: { ...recipients, faults }, workflow, payload, files, lane };
}

/** The lane of an event without a priority. */
function usualLane(workflow: TriggerableWorkflow, { recipients }: Recipients, { large }: TopicFacts): Lane {
  if (isCritical(workflow.preferences)) return LANE_NUMBERS.critical;
  const isBulk = recipients.some((to) => to['type'] === 'Broadcast' || large.has(topicKeyOf(to) ?? ''));
  return isBulk ? LANE_NUMBERS.bulk : LANE_NUMBERS.normal;
}

/** A topic may be created until the engine reads it, so the event is accepted. */
const topicNotes = ({ recipients }: Recipients, missing: Set<string>): string[] =>
  missing.size === 0
    ? []
    : recipients
        .map(topicKeyOf)
        .filter((key) => key !== undefined && missing.has(key))
        .map((key) => `to: the topic "${key}" does not exist`);

export const topicKeyOf = ({ topicKey }: JsonObject): string | undefined => topicKey as string | undefined;

/** Refuses an event with overrides of sender or recipients when the API key may not use them. */
export function checkPermission(
  { scope, allowRecipientOverrides }: KeyOwner,
  checked: CheckedEvent | Refusal,
): CheckedEvent | Refusal {
  if (isRefusal(checked) || scope !== 'trigger' || allowRecipientOverrides) return checked;
  const { event, fingerprint, unknown } = checked;
  const paths = recipientOverrides(event.overrides ?? undefined).slice(0, NAMED_OVERRIDES);
  return paths.length === 0 ? checked : { ...forbiddenOverrides(paths), event, fingerprint, unknown };
}

function forbiddenOverrides(paths: string[]): Refusal {
  const messages = paths.map(
    (path) => `${path}: a key of the scope "trigger" may not change sender or recipients in this environment`,
  );
  const errors = Object.fromEntries(paths.map((path, index) => [path, { messages: [messages[index]!] }]));
  return { status: 'error', messages, thrown: new DomainError('forbidden', messages[0]!, { errors }) };
}

/** Undefined when the workflow can run. */
export function refusingStatus(workflow: TriggerableWorkflow, tenantExists: boolean): TriggerStatus | undefined {
  if (!tenantExists) return 'no_tenant_found';
  if (!workflow.active) return 'trigger_not_active';
  if (workflow.stepCount === 0) return 'no_workflow_steps_defined';
  if (workflow.activeStepCount === 0) return 'no_workflow_active_steps_defined';
  return undefined;
}

function raisedPriority(): Refusal {
  const message = 'priority: a key of the scope "trigger" may not raise the priority of an event in this environment';
  const errors = { priority: { messages: [message] } };
  return { status: 'error', messages: [message], thrown: new DomainError('forbidden', message, { errors }) };
}

function noWorkflow(name: string, nearest: string | undefined): Refusal {
  const hint = nearest === undefined ? '' : `; the nearest one is "${nearest}"`;
  // Clients compare the first one.
  const messages = ['workflow_not_found', `no workflow has the workflowId "${name}"${hint}`];
  return {
    status: 'error',
    messages,
    thrown: new DomainError('unprocessable', 'workflow_not_found', { errors: { name: { messages } } }),
  };
}

function invalidPayload(faults: { field: string; message: string }[], schema: JsonObject | null): Refusal {
  const messages = faults.map(({ field, message }) => `${field}: ${message}`);
  const thrown = new DomainError('bad_request', `Payload validation failed: ${messages.join('; ')}`, {
    type: 'PAYLOAD_VALIDATION_ERROR',
    errors: faults,
    ...(schema && { schema }),
  });
  return { status: 'error', messages, thrown };
}

const invalidFile = ({ message, thrown }: FileFault): Refusal => ({ status: 'error', messages: [message], thrown });
