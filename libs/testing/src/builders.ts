import { randomBytes } from 'node:crypto';
import {
  DEMO_PROVIDERS,
  type EnvironmentId,
  type Id,
  idAtTime,
  newId,
  timeOfId,
  type WorkflowStep,
} from '@clarion/contracts/core';
import type { Database, ExecutionDetail, Message, Notification, Step, Workflow } from '@clarion/persistence';

/**
 * Inserts rows directly, for specs and benchmarks of code that reads them. Give the fields that the spec is about; the
 * rest gets defaults. A row is created at its `createdAt`, and its id encodes the same time, so rows of other weeks go
 * into their partition (create it first with `ensurePartitions`).
 */
/** A row whose ids may be plain strings: specs read many of them from responses. */
type WithPlainIds<Row> = { [Name in keyof Row]: Row[Name] extends Id<string> ? string : Row[Name] };
type Given<Row, Required extends keyof Row> = Partial<WithPlainIds<Row>> & Pick<WithPlainIds<Row>, Required>;

/** An environment in its own organization, without integrations or keys. */
export async function insertEnvironment(database: Database): Promise<EnvironmentId> {
  const environmentId = newId<EnvironmentId>();
  await database.query(
    `WITH owner AS (INSERT INTO organization (id, name) VALUES ($1, 'Organization') RETURNING id)
     INSERT INTO environment (id, organization_id, name, identifier)
     SELECT $2, id, 'Environment', $3 FROM owner`,
    [newId(), environmentId, `environment-${environmentId}`],
  );
  return environmentId;
}

export type WorkflowRow = Workflow & { version: number; steps: WorkflowStep[] };

/** A workflow with one version; without `steps` it has one email step. */
export async function insertWorkflow(
  database: Database,
  { steps, ...given }: Given<Workflow, 'environmentId'> & { steps?: Partial<WorkflowStep>[] },
): Promise<WorkflowRow> {
  const stamps = stampsOf(given);
  const version = given.currentVersion ?? 1;
  const [workflow] = await insertRows<Workflow>(database, 'workflow', [
    {
      ...stamps,
      workflowId: `workflow-${stamps.id}`,
      name: 'Workflow',
      tags: [],
      active: true,
      status: 'ACTIVE',
      origin: 'platform-cloud',
      severity: 'none',
      validatePayload: false,
      escapeHtml: true,
      preferences: {},
      currentVersion: version,
      ...given,
    },
  ]);
  const authored = (steps ?? [{}]).map(authoredStep);
  await insertRows(database, 'workflow_version', [
    {
      id: newId(),
      environmentId: given.environmentId,
      workflowId: workflow!.id,
      version,
      steps: authored,
      createdAt: stamps.createdAt,
    },
  ]);
  return { ...workflow!, version, steps: authored };
}

function authoredStep(given: Partial<WorkflowStep>, index: number): WorkflowStep {
  const type = given.type ?? 'email';
  return {
    id: newId(),
    stepId: `${type}-${index}`,
    name: `${type} ${index}`,
    type,
    active: true,
    shouldStopOnFail: false,
    filters: [],
    variants: [],
    controlValues: {},
    ...given,
  };
}

export function insertNotifications(
  database: Database,
  rows: Given<Notification, 'environmentId' | 'subscriberId' | 'workflowId'>[],
): Promise<Notification[]> {
  return insertRows<Notification>(
    database,
    'notification',
    rows.map((given) => ({
      ...stampsOf(given),
      triggerId: newId(),
      transactionId: `txn_${newId()}`,
      workflowVersion: 1,
      channels: ['email'],
      payload: {},
      tags: [],
      severity: 'none',
      critical: false,
      ...given,
    })),
  );
}

/** Deletes the demo integrations of a new environment. Most specs need channels with only their own integrations. */
export async function deleteDemoIntegrations(database: Database, environmentId: EnvironmentId): Promise<void> {
  await database.query(`DELETE FROM integration WHERE environment_id = $1 AND provider_id = ANY ($2)`, [
    environmentId,
    DEMO_PROVIDERS,
  ]);
}

type Parent = Pick<Notification, 'environmentId' | 'transactionId' | 'subscriberId' | 'createdAt'> & { id: string };

/** Steps of one notification, with its creation time, in the given order. */
export function insertSteps(database: Database, notification: Parent, rows: Partial<Step>[]): Promise<Step[]> {
  return insertRows<Step>(
    database,
    'step',
    rows.map((given, position) => ({
      ...stampsOf({ createdAt: notification.createdAt, ...given }),
      environmentId: notification.environmentId,
      notificationId: notification.id,
      transactionId: notification.transactionId,
      subscriberId: notification.subscriberId,
      position,
      stepKey: `${given.type ?? 'email'}-${position}`,
      type: 'email',
      providerId: 'platform',
      state: 'completed',
      attempt: 0,
      fence: 0,
      crashCount: 0,
      ...given,
    })),
  );
}

export function insertMessages(
  database: Database,
  rows: Given<Message, 'environmentId' | 'subscriberId'>[],
): Promise<Message[]> {
  return insertRows<Message>(
    database,
    'message',
    rows.map((given) => ({
      ...stampsOf(given),
      notificationId: newId(),
      stepId: newId(),
      transactionId: `txn_${newId()}`,
      channel: 'in_app',
      content: '',
      cta: {},
      status: 'sent',
      severity: 'none',
      critical: false,
      read: false,
      seen: false,
      archived: false,
      recipients: (given.email ?? given.phone) ? [(given.email ?? given.phone)!] : null,
      ...given,
    })),
  );
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

/** An id with this creation time. */
export const newIdAt = (time: Date): string => idAtTime(time.getTime()).slice(0, 14) + newId().slice(14);

function stampsOf(given: { id?: string; createdAt?: Date; updatedAt?: Date }) {
  const id = given.id ?? (given.createdAt ? newIdAt(given.createdAt) : newId());
  const createdAt = given.createdAt ?? new Date(timeOfId(id));
  return { id, createdAt, updatedAt: createdAt };
}

/** Inserts all rows in one statement. */
function insertRows<Row>(database: Database, table: string, rows: object[]): Promise<Row[]> {
  const records = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [snakeCase(name), value as unknown]),
    ),
  );
  const columns = [...new Set(records.flatMap(Object.keys))].map((column) => `"${column}"`).join(', ');
  return database.rows<Row>(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1) RETURNING *`,
    [JSON.stringify(records)],
  );
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type History = {
  environmentId: EnvironmentId;
  /** The number of notifications; each has one step, one message and four details. */
  notifications: number;
  /** The number of subscribers that share them. */
  subscribers: number;
  from: Date;
  to: Date;
};

const CHUNK = 10_000;
const HISTORY_CHANNELS = ['in_app', 'email', 'sms'] as const;

/**
 * Generates a long history inside Postgres, evenly spread over a time span; a message is created up to a day after its
 * step. A million notifications with all their rows take minutes. Subscriber `n` has the id `<prefix>-<n>`, and so does
 * the transaction of notification `n`.
 */
export async function insertHistory(
  database: Database,
  { environmentId, notifications, subscribers, from, to }: History,
): Promise<{ prefix: string; workflow: WorkflowRow }> {
  const salt = randomBytes(2).toString('hex').slice(1);
  const prefix = `history-${salt}`;
  const workflow = await insertWorkflow(database, { environmentId, steps: HISTORY_CHANNELS.map((type) => ({ type })) });
  const id = (milliseconds: string, number: string): string =>
    `(lpad(to_hex(${milliseconds}), 12, '0') || '7${salt}8' || lpad(to_hex(${number}), 15, '0'))::uuid`;

  await inChunks(subscribers, (first, last) =>
    database.query(
      `INSERT INTO subscriber (id, environment_id, subscriber_id, first_name, last_name, email, created_at, updated_at)
       SELECT ${id('$2::bigint', 'n')}, $1, '${prefix}-' || n, 'First' || n, 'Last' || n,
              '${prefix}-' || n || '@example.com', now(), now()
         FROM generate_series($3::bigint, $4::bigint) n`,
      [environmentId, from.getTime(), first, last],
    ),
  );

  const base = `
    SELECT n, $1::uuid AS environment_id, made.ms, to_timestamp(made.ms / 1000.0) AS at,
           ${id('made.ms', 'n')} AS id, '${prefix}-' || n AS transaction_id,
           ${id('$2::bigint', 'n % $4::bigint')} AS subscriber_id,
           ('{${HISTORY_CHANNELS.join()}}'::text[])[1 + n % ${HISTORY_CHANNELS.length}] AS channel,
           n % ${HISTORY_CHANNELS.length} AS step
      FROM generate_series($6::bigint, $7::bigint) n
     CROSS JOIN LATERAL (SELECT $2::bigint + ($3::bigint - $2::bigint) * n / $5::bigint AS ms) made`;
  await inChunks(notifications, async (first, last) => {
    const parameters = [environmentId, from.getTime(), to.getTime(), subscribers, notifications, first, last];
    await database.query(
      `INSERT INTO notification (id, environment_id, trigger_id, transaction_id, workflow_id, workflow_version,
                                 subscriber_id, channels, payload, created_at, updated_at)
       SELECT id, environment_id, id, transaction_id, '${workflow.id}', 1,
              subscriber_id, ARRAY[channel], jsonb_build_object('n', n), at, at
         FROM (${base}) base`,
      parameters,
    );
    await database.query(
      `INSERT INTO step (id, environment_id, notification_id, transaction_id, subscriber_id, position, step_key, type,
                         state, created_at, updated_at)
       SELECT id, environment_id, id, transaction_id, subscriber_id, step, channel || '-' || step, channel,
              'completed', at, at
         FROM (${base}) base`,
      parameters,
    );
    await database.query(
      `INSERT INTO message (id, environment_id, notification_id, step_id, subscriber_id, workflow_id, workflow_identifier,
                            transaction_id, channel, provider_id, content, payload, created_at, updated_at)
       SELECT id, environment_id, id, id, subscriber_id, '${workflow.id}', '${workflow.workflowId}',
              transaction_id, channel, 'platform', to_jsonb('Message ' || n), jsonb_build_object('n', n),
              at + delay, at + delay
         FROM (${base}) base
        CROSS JOIN LATERAL (SELECT make_interval(secs => n * 7919 % 86400) AS delay) waited`,
      parameters,
    );
    await database.query(
      `INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, created_at)
       SELECT ${id('ms', 'n * 4 + number - 1')}, environment_id, id, id,
              CASE WHEN number = 4 THEN 'Success' ELSE 'Pending' END, detail, at
         FROM (${base}) base
        CROSS JOIN unnest(ARRAY['Step queued', 'Provider was selected', 'Message created', 'Message sent'])
              WITH ORDINALITY AS line (detail, number)`,
      parameters,
    );
  });
  return { prefix, workflow };
}

/** Statements have a timeout; a chunk stays far below it. */
async function inChunks(count: number, work: (first: number, last: number) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < count; first += CHUNK) await work(first, Math.min(first + CHUNK, count) - 1);
}
