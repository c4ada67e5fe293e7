import {
  collectsEvents,
  isJsonObject,
  type EnvironmentType,
  type Json,
  type JsonObject,
  type Severity,
  type StepType,
} from '@clarion/contracts/core';

/** The columns of a subscriber that templates may see. */
export type SubscriberFields = {
  subscriberId: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  avatar: string | null;
  locale: string | null;
  timezone: string | null;
  data: JsonObject | null;
  isOnline: boolean | null;
  lastOnlineAt: Date | string | null;
};

export type WorkflowFields = {
  workflowId: string;
  name: string;
  description: string | null;
  tags: string[];
  severity: Severity;
};

export type StepResult = { stepId: string; type: StepType; output: JsonObject | null };

export type VariableSources = {
  payload: JsonObject | null;
  subscriber: SubscriberFields;
  actor?: SubscriberFields | null;
  tenant?: { identifier: string; name: string | null; data: JsonObject | null } | null;
  contexts?: GivenContext[];
  steps?: StepResult[];
  workflow: WorkflowFields;
  /** `variables` are those that callers created; `name` and `type` are the environment itself. */
  environment: { name: string; type: EnvironmentType; variables?: Record<string, string> };
};

/** All channels make the variables of templates and rules here, so they see the same ones. */
export function templateVariables(sources: VariableSources): JsonObject {
  const { payload, subscriber, actor, tenant, contexts = [], steps = [], workflow, environment } = sources;
  return {
    payload: payload ?? {},
    subscriber: subscriberVariables(subscriber),
    actor: actor ? subscriberVariables(actor) : {},
    tenant: tenant ? { identifier: tenant.identifier, name: tenant.name, data: tenant.data ?? {} } : {},
    context: Object.fromEntries(contexts.map((context) => [context.type, contextVariables(context)])),
    steps: Object.fromEntries(steps.map(({ stepId, output }) => [stepId, output ?? {}])),
    workflow: workflowVariables(workflow),
    env: { ...environment.variables, name: environment.name, type: environment.type },
    step: digestVariables(steps),
  };
}

type GivenContext = { type: string; contextId: string; data: JsonObject | null };

/** The same object for all recipients that have the context, so that its JSON is written once. */
const knownContexts = new WeakMap<GivenContext, JsonObject>();

function contextVariables(context: GivenContext): JsonObject {
  let known = knownContexts.get(context);
  if (!known) knownContexts.set(context, (known = { id: context.contextId, data: context.data ?? {} }));
  return known;
}

export const workflowVariables = ({ workflowId, name, description, tags, severity }: WorkflowFields): JsonObject => ({
  workflowId,
  name,
  description: description ?? '',
  tags,
  severity,
});

function subscriberVariables(subscriber: SubscriberFields): JsonObject {
  const { lastOnlineAt } = subscriber;
  return {
    subscriberId: subscriber.subscriberId,
    firstName: subscriber.firstName,
    lastName: subscriber.lastName,
    email: subscriber.email,
    phone: subscriber.phone,
    avatar: subscriber.avatar,
    locale: subscriber.locale,
    timezone: subscriber.timezone,
    data: subscriber.data ?? {},
    isOnline: subscriber.isOnline,
    lastOnlineAt: lastOnlineAt instanceof Date ? lastOnlineAt.toISOString() : lastOnlineAt,
  };
}

/** The legacy names for the last digest: the payloads and their number. */
function digestVariables(steps: StepResult[]): JsonObject {
  const digest = steps.findLast(({ type, output }) => collectsEvents(type) && Array.isArray(output?.['events']));
  const events = (digest?.output?.['events'] ?? []) as Json[];
  return {
    digest: digest !== undefined,
    events: events.map((event) => (isJsonObject(event) ? (event['payload'] ?? {}) : event)),
    total_count: digest?.output?.['eventCount'] ?? events.length,
  };
}
