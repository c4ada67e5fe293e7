import type { EnvironmentId, Json, JsonObject, TraceContext, TriggerId } from '@clarion/contracts/core';

export type NewTrigger = {
  id: TriggerId;
  transactionId: string;
  /** The fingerprint of the event itself, without its transactionId, in hex. */
  fingerprint: string;
  workflowId: string;
  workflowVersion: number;
  recipients: Json;
  payload: JsonObject;
  overrides?: JsonObject;
  controls?: JsonObject;
  actor?: Json;
  tenant?: string;
  context?: JsonObject;
  /** In seconds. */
  ttl?: number;
  attachments?: NewAttachment[];
};

/** The request that posted the triggers. */
export type TriggerOrigin = { requestId?: string; trace?: TraceContext };

/** A trigger that shares a statement with those of other calls, so it names its environment and its request itself. */
export type SharedTrigger = Omit<NewTrigger, 'attachments'> &
  Partial<TraceContext> & { environmentId: EnvironmentId; requestId?: string };

/** A file of a trigger, identified by its position in the list. */
export type NewAttachment = { id: string; name: string; mime: string; content: Buffer };
