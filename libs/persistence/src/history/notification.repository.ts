import {
  CHANNELS,
  type EnvironmentId,
  LIMITS,
  type NotificationId,
  type Severity,
  stepIdOf,
  type StepStatus,
  type StepType,
  timeOfId,
  type WorkflowStep,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { type LeftOut, withoutLargeValues } from '../sql/page-bytes';
import type {
  ExecutionDetail,
  Message,
  Notification,
  Step,
  Subscriber,
  Trigger,
  TriggerState,
  Workflow,
  WorkflowVersion,
} from '../entities';
import {
  amongNewest,
  hasContexts,
  isMember,
  largestIdUntil,
  type NumberedPage,
  oneOf,
  type PagedList,
  type PageResult,
  selectPageIds,
  smallestIdSince,
  toPage,
} from '../sql/pages';
import { contains } from '../sql/substrings';
import { searchable } from '../schema/row-level-security';
import { SHOWN_DETAILS, shownSteps, spanOf } from './activity.sql';
import { endReasonOf } from './outcomes.sql';
import { describeNotifications, SENT_COLUMNS, VERSION_STEPS } from './notification.sql';
import { selectTransactions, triggersOf } from '../work/transactions';
import { columnArrays } from '../sql/column-arrays';

/** Ways to name subscribers; a notification of any of them matches. `exact`: a whole subscriberId, email or phone. */
export type SubscriberSet = { emails?: string[]; subscriberIds?: string[]; search?: string; exact?: string };

export type NotificationFilter = {
  subscribers?: SubscriberSet;
  transactionIds?: string[];
  templates?: string[];
  channels?: StepType[];
  severity?: Severity[];
  topicKey?: string;
  contextKeys?: string[];
  /** Names of workflows, or ids. */
  workflowIds?: string[];
  /** Notifications with a step in one of these states. */
  statuses?: StepStatus[];
  /** Part of an execution detail; of a step in one of the states when both are given. */
  detail?: string;
  after?: Date;
  before?: Date;
};

/** What all notifications of a trigger share. */
type SharedFields = Pick<
  Trigger,
  'transactionId' | 'workflowVersion' | 'payload' | 'overrides' | 'controls' | 'tenant' | 'traceparent' | 'tracestate'
>;

/** A notification with its subscriber and workflow; both may have been deleted. */
export type ActivityNotification = Omit<Notification, 'tags' | 'updatedAt'> &
  SharedFields &
  LeftOut & {
    tags: string[];
    updatedAt: Date;
    subscriber: Pick<Subscriber, 'id' | 'subscriberId' | 'firstName' | 'lastName' | 'email' | 'phone'> | null;
    workflow: Pick<Workflow, 'id' | 'workflowId' | 'name' | 'origin' | 'variables'> | null;
  };

export type ActivityStep = Pick<
  Step,
  'id' | 'stepKey' | 'type' | 'providerId' | 'state' | 'digest' | 'scheduleExtensionsCount'
> & { notificationId: NotificationId; updatedAt: Date; reason: string | null };

export type WorkflowSteps = Pick<WorkflowVersion, 'workflowId' | 'version'> & {
  /** `leftOut`: fields of the interface that are too large for the page. */
  steps: (WorkflowStep & { leftOut?: string[] })[];
};

/** The steps of some notifications, the execution details of each, and the steps of the workflow version. */
export type ActivityRecord = { steps: ActivityStep[]; details: ExecutionDetail[]; versions: WorkflowSteps[] };

/** Steps of one type in one state for one reason; those that sent have none. */
export type SummaryLine = { type: StepType; state: StepStatus; reason: string | null; count: number };
type SummaryRow = { notifications: number; recipients: number } & (SummaryLine | { count: null });
const isCounted = <T extends { count: number | null }>(row: T): row is T & SummaryLine => row.count !== null;

export type TransactionSummary = {
  /** The state of the trigger: while it is accepted or running, more notifications may follow. */
  state: TriggerState;
  error: string | null;
  notifications: number;
  recipients: number;
  lines: SummaryLine[];
};

/** Earlier notifications among which the last good one is looked for. */
const COMPARED_RUNS = 500;
/** Of one notification with many push tokens and many steps. */
const MESSAGES_SHOWN = 500;

/** The largest position that the id of a step can have. */
const LAST_POSITION = 254;

export class NotificationRepository extends Repository {
  /** Newest first. */
  async list(
    environmentId: EnvironmentId,
    filter: NotificationFilter,
    page: NumberedPage,
  ): Promise<PageResult<ActivityNotification> & { record: ActivityRecord }> {
    const list = notificationList(environmentId, filter);
    const { rows, hasMore } = toPage(await this.read(selectPageIds(list, page), list.parameters), page);
    return { hasMore, ...(await this.toActivity(environmentId, rows)) };
  }

  async find(
    environmentId: EnvironmentId,
    id: NotificationId,
  ): Promise<{ notification: ActivityNotification; record: ActivityRecord } | undefined> {
    const rows = await this.read(`SELECT $2::uuid AS id`, [environmentId, id]);
    if (rows.length === 0) return undefined;
    return { notification: rows[0]!.notification, record: (await this.toActivity(environmentId, rows)).record };
  }

  private async toActivity(
    environmentId: EnvironmentId,
    rows: RecordedNotification[],
  ): Promise<{ rows: ActivityNotification[]; record: ActivityRecord }> {
    const notifications = rows.map(({ notification }) => notification);
    return {
      rows: notifications,
      record: {
        steps: rows.flatMap(({ steps }) => steps),
        details: rows.flatMap(({ details }) => details),
        versions: await this.versions(environmentId, notifications),
      },
    };
  }

  /** Counted by type, state and reason, in one statement. Undefined when the transaction does not exist. */
  async summary(environmentId: EnvironmentId, transactionId: string): Promise<TransactionSummary | undefined> {
    const [trigger] = await this.database.rows<{ id: string; state: TriggerState; error: string | null }>(
      `SELECT t.id, t.error, CASE WHEN w.id IS NULL THEN coalesce(t.outcome, 'done')
                                  WHEN w.progress -> 'cursor' IS NULL THEN 'accepted' ELSE 'running' END AS state
         FROM (${selectTransactions('ARRAY[$2::text]')}) x
         JOIN trigger t ON t.id = x.trigger_id AND t.environment_id = $1
         LEFT JOIN work w ON w.id = t.id AND w.environment_id = $1 AND w.type = 'trigger'`,
      [environmentId, transactionId],
    );
    if (!trigger) return undefined;
    const rows = await this.database.rows<SummaryRow>(
      `WITH notifications AS MATERIALIZED (
         SELECT id, subscriber_id FROM notification WHERE environment_id = $1 AND trigger_id = $2 AND id >= $3
       ), lines AS (
         SELECT s.type, s.state, ${endReasonOf('s')} AS reason, count(*)::int AS count
           FROM notifications n
          CROSS JOIN LATERAL ${spanOf('n.id')}
          CROSS JOIN LATERAL (${shownSteps()}) s
          GROUP BY 1, 2, 3 ORDER BY count(*) DESC, 1, 2, 3 LIMIT ${LIMITS.summaryLines}
       )
       SELECT totals.*, lines.*
         FROM (SELECT count(*)::int AS notifications, count(DISTINCT subscriber_id)::int AS recipients
           FROM notifications) totals
         LEFT JOIN lines ON true`,
      [environmentId, trigger.id, smallestIdSince(timeOfId(trigger.id))],
    );
    const { notifications, recipients } = rows[0]!;
    return { state: trigger.state, error: trigger.error, notifications, recipients, lines: rows.filter(isCounted) };
  }

  /** Whether the filter names any subscriber at all. */
  async namesSubscribers(environmentId: EnvironmentId, subscribers: SubscriberSet): Promise<boolean> {
    const parameters: unknown[] = [environmentId];
    return this.database.value<boolean>(
      `SELECT EXISTS (${selectSubscribers(subscribers, parameters)}) AS named`,
      parameters,
    );
  }

  /** The steps of the workflow versions that the notifications run. A version never changes after it was written. */
  private versions(environmentId: EnvironmentId, notifications: ActivityNotification[]): Promise<WorkflowSteps[]> {
    if (notifications.length === 0) return Promise.resolve([]);
    return this.database.rows<WorkflowSteps>(VERSION_STEPS, [
      environmentId,
      ...columnArrays(notifications, 'workflowId', 'workflowVersion'),
      Math.floor(LIMITS.pageBytes / notifications.length),
    ]);
  }

  /** Oldest first. Ids have the time of the step, so only the week of the notification is read. */
  messages(
    environmentId: EnvironmentId,
    { id, subscriberId, createdAt }: ActivityNotification,
  ): Promise<(Message & LeftOut)[]> {
    const made = timeOfId(id);
    return this.database.rows<Message & LeftOut>(
      withoutLargeValues(
        `SELECT * FROM message
        WHERE environment_id = $1 AND subscriber_id = $2 AND channel = ANY ($3) AND step_id > $4 AND step_id <= $5
          AND created_at >= $6 AND id >= $7 AND id <= $8
        ORDER BY created_at, id LIMIT ${MESSAGES_SHOWN}`,
        SENT_COLUMNS,
      ),
      [
        environmentId,
        subscriberId,
        CHANNELS,
        id,
        stepIdOf(id, LAST_POSITION),
        createdAt,
        smallestIdSince(made),
        largestIdUntil(made),
      ],
    );
  }

  /** The last notification of the workflow before this one in which all steps went well, among the newest ones. */
  async lastGood(environmentId: EnvironmentId, of: ActivityNotification): Promise<NotificationId | undefined> {
    const [row] = await this.database.rows<{ id: NotificationId }>(
      `SELECT n.id FROM (
         SELECT id FROM notification WHERE environment_id = $1 AND workflow_id = $2 AND id < $3
          ORDER BY id DESC LIMIT ${COMPARED_RUNS}) n
        CROSS JOIN LATERAL ${spanOf('n.id')}
        CROSS JOIN LATERAL (
          SELECT bool_or(s.state = 'completed' AND s.type = ANY ($4)) AND bool_and(
                   s.state IN ('completed', 'skipped', 'merged')) AS is_good FROM (${shownSteps()}) s OFFSET 0) run
        WHERE run.is_good ORDER BY n.id DESC LIMIT 1`,
      [environmentId, of.workflowId, of.id, CHANNELS],
    );
    return row?.id;
  }

  /**
   * Notifications with their steps and details, in one statement and so in one snapshot: a step that has ended is never
   * shown without its reason, nor a merged step without the notification that it was merged into. `$1` is the
   * environment in every query of ids.
   */
  private async read(ids: string, parameters: unknown[]): Promise<RecordedNotification[]> {
    const rows = await this.database.rows<StoredNotification>(describeNotifications(ids), parameters);
    return rows.map(({ steps, details, ...notification }) => ({
      notification,
      steps: (steps ?? []).map((step) => ({ ...step, updatedAt: new Date(step.updatedAt) })),
      details: (details ?? []).map((detail) => ({ ...detail, createdAt: new Date(detail.createdAt) })),
    }));
  }
}

type RecordedNotification = { notification: ActivityNotification; steps: ActivityStep[]; details: ExecutionDetail[] };

/** As Postgres returns it: times inside JSON are texts. */
type StoredNotification = ActivityNotification & {
  steps: (Omit<ActivityStep, 'updatedAt'> & { updatedAt: string })[] | null;
  details: (Omit<ExecutionDetail, 'createdAt'> & { createdAt: string })[] | null;
};

/** The notifications that match a filter. The first parameter is the environment; `environment` is SQL of it. */
export function notificationList(
  environmentId: EnvironmentId,
  filter: NotificationFilter,
  environment = '$1',
): PagedList {
  const parameters: unknown[] = [environmentId];
  const where: string[] = [];
  const sought: string[] = [];
  const sets = [];
  if (filter.transactionIds) {
    const place = `$${parameters.push(filter.transactionIds)}::text[]`;
    sets.push({ column: 'trigger_id', members: triggersOf(place, environment) });
  }
  if (filter.subscribers) {
    const subscribers = selectSubscribers(filter.subscribers, parameters, environment);
    sets.push({ column: 'subscriber_id', members: `ARRAY(${subscribers})` });
  }
  if (filter.severity) {
    const severity = oneOf('severity', 'text', filter.severity, parameters);
    // The index leaves out `none`, which most notifications have; those are found by the list itself.
    if (filter.severity.includes('none')) where.push(isMember(severity));
    else {
      where.push(`t.severity <> 'none'`);
      sets.push(severity);
    }
  }
  if (filter.templates) sets.push(oneOf('workflow_id', 'uuid', filter.templates, parameters));
  if (filter.channels) {
    const types = `$${parameters.push(filter.channels)}::text[]`;
    sets.push({ column: 'workflow_id', members: `ARRAY(${selectWorkflows(types, environment)})` });
    where.push(`t.channels && ${types}`);
  }
  if (filter.topicKey !== undefined) {
    // Stated twice on purpose: it squares the planner's guess. Once, a topic that it has no numbers for is taken for a
    // common one, and the whole list is walked to find a few rows that the index has at hand.
    const topics = `ARRAY[$${parameters.push(filter.topicKey)}::text]`;
    sought.push(`t.topic_keys @> ${topics}`, `t.topic_keys && ${topics}`);
  }
  if (filter.contextKeys) sought.push(hasContexts(filter.contextKeys, parameters));
  if (filter.after) {
    where.push(`t.created_at >= $${parameters.push(filter.after)}`);
    where.push(`t.id >= $${parameters.push(smallestIdSince(filter.after.getTime()))}`);
  }
  if (filter.before) {
    where.push(`t.created_at <= $${parameters.push(filter.before)}`);
    where.push(`t.id <= $${parameters.push(largestIdUntil(filter.before.getTime()))}`);
  }
  if (filter.workflowIds) {
    sets.push({ column: 'workflow_id', members: namedWorkflows(filter.workflowIds, parameters, environment) });
  }
  const list: PagedList = { table: 'notification', environment, order: 'id', where, parameters, sets, sought };
  const outcome = outcomeCondition(filter, parameters);
  if (!outcome) return list;
  if (filter.transactionIds || filter.subscribers) return { ...list, where: [...where, outcome] };
  return { ...list, sets: [...sets, amongNewest(list, outcome)] };
}

/** The workflows with these names or ids, deleted ones too. */
export function namedWorkflows(names: string[], parameters: unknown[], environment = '$1'): string {
  const place = `$${parameters.push(names)}::text[]`;
  return `ARRAY(SELECT id FROM workflow WHERE environment_id = ${environment}
    AND (workflow_id = ANY (${place}) OR id::text = ANY (${place})))`;
}

/** Notifications `t` with a step or an execution detail that matches the filter. */
function outcomeCondition({ statuses, detail }: NotificationFilter, parameters: unknown[]): string | undefined {
  const line = detail === undefined ? [] : [contains('d.detail', detail, parameters, 'ILIKE')];
  if (!statuses && line.length === 0) return undefined;
  const details = (of: string[]): string =>
    `EXISTS (SELECT 1 FROM (${SHOWN_DETAILS}) d WHERE ${[...of, ...line].join(' AND ')})`;
  if (!statuses) return `EXISTS (SELECT 1 FROM ${spanOf('t.id')} WHERE ${details([])})`;
  const states = `$${parameters.push(statuses)}::text[]`;
  const recorded = line.length === 0 ? '' : ` AND ${details(['d.step_id = s.id'])}`;
  return `EXISTS (SELECT 1 FROM ${spanOf('t.id')} CROSS JOIN LATERAL (${shownSteps()}) s
                   WHERE s.state = ANY (${states})${recorded})`;
}

/** The workflows that ever had a step of one of these types: only their notifications can have one. */
function selectWorkflows(types: string, environment: string): string {
  return `SELECT id FROM workflow WHERE environment_id = ${environment} AND EXISTS (
            SELECT 1 FROM workflow_version v
             WHERE v.workflow_id = workflow.id AND jsonb_path_query_array(v.steps, '$[*].type') ?| ${types})`;
}

/** Each way to name subscribers has its own index; a part of a text is looked for in the newest ones. */
function selectSubscribers(
  { emails, subscriberIds, search, exact }: SubscriberSet,
  parameters: unknown[],
  environment = '$1',
): string {
  const subscribers = (condition: string): string =>
    `(SELECT id FROM ${searchable('subscriber')} WHERE environment_id = ${environment} AND ${condition}
       ORDER BY id DESC LIMIT ${LIMITS.searchedSubscribers})`;
  const named = [...(subscriberIds ?? []), ...(search === undefined ? [] : [search])];
  const sets = [];
  if (named.length > 0) sets.push(subscribers(`subscriber_id = ANY ($${parameters.push(named)}::text[])`));
  if (emails) sets.push(subscribers(`email = ANY ($${parameters.push(emails)}::text[])`));
  if (search !== undefined) sets.push(subscribers(contains('email', search, parameters, 'ILIKE')));
  if (exact !== undefined) {
    const place = `$${parameters.push(exact)}::text`;
    for (const column of ['subscriber_id', 'email', 'phone']) sets.push(subscribers(`${column} = ${place}`));
  }
  return sets.join(' UNION ');
}
