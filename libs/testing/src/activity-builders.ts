import {
  type EnvironmentId,
  isId,
  type JsonObject,
  newId,
  type NotificationId,
  stepIdOf,
  type StepId,
  type SubscriberRowId,
  toNotificationId,
  type TriggerId,
} from '@clarion/contracts/core';
import type {
  Database,
  ExecutionDetail,
  FullMessage,
  LaterStep,
  Message,
  Notification,
  Step,
  Trigger,
  Work,
} from '@clarion/persistence';
import { type Given, insertRows, newIdAt, omit, stampsOf, type WithPlainIds } from './insert-rows';

/** The fields of a trigger that its notifications and messages show. */
const OPTIONAL_FIELDS = ['overrides', 'controls', 'tenant', 'traceparent', 'tracestate'] as const;
const SHARED_FIELDS = ['transactionId', 'workflowVersion', 'payload', ...OPTIONAL_FIELDS] as const;
type Shared = Pick<Trigger, 'transactionId' | 'workflowVersion' | 'payload'> &
  Partial<Pick<Trigger, (typeof OPTIONAL_FIELDS)[number]>>;

type TriggerSource = Partial<Shared> & {
  environmentId: string;
  triggerId?: string;
  workflowId?: string | null;
  createdAt: Date;
};

/**
 * The trigger of each row. Rows of one transactionId share one trigger, which may exist; a row without a transactionId
 * has its own.
 */
async function insertTriggers(database: Database, rows: TriggerSource[]): Promise<(Shared & { id: TriggerId })[]> {
  const keyOf = (environmentId: string, transactionId: string): string => `${environmentId} ${transactionId}`;
  const named = rows.filter(({ transactionId }) => transactionId !== undefined);
  const known = await database.rows<{ environmentId: string; transactionId: string; triggerId: string }>(
    `SELECT environment_id, transaction_id, trigger_id FROM transaction
      WHERE (environment_id, transaction_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
    [named.map(({ environmentId }) => environmentId), named.map(({ transactionId }) => transactionId)],
  );
  const ids = new Map(known.map((row) => [keyOf(row.environmentId, row.transactionId), row.triggerId]));
  const triggers = rows.map((row) => {
    const own = row.triggerId ?? idOfTransaction(row.transactionId) ?? newIdAt(row.createdAt);
    const transactionId = row.transactionId ?? `txn_${own}`;
    const key = keyOf(row.environmentId, transactionId);
    const id = ids.get(key) ?? own;
    ids.set(key, id);
    const { workflowVersion = 1, payload = {}, overrides, controls, tenant, traceparent, tracestate } = row;
    const shared = { transactionId, workflowVersion, payload, overrides, controls, tenant, traceparent, tracestate };
    return { ...shared, id: id as TriggerId, row };
  });
  await insertRows(
    database,
    'trigger',
    triggers.map(({ row, ...trigger }) => ({
      ...trigger,
      environmentId: row.environmentId,
      workflowId: row.workflowId ?? newId(),
      createdAt: row.createdAt,
      fingerprint: '\\x',
      recipients: [],
    })),
    'ON CONFLICT DO NOTHING',
  );
  await insertRows(
    database,
    'transaction',
    triggers
      .filter(({ id, transactionId }) => transactionId !== `txn_${id}`)
      .map(({ id, transactionId, row }) => ({ environmentId: row.environmentId, transactionId, triggerId: id })),
    'ON CONFLICT DO NOTHING',
  );
  return triggers.map((trigger) => omit(trigger, ['row']));
}

/** The id of the trigger in a transactionId that the gateway made. */
function idOfTransaction(transactionId: string | undefined): string | undefined {
  const id = transactionId?.slice('txn_'.length);
  return transactionId?.startsWith('txn_') && isId(id) ? id : undefined;
}

export type BuiltNotification = Notification & Shared;
type NotificationFields = Given<Notification, 'environmentId' | 'subscriberId' | 'workflowId'>;

/** Notifications, each with its trigger. */
export async function insertNotifications(
  database: Database,
  rows: (NotificationFields & Partial<Shared>)[],
): Promise<BuiltNotification[]> {
  const stamped = rows.map((given) => {
    const { id, createdAt } = stampsOf(given);
    return { ...given, id: toNotificationId(id), createdAt };
  });
  const triggers = await insertTriggers(database, stamped);
  const stored = await insertRows<Notification>(
    database,
    'notification',
    stamped.map((given, index) => ({
      channels: ['email'],
      severity: 'none',
      critical: false,
      ...omit(given, SHARED_FIELDS),
      triggerId: triggers[index]!.id,
    })),
  );
  return stored.map((row, index) => ({ ...triggers[index]!, ...row }));
}

type Parent = { id: string; environmentId: EnvironmentId; subscriberId: string; triggerId: TriggerId; createdAt: Date };

/** The columns of an open step. */
const OPEN_FIELDS = [
  'dueAt',
  'attempt',
  'fence',
  'crashCount',
  'waitingSince',
  'offeredAt',
  'sendingSince',
  'updatedAt',
] as const;
export type GivenStep = Partial<WithPlainIds<Step>> &
  Partial<Pick<Work, (typeof OPEN_FIELDS)[number]>> & { position?: number };
export type BuiltStep = Step & { notificationId: NotificationId; position: number };

const OPEN_STATES: readonly string[] = ['queued', 'running', 'delayed'];

/**
 * Steps of one notification, in the given order. Those that have ended become rows of `step`, with the time of the
 * notification. A step that is queued, running or delayed becomes a row of `work`, with the pending steps after it.
 */
export async function insertSteps(database: Database, notification: Parent, rows: GivenStep[]): Promise<BuiltStep[]> {
  const notificationId = notification.id as NotificationId;
  const steps = rows.map((given, index) => {
    const { position = index, ...fields } = given;
    const type = given.type ?? 'email';
    return {
      stepKey: `${type}-${index}`,
      providerId: 'platform' as const,
      state: 'completed' as const,
      ...fields,
      type,
      position,
      id: stepIdOf(notificationId, position),
      environmentId: notification.environmentId,
      notificationId,
      endedAt: given.endedAt ?? given.updatedAt ?? notification.createdAt,
    };
  });
  await insertRows(database, 'step', steps.filter(isEnded).map(toEnded));
  const open = steps.filter(({ state }) => OPEN_STATES.includes(state));
  const pending = steps.filter(({ state }) => state === 'pending');
  if (pending.length > 0 && open.length === 0) throw new Error('A pending step waits for an open step before it');
  await insertRows(
    database,
    'work',
    open.map((step, index) => toWork(step, notification, index === open.length - 1 ? pending : [])),
  );
  for (const { id, fence = 1 } of open.filter(({ state }) => state === 'running')) {
    await database.query(
      `INSERT INTO claim (id, lease_until, first_id, last_id, work_ids, fences)
       VALUES ($1, now() + interval '1 hour', $2, $2, ARRAY[$2::uuid], ARRAY[$3::int])`,
      [newId(), id, fence],
    );
  }
  return steps as unknown as BuiltStep[];
}

type PlannedStep = GivenStep & {
  id: StepId;
  environmentId: EnvironmentId;
  notificationId: NotificationId;
  position: number;
  state: string;
  type: Step['type'];
  stepKey: string;
};

/** The columns that only an ended step has, or that an open one has in `progress`. */
const ENDED_FIELDS = [
  'endedAt',
  'details',
  'output',
  'digestMasterId',
  'digest',
  'error',
  'integrationId',
  'providerId',
  'scheduleExtensionsCount',
] as const;

const isEnded = ({ state }: { state: string }): boolean => !OPEN_STATES.includes(state) && state !== 'pending';

const toEnded = (step: PlannedStep): object => omit(step, ['notificationId', 'position', ...OPEN_FIELDS]);

function toWork(step: PlannedStep, notification: Parent, pending: PlannedStep[]): object {
  const { digest, error, integrationId, providerId, scheduleExtensionsCount } = step;
  const laterSteps = pending.map((later): LaterStep => [later.position, later.stepKey, later.type]);
  return {
    attempt: 0,
    fence: 1,
    crashCount: 0,
    dueAt: notification.createdAt,
    updatedAt: notification.createdAt,
    wasOfferedAgain: false,
    ...omit(step, [...ENDED_FIELDS, 'position', 'state']),
    triggerId: notification.triggerId,
    subscriberId: notification.subscriberId as SubscriberRowId,
    isDelayed: step.state === 'delayed',
    laterSteps: laterSteps.length > 0 ? laterSteps : undefined,
    progress: Object.fromEntries(
      Object.entries({ digest, error, integrationId, providerId, scheduleExtensionsCount }).filter(
        ([, value]) => value !== undefined && value !== null,
      ),
    ),
  };
}

export type GivenMessage = Partial<WithPlainIds<Message>> & {
  notificationId?: string;
  transactionId?: string;
  payload?: JsonObject;
};
type MessageFields = GivenMessage & { environmentId: string; subscriberId: string };

/** Messages, each with its trigger; those of one transactionId share one. */
export async function insertMessages(database: Database, rows: MessageFields[]): Promise<FullMessage[]> {
  const stamped = rows.map((given) => ({ ...stampsOf(given), ...given }));
  const triggers = await insertTriggers(database, stamped as (MessageFields & { createdAt: Date })[]);
  const stored = await insertRows<Message>(
    database,
    'message',
    stamped.map((given, index) => ({
      channel: 'in_app',
      content: '',
      status: 'sent',
      severity: 'none',
      critical: false,
      read: false,
      seen: false,
      archived: false,
      recipients: (given.email ?? given.phone) ? [(given.email ?? given.phone)!] : null,
      stepId: stepIdOf(toNotificationId(given.notificationId ?? newId()), 0),
      ...omit(given, ['notificationId', 'transactionId', 'payload']),
      triggerId: triggers[index]!.id,
    })),
  );
  return stored.map((row, index) => ({
    ...row,
    notificationId: toNotificationId(row.stepId),
    workflowIdentifier: null,
    transactionId: triggers[index]!.transactionId,
    payload: triggers[index]!.payload,
    cta: row.cta ?? {},
    leftOut: null,
  }));
}

export function insertExecutionDetails(
  database: Database,
  rows: Given<ExecutionDetail, 'environmentId' | 'notificationId' | 'stepId'>[],
): Promise<ExecutionDetail[]> {
  return insertRows<ExecutionDetail>(
    database,
    'execution_detail',
    rows.map((given) => {
      const { id, createdAt } = stampsOf(given);
      return {
        id,
        createdAt,
        status: 'Success',
        detail: 'Message sent',
        source: 'Internal',
        isRetry: false,
        isTest: false,
        ...given,
      };
    }),
  );
}
