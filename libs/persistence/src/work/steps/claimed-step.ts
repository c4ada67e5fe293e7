import type {
  EnvironmentId,
  JsonObject,
  Lane,
  NotificationId,
  Severity,
  StepId,
  StepType,
  StoredPreference,
  SubscriberRowId,
  TriggerId,
} from '@clarion/contracts/core';
import type { WorkProgress } from '../../entities';
import type { Gone } from '../orphans';
import type { ClaimedEndpoint, ClaimedStep, ClaimedSubscriber, Recording } from './step-rows';

export type ClaimedStepRow = {
  id: StepId;
  environment_id: EnvironmentId;
  notification_id: NotificationId;
  trigger_id: TriggerId;
  type: StepType;
  step_key: string;
  is_delayed: boolean;
  progress: WorkProgress | null;
  attempt: number;
  fence: number;
  lane: Lane;
  crash_count: number;
  in_doubt: boolean;
  now_ms: number;
  waited_ms: number;
  age_ms: number;
  ttl: number | null;
  workflow_id: string;
  actor: JsonObject | null;
  severity: Severity;
  critical: boolean;
  context_keys: string[] | null;
  tags: string[] | null;
  transaction_id: string;
  workflow_version: number;
  tenant: string | null;
  traceparent: string | null;
  tracestate: string | null;
  /** Null in all steps of a trigger but one. */
  payload: JsonObject | null;
  overrides: JsonObject | null;
  subscriber_row_id: SubscriberRowId | null;
  subscriber_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  avatar: string | null;
  locale: string | null;
  timezone: string | null;
  data: JsonObject | null;
  is_online: boolean | null;
  last_online_at: string | null;
  preferences: StoredPreference[] | null;
  outputs: Record<string, JsonObject> | null;
  workflow_updated_ms: number;
  endpoints: ClaimedEndpoint[] | null;
  /** Those of the environment; `has_suppressions` is null in all steps of an environment but one. */
  settings_stamp: string | null;
  content_stamp: string | null;
  has_suppressions: boolean | null;
  recorded: Recording | null;
  is_sensitive: boolean;
  /** The hold that keeps it waiting. */
  held_by: string | null;
  /** What it cannot run without; most columns are NULL then. */
  gone: Gone | null;
  /** Bytes of the large values, and the number of rows that could be claimed. */
  own_bytes: number;
  shared_bytes: number;
  found_rows: number;
};

type Settings = Pick<ClaimedStepRow, 'settings_stamp' | 'content_stamp' | 'has_suppressions' | 'recorded'>;

/** Steps of one trigger share the objects of its payload and overrides; nothing changes them. */
type Shared = { payload: JsonObject; overrides: JsonObject | null; bytes: number };

/** `all` are the rows of the claim, also those that are not run: some have what they share with the others. */
export function toClaimedSteps(rows: ClaimedStepRow[], all: ClaimedStepRow[], claimId: string): ClaimedStep[] {
  const settings = new Map<EnvironmentId, Settings>();
  for (const row of all) if (row.has_suppressions !== null) settings.set(row.environment_id, row);
  const shared = new Map<TriggerId, Shared>();
  for (const { trigger_id: id, payload, overrides, shared_bytes: bytes } of rows) {
    if (payload) shared.set(id, { payload, overrides, bytes });
  }
  const claimedAt = performance.now();
  return rows.map((row) => {
    const of = { claimId, claimedAt, count: all.length, settings: settings.get(row.environment_id)! };
    return toClaimedStep(row, shared.get(row.trigger_id)!, of);
  });
}

function toClaimedStep(
  row: ClaimedStepRow,
  { payload, overrides, bytes }: Shared,
  { claimId, claimedAt, count, settings }: { claimId: string; claimedAt: number; count: number; settings: Settings },
): ClaimedStep {
  const { progress } = row;
  return {
    id: row.id,
    claimId,
    environmentId: row.environment_id,
    notificationId: row.notification_id,
    transactionId: row.transaction_id,
    stepKey: row.step_key,
    type: row.type,
    state: row.is_delayed ? 'delayed' : 'queued',
    digest: progress?.digest ?? null,
    error: progress?.error ?? null,
    integrationId: progress?.integrationId ?? null,
    scheduleExtensionsCount: progress?.scheduleExtensionsCount ?? null,
    hasReleased: progress?.hasReleased ?? false,
    through: progress?.through,
    notedLimits: progress?.noted ?? {},
    attempt: row.attempt + 1,
    fence: row.fence,
    lane: row.lane,
    crashCount: row.crash_count + 1,
    inDoubt: row.in_doubt,
    now: new Date(row.now_ms),
    waitedMs: row.waited_ms,
    ageMs: row.age_ms,
    claimedAt,
    ttl: row.ttl,
    notification: {
      triggerId: row.trigger_id,
      workflowId: row.workflow_id,
      workflowVersion: row.workflow_version,
      payload,
      overrides,
      actor: row.actor,
      tenant: row.tenant,
      severity: row.severity,
      critical: row.critical,
      contextKeys: row.context_keys,
      tags: row.tags ?? [],
      trace: row.traceparent === null ? null : { traceparent: row.traceparent, tracestate: row.tracestate },
    },
    subscriber: toSubscriber(row),
    preferences: row.preferences ?? [],
    endpoints: row.endpoints ?? [],
    outputs: row.outputs,
    workflowUpdatedAt: row.workflow_updated_ms,
    settingsStamp: settings.settings_stamp,
    contentStamp: settings.content_stamp,
    hasSuppressions: settings.has_suppressions === true,
    recorded: settings.recorded,
    isSensitive: row.is_sensitive,
    bytes: row.own_bytes + bytes,
    leavesMore: row.found_rows > count,
  };
}

function toSubscriber(row: ClaimedStepRow): ClaimedSubscriber | null {
  if (row.subscriber_row_id === null) return null;
  return {
    id: row.subscriber_row_id,
    subscriberId: row.subscriber_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    avatar: row.avatar,
    locale: row.locale,
    timezone: row.timezone,
    data: row.data,
    isOnline: row.is_online,
    lastOnlineAt: row.last_online_at,
  };
}
