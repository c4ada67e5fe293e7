import {
  type Channel,
  CHANNELS,
  type EnvironmentId,
  type JsonObject,
  type LimitWait,
  type NotedLimits,
  type NotificationId,
  type StepId,
  type StepStatus,
  type StepType,
  type TriggerId,
  type WorkflowStep,
} from '@clarion/contracts/core';
import type { FanOutCursor, NewDetail, NewMessage, RunningWorkflow } from '@clarion/persistence';

export const ENVIRONMENT = 'environment' as EnvironmentId;

/** The part of a trigger or step that is a row of `work` while it is open. */
export type WorkRow = {
  dueAt: number;
  offeredAt: number | null;
  wasOfferedAgain: boolean;
  sendingSince: number | null;
  /** The claim that wrote to the row last: with the mark of a provider call, or with a page of a walk. */
  claimId: string | null;
  fence: number;
  /** Attempts that have ended. */
  attempt: number;
  crashCount: number;
};

/** Who works on which rows: one claim for each batch, with the fences that it read. */
export type Claim = { id: string; at: number; leaseUntil: number; fences: Map<string, number> };

export const newWork = (now: number): WorkRow => ({
  dueAt: now,
  offeredAt: now,
  wasOfferedAgain: false,
  sendingSince: null,
  claimId: null,
  fence: 1,
  attempt: 0,
  crashCount: 0,
});

export type TriggerRow = WorkRow & {
  id: TriggerId;
  transactionId: string;
  workflowId: string;
  recipients: JsonObject[];
  payload: JsonObject;
  context: JsonObject | null;
  /** The subscriberId of the actor. */
  actor?: string;
  state: 'accepted' | 'running' | 'done' | 'canceled' | 'failed';
  cursor: FanOutCursor | null;
  createdAt: number;
  error: string | null;
};

export type NotificationRow = {
  id: NotificationId;
  trigger: TriggerRow;
  subscriberId: string;
  digestedInto: string | null;
  /** Ordered by position. */
  steps: StepRow[];
};

export type DetailRow = { status: NewDetail['status']; detail: string; isRetry: boolean; raw?: string; at: number };

/** The values of `WorkRow` have a meaning only while the step is open. */
export type StepRow = WorkRow & {
  id: StepId;
  notification: NotificationRow;
  position: number;
  stepKey: string;
  type: StepType;
  state: StepStatus;
  integrationId: string | null;
  digestMasterId: StepId | null;
  digestKey: string | null;
  digest: JsonObject | null;
  output: JsonObject | null;
  error: JsonObject | null;
  scheduleExtensionsCount: number | null;
  details: DetailRow[];
  messages: Map<string, NewMessage>;
  createdAt: number;
  /** The steps that follow when it ends; all behind it unless some were released. */
  later?: StepRow[];
  hasReleased?: boolean;
  /** The integration that it waits for. */
  waitsFor?: string;
  /** The limit that it waits for, since when, and the limits whose wait has an execution detail. */
  limit?: LimitWait;
  waitingSince?: number;
  notedLimits?: NotedLimits;
};

export type Subscription = { topicKey: string; subscriberId: string };

export const isOpen = ({ state }: StepRow): boolean => state === 'queued' || state === 'delayed';
export const isOpenTrigger = ({ state }: TriggerRow): boolean => state === 'accepted' || state === 'running';
export const isChannelStep = ({ type }: StepRow): boolean => CHANNELS.includes(type as Channel);

export const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

/** The key of a window: one for each workflow, step, subscriber and digest or throttle key. */
export const windowKeyOf = (
  { workflowId, stepKey, subscriberId }: { workflowId: string; stepKey: string; subscriberId: string },
  key: string,
): string => `${workflowId} ${stepKey} ${subscriberId} ${key}`;

export const runningWorkflow = (id: string, steps: WorkflowStep[]): RunningWorkflow => ({
  id,
  environmentId: ENVIRONMENT,
  workflowId: id,
  name: id,
  description: null,
  tags: [],
  severity: 'none',
  preferences: {},
  escapeHtml: true,
  whileRetrying: 'continue',
  environment: { name: 'Memory', type: 'prod' },
  memory: 1_000,
  steps,
});
