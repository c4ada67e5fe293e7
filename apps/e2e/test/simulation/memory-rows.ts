import {
  type Channel,
  CHANNELS,
  type EnvironmentId,
  type JsonObject,
  type NotificationId,
  type StepId,
  type StepStatus,
  type StepType,
  type TriggerId,
} from '@clarion/contracts';
import type { FanOutCursor, NewDetail, NewMessage } from '@clarion/persistence';

export const ENVIRONMENT = 'environment' as EnvironmentId;

export type TriggerRow = {
  id: TriggerId;
  transactionId: string;
  workflowId: string;
  recipients: JsonObject[];
  payload: JsonObject;
  context: JsonObject | null;
  state: 'accepted' | 'running' | 'done' | 'canceled' | 'failed';
  cursor: FanOutCursor | null;
  fence: number;
  crashCount: number;
  leaseUntil: number | null;
  offeredUntil: number | null;
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

export type StepRow = {
  id: StepId;
  notification: NotificationRow;
  position: number;
  stepKey: string;
  type: StepType;
  state: StepStatus;
  nextStepId: StepId | null;
  dueAt: number | null;
  offeredUntil: number | null;
  leaseUntil: number | null;
  sendingSince: number | null;
  fence: number;
  attempt: number;
  crashCount: number;
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
