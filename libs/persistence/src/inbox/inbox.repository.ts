import {
  type ActionStatus,
  type ButtonType,
  type EnvironmentId,
  executionDetail,
  type JsonObject,
  type MessageMark,
  type Severity,
  type SubscriberRowId,
  timeOfId,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Message } from '../entities';
import { hasContexts, type PageResult, toPage } from '../sql/pages';
import { COMPARED_COLUMNS, logMessageChanges, logMessages } from '../history/event-log.sql';
import { describeMessages, type FullMessage } from '../history/message.sql';

export type InboxOwner = { environmentId: EnvironmentId; subscriberId: SubscriberRowId };

export type InboxFilter = {
  ids?: string[];
  read?: boolean;
  seen?: boolean;
  archived?: boolean;
  snoozed?: boolean;
  /** One tag of each group. */
  tags?: string[][];
  /** Of each group, the data of the message must contain one object. */
  data?: JsonObject[][];
  severity?: Severity[];
  /** Bounds of the arrival time, in milliseconds. */
  createdFrom?: number;
  createdTo?: number;
  contextKeys?: string[];
};

/** `after` is the id of the last message of the page before. */
export type InboxPage = { after?: string; offset: number; limit: number };

/** With the current name of the workflow; its severity may differ, because a trigger can override it. */
export type InboxMessage = FullMessage & { workflowName: string | null; workflowSeverity: Severity | null };

export type ButtonResult = { type: ButtonType; payload?: JsonObject };

export type UnsnoozedMessage = Pick<Message, 'id' | 'environmentId' | 'subscriberId' | 'stepId'> &
  Pick<FullMessage, 'notificationId'>;

const SEEN = `seen = true, first_seen_at = coalesce(t.first_seen_at, now()), last_seen_at = now()`;
const UNSEEN = `seen = false, last_seen_at = NULL`;
const READ = `read = true, last_read_at = coalesce(t.last_read_at, now())`;
const UNREAD = `read = false, last_read_at = NULL`;
const ARCHIVED = `archived = true, archived_at = coalesce(t.archived_at, now())`;
const UNARCHIVED = `archived = false, archived_at = NULL`;
const UNSNOOZED = `snoozed_until = NULL`;
const CLICKED = `clicked_at = coalesce(t.clicked_at, now())`;

/** What each mark changes, and which messages it applies to. Archiving ends a snooze. */
const MARKS: Record<MessageMark, { changes: string[]; open: string; reads?: true }> = {
  seen: { changes: [SEEN], open: 'NOT t.seen' },
  unseen: { changes: [UNSEEN, UNREAD, UNARCHIVED], open: 't.seen' },
  read: { changes: [SEEN, READ], open: 'NOT t.read', reads: true },
  unread: { changes: [SEEN, UNREAD, UNARCHIVED], open: 't.read' },
  archived: { changes: [SEEN, READ, ARCHIVED, UNSNOOZED], open: 'NOT t.archived', reads: true },
  unarchived: { changes: [SEEN, READ, UNARCHIVED], open: 't.archived', reads: true },
};

/** Snoozed messages are hidden until they return: changes to all visible messages leave them out. */
const IN_SIGHT = `t.snoozed_until IS NULL`;

const BATCH = 5_000;

const DELETE = `DELETE FROM message t`;

/** Every statement is about one subscriber, except the one that ends snoozes. */
export class InboxRepository extends Repository {
  /** Ordered by arrival time, which a snooze moves: so by created_at and not by id. */
  async list(owner: InboxOwner, filter: InboxFilter, page: InboxPage): Promise<PageResult<InboxMessage>> {
    const parameters = parametersOf(owner);
    const where = matches(filter, parameters);
    const position = page.after ? ` AND ${comesAfter(page.after, parameters)}` : '';
    const rows = await this.database.rows<InboxMessage>(
      describe(`(
        SELECT t.id FROM message t WHERE ${where}${position}
         ORDER BY t.created_at DESC, t.id DESC LIMIT ${page.limit + 1} OFFSET ${page.offset}) page
        JOIN message m ON m.id = page.id AND m.environment_id = $1`),
      parameters,
    );
    return toPage(rows, page);
  }

  async find(owner: InboxOwner, filter: InboxFilter): Promise<InboxMessage | undefined> {
    const { rows } = await this.list(owner, filter, { offset: 0, limit: 1 });
    return rows[0];
  }

  /** The number of messages that match each filter, up to the cap. */
  async count(owner: InboxOwner, filters: InboxFilter[], cap: number): Promise<number[]> {
    const parameters = parametersOf(owner);
    const counts = filters.map(
      (filter) =>
        `(SELECT count(*)::int FROM (SELECT 1 FROM message t WHERE ${matches(filter, parameters)}
            LIMIT ${cap}) counted)`,
    );
    return this.database.value<number[]>(`SELECT ARRAY[${counts.join(', ')}]::int[] AS counts`, parameters);
  }

  /** Marks all that match and returns them with their new values. */
  mark(owner: InboxOwner, filter: InboxFilter, mark: MessageMark): Promise<InboxMessage[]> {
    const parameters = parametersOf(owner);
    const { changes, reads } = MARKS[mark];
    const detail = reads && readConfirmation(parameters);
    return this.update(changes, matches(filter, parameters), parameters, detail);
  }

  /** Marks all that match, in batches, and returns the ids of those that changed. */
  markAll(owner: InboxOwner, filter: InboxFilter, mark: MessageMark): Promise<string[]> {
    const { changes, open, reads } = MARKS[mark];
    const statement = `UPDATE message t SET ${changes.join(', ')}, updated_at = now()`;
    return this.inBatches(statement, owner, filter, [open, IN_SIGHT], reads && readConfirmation);
  }

  deleteAll(owner: InboxOwner, filter: InboxFilter): Promise<string[]> {
    return this.inBatches(DELETE, owner, filter);
  }

  async snooze(owner: InboxOwner, filter: InboxFilter, until: Date): Promise<InboxMessage | undefined> {
    const parameters = parametersOf(owner);
    const changes = [`snoozed_until = $${parameters.push(until)}`, SEEN, UNARCHIVED];
    const raw = `$${parameters.push(JSON.stringify({ snoozedUntil: until.toISOString() }))}`;
    const detail = record('messageSnoozed', parameters, raw);
    const [row] = await this.update(changes, matches(filter, parameters), parameters, detail);
    return row;
  }

  /** Ends the snooze of one message. Undefined when it is not snoozed. */
  async unsnooze(owner: InboxOwner, filter: InboxFilter): Promise<InboxMessage | undefined> {
    const parameters = parametersOf(owner);
    const where = matches({ ...filter, snoozed: true }, parameters);
    const [row] = await this.update([UNSNOOZED], where, parameters, record('messageUnsnoozed', parameters));
    return row;
  }

  /** The messages return as if they had just arrived. Of several processes, one gets each message. */
  unsnoozeDue(limit: number): Promise<UnsnoozedMessage[]> {
    const parameters: unknown[] = [limit];
    return this.database.rows<UnsnoozedMessage>(
      `WITH due AS MATERIALIZED (
         SELECT id FROM message WHERE snoozed_until <= now() ORDER BY snoozed_until LIMIT $1 FOR UPDATE SKIP LOCKED
       ), changed AS (
         UPDATE message
            SET ${UNSNOOZED}, ${UNREAD}, created_at = now(), updated_at = now(),
                delivered_at = array_append(coalesce(delivered_at, '{}'), now()::timestamptz(3))
          WHERE id = ANY (ARRAY(SELECT id FROM due))
          RETURNING id, environment_id, subscriber_id, step_id, provider_id, trigger_id, workflow_id, channel
       ), logged AS (${logMessages('message.unsnoozed', 'c.environment_id')}
       ), recorded AS (${record('messageUnsnoozed', parameters)})
       SELECT id, environment_id, subscriber_id, notification_of(step_id) AS notification_id, step_id FROM changed`,
      parameters,
    );
  }

  /** Records the result of a button. Undefined when the message has no such button. */
  async act(
    owner: InboxOwner,
    filter: InboxFilter,
    status: ActionStatus,
    result: ButtonResult,
  ): Promise<InboxMessage | undefined> {
    const parameters = parametersOf(owner);
    const outcome = `$${parameters.push(JSON.stringify({ status, result }))}::jsonb`;
    const button = `$${parameters.push(JSON.stringify({ action: { buttons: [{ type: result.type }] } }))}::jsonb`;
    const [row] = await this.update(
      [`cta = jsonb_set(t.cta, '{action}', (t.cta -> 'action') || ${outcome})`, CLICKED],
      `${matches(filter, parameters)} AND t.cta @> ${button}`,
      parameters,
    );
    return row;
  }

  private update(changes: string[], where: string, parameters: unknown[], detail?: string): Promise<InboxMessage[]> {
    return this.database.rows<InboxMessage>(
      `WITH ${changing(`UPDATE message t SET ${changes.join(', ')}, updated_at = now()`, where, detail)}
       SELECT * FROM (${describe('changed m')}) described`,
      parameters,
    );
  }

  /** Rows are locked in the order of their arrival, so that concurrent changes wait for each other. */
  private async inBatches(
    statement: string,
    owner: InboxOwner,
    filter: InboxFilter,
    conditions: string[] = [],
    detailOf?: (parameters: unknown[]) => string,
  ): Promise<string[]> {
    const parameters = parametersOf(owner);
    const detail = detailOf?.(parameters);
    const where = [matches(filter, parameters), ...conditions].join(' AND ');
    for (const ids: string[] = []; ;) {
      const touched = await this.database.query<{ id: string }>(
        `WITH ${changing(statement, `${where} ORDER BY t.created_at, t.id LIMIT ${BATCH}`, detail)} SELECT id
            FROM changed`,
        parameters,
      );
      for (const { id } of touched) ids.push(id);
      if (touched.length < BATCH) return ids;
    }
  }
}

const parametersOf = ({ environmentId, subscriberId }: InboxOwner): unknown[] => [environmentId, subscriberId];

/** Messages with the fields that an inbox shows; `from` gives them the alias `m`. */
const describe = (from: string): string =>
  describeMessages(from, { workflow_name: 'w.name', workflow_severity: 'w.severity' });

function matches(filter: InboxFilter, parameters: unknown[]): string {
  const place = (value: unknown): string => `$${parameters.push(value)}`;
  const where = [`t.environment_id = $1`, `t.subscriber_id = $2`, `t.channel = 'in_app'`];
  if (filter.ids) where.push(`t.id = ANY (${place(filter.ids)}::uuid[])`);
  if (filter.read !== undefined) where.push(`t.read = ${place(filter.read)}`);
  if (filter.seen !== undefined) where.push(`t.seen = ${place(filter.seen)}`);
  if (filter.archived !== undefined) where.push(`t.archived = ${place(filter.archived)}`);
  if (filter.snoozed !== undefined) where.push(`t.snoozed_until IS ${filter.snoozed ? 'NOT NULL' : 'NULL'}`);
  for (const group of filter.tags ?? []) where.push(`t.tags && ${place(group)}::text[]`);
  for (const group of filter.data ?? []) {
    const objects = group.map((object) => JSON.stringify(object));
    where.push(`coalesce(t.data, '{}') @> ANY (${place(objects)}::jsonb[])`);
  }
  if (filter.severity) where.push(`t.severity = ANY (${place(filter.severity)}::text[])`);
  if (filter.createdFrom !== undefined) where.push(`t.created_at >= ${instant(filter.createdFrom, parameters)}`);
  if (filter.createdTo !== undefined) where.push(`t.created_at <= ${instant(filter.createdTo, parameters)}`);
  if (filter.contextKeys) where.push(hasContexts(filter.contextKeys, parameters));
  return where.join(' AND ');
}

/** A deleted message counts as having arrived at the time in its id. */
function comesAfter(id: string, parameters: unknown[]): string {
  const place = `$${parameters.push(id)}::uuid`;
  const arrival = `SELECT created_at FROM message WHERE environment_id = $1 AND subscriber_id = $2 AND id = ${place}`;
  return `(t.created_at, t.id) < (coalesce((${arrival}), ${instant(timeOfId(id), parameters)}), ${place})`;
}

const instant = (milliseconds: number, parameters: unknown[]): string =>
  `to_timestamp($${parameters.push(milliseconds)}::float8 / 1000)`;

/** One execution detail for the step of each message in `changed`. */
function record(
  name: 'messageRead' | 'messageSnoozed' | 'messageUnsnoozed',
  parameters: unknown[],
  raw = 'NULL',
): string {
  const { status, detail } = executionDetail(name);
  const text = (value: string): string => `$${parameters.push(value)}::text`;
  return `
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, message_id, status, detail, provider_id,
    raw)
  SELECT uuid_v7(), environment_id, notification_of(step_id), step_id, id, ${text(status)}, ${text(detail)},
    provider_id, ${raw}::text
    FROM changed`;
}

/**
 * The rows that a statement changes, as `changed`, with an execution detail and entries of the event log for each. They
 * are locked first, with their old values (`before`): when two requests read a message at once, one of them is
 * recorded.
 */
const changing = (statement: string, where: string, detail: string | undefined): string => `
  before AS MATERIALIZED (
    SELECT t.id, ${COMPARED_COLUMNS} FROM message t WHERE ${where} FOR UPDATE
  ), changed AS (
    ${statement} WHERE t.environment_id = $1 AND t.id = ANY (ARRAY(SELECT id FROM before)) RETURNING t.*
  ), logged AS (${statement === DELETE ? logMessages('message.deleted', '$1') : logMessageChanges('$1')}
  )${detail ? `, recorded AS (${detail})` : ''}`;

/** For the messages in `changed` that were not read before. */
const readConfirmation = (parameters: unknown[]): string =>
  `${record('messageRead', parameters)} WHERE id IN (SELECT id FROM before WHERE NOT read)`;
