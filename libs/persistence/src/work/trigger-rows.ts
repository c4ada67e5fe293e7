import type {
  EnvironmentId,
  Json,
  JsonObject,
  Lane,
  MirrorCopyKind,
  SensitivePath,
  TraceContext,
  TriggerId,
} from '@clarion/contracts/core';

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
  /** Absent: normal. */
  lane?: Lane;
  /** The caller says that it is a test. */
  isTest?: boolean;
  attachments?: NewAttachment[];
  /** For the mirror of the environment. */
  copy?: NewCopy;
  /** The marked fields of the payload, which are redacted after delivery. */
  sensitive?: SensitivePath[];
};

/** The request that the other system gets. Its body is encrypted. */
export type NewCopy = { kind: Exclude<MirrorCopyKind, 'cancel'>; body: string };

export type TriggerOrigin = { requestId?: string; trace?: TraceContext };

/** A trigger that shares a statement with those of other calls, so it names its environment and its request itself. */
export type SharedTrigger = Omit<NewTrigger, 'attachments' | 'copy' | 'sensitive'> &
  Partial<TraceContext> & { environmentId: EnvironmentId; requestId?: string };

/** A file of a trigger, identified by its position in the list. */
export type NewAttachment = { id: string; name: string; mime: string; content: Buffer };
