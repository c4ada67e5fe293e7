import type { EnvironmentId, JsonObject, LogEntryType } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { LOCKS, tryLock, withPartitions } from '../schema/partitions';
import { recordsEvents } from './event-log.sql';
import { entriesBetween, firstNumber } from './log-entries.sql';

export type LogEntry = { id: string; sequence: number; type: LogEntryType; createdAt: Date; data: JsonObject };

export type LogFilter = { types?: LogEntryType[] };

export type LogPage = {
  entries: LogEntry[];
  /** The number from which the next page continues. */
  next: number;
  /** The oldest entry that has not been deleted; one more than the last when there is none. */
  firstSequence: number;
  lastSequence: number;
  /** Whether what happens now is recorded. */
  isRecording: boolean;
};

type State = Pick<LogPage, 'firstSequence' | 'lastSequence' | 'isRecording'>;

/** Rows that are numbered in one statement: entries, and batches of them. */
export const NUMBERED_AT_ONCE = 200;

const NIL_ID = `'00000000-0000-0000-0000-000000000000'`;

/** Of both tables, as one list. */
const ofBoth = (read: (table: string) => string, more: string): string =>
  `SELECT * FROM ((${read('new_log_entry')}) UNION ALL (${read('new_log_batch')})) new ${more}`;

/** The next environment with rows. */
const environmentAfter = (previous: string): string =>
  `(${ofBoth(
    (table) => `
  SELECT environment_id FROM ${table} WHERE environment_id > ${previous} ORDER BY environment_id LIMIT 1`,
    'ORDER BY environment_id LIMIT 1',
  )})`;

/** The first rows of each environment: one with many rows does not go before the others. */
const IDS_IN_TURN = `
  WITH RECURSIVE waiting (environment_id) AS (
    SELECT ${environmentAfter(NIL_ID)}
     UNION ALL
    SELECT ${environmentAfter('w.environment_id')} FROM waiting w WHERE w.environment_id IS NOT NULL
  )
  SELECT id FROM (
    SELECT o.id, row_number() OVER (PARTITION BY w.environment_id ORDER BY o.id) AS turn
      FROM waiting w CROSS JOIN LATERAL (${ofBoth(
        (table) =>
          `SELECT id FROM ${table} WHERE environment_id = w.environment_id ORDER BY id LIMIT ${NUMBERED_AT_ONCE}`,
        `ORDER BY id LIMIT ${NUMBERED_AT_ONCE}`,
      )}) o
  ) due ORDER BY turn, id LIMIT ${NUMBERED_AT_ONCE}`;

/** Names of the messages of the batch `p`, in their places: those of callers, for the ids of rows. */
const NAMES = `
  SELECT array_agg(t.id ORDER BY m.place) AS trigger_ids, array_agg(t.chosen_id ORDER BY m.place) AS transaction_ids,
         array_agg(s.subscriber_id ORDER BY m.place) AS subscriber_ids,
         array_agg(w.workflow_id ORDER BY m.place) AS workflow_identifiers, count(t.chosen_id) AS chosen
    FROM unnest(p.trigger_ids, p.subscriber_ids, p.workflow_ids) WITH ORDINALITY
      AS m (trigger_id, subscriber_id, workflow_id, place)
    LEFT JOIN workflow w ON w.environment_id = p.environment_id AND w.id = m.workflow_id
    LEFT JOIN subscriber s ON s.environment_id = p.environment_id AND s.id = m.subscriber_id
    LEFT JOIN LATERAL (
      SELECT id, nullif(transaction_id, 'txn_' || id) AS chosen_id FROM trigger
       WHERE environment_id = p.environment_id AND id = m.trigger_id LIMIT 1) t ON true`;

/** Numbers committed rows without gaps, in their order, environments in turn. Drops those of deleted environments. */
const NUMBER = `
WITH ids AS MATERIALIZED (${IDS_IN_TURN}
), entries AS (
  DELETE FROM new_log_entry WHERE id = ANY (ARRAY(SELECT id FROM ids)) RETURNING *
), batches AS (
  DELETE FROM new_log_batch WHERE id = ANY (ARRAY(SELECT id FROM ids)) RETURNING *
), placed AS (
  SELECT m.id, m.environment_id, m.entries, sum(m.entries) OVER (PARTITION BY m.environment_id ORDER BY m.id) AS place,
         sum(m.entries) OVER (PARTITION BY m.environment_id) AS places
    FROM (SELECT id, environment_id, 1 AS entries FROM entries UNION ALL
          SELECT id, environment_id, cardinality(step_ids) * cardinality(types) FROM batches) m
    JOIN environment ON environment.id = m.environment_id
), logs AS (
  INSERT INTO event_log AS l (environment_id, last_sequence)
  SELECT environment_id, max(places) FROM placed GROUP BY environment_id ORDER BY environment_id
  ON CONFLICT ON CONSTRAINT event_log_pkey DO UPDATE SET last_sequence = l.last_sequence + excluded.last_sequence
  RETURNING environment_id, last_sequence
), numbers AS (
  SELECT p.id, p.entries, logs.last_sequence - p.places + p.place AS sequence
    FROM placed p JOIN logs ON logs.environment_id = p.environment_id
), numbered_batches AS (
  INSERT INTO event_log_batch (id, environment_id, first_sequence, last_sequence, created_at, types, channel,
                               provider_id, step_ids, message_ids, trigger_ids, transaction_ids, subscriber_ids,
                               workflow_identifiers)
  SELECT log_entry_id(uuid_v7(), 0), p.environment_id, n.sequence - n.entries + 1, n.sequence, p.created_at, p.types,
         p.channel, p.provider_id, p.step_ids, p.message_ids, names.trigger_ids,
         CASE WHEN names.chosen > 0 THEN names.transaction_ids END, names.subscriber_ids, names.workflow_identifiers
    FROM batches p JOIN numbers n ON n.id = p.id CROSS JOIN LATERAL (${NAMES}) names
), numbered AS (
  INSERT INTO event_log_entry (id, environment_id, sequence, created_at, type, channel, workflow_identifier, data)
  SELECT uuid_v7(), p.environment_id, n.sequence, p.created_at, p.type, p.channel, w.workflow_id,
         jsonb_strip_nulls(jsonb_build_object(
           'messageId', p.message_id, 'notificationId', notification_of(p.step_id), 'transactionId', t.transaction_id,
           'subscriberId', s.subscriber_id, 'workflowId', w.workflow_id, 'channel', p.channel,
           'providerId', p.provider_id)) || coalesce(p.data, '{}')
    FROM entries p JOIN numbers n ON n.id = p.id
    LEFT JOIN workflow w ON w.environment_id = p.environment_id AND w.id = p.workflow_id
    LEFT JOIN subscriber s ON s.environment_id = p.environment_id AND s.id = p.subscriber_id
    LEFT JOIN LATERAL (
      SELECT transaction_id FROM trigger
       WHERE environment_id = p.environment_id AND id = p.trigger_id LIMIT 1) t ON true
   ORDER BY p.id
)
SELECT count(*)::int AS moved FROM ids`;

const STATE = `
SELECT coalesce(${firstNumber('$1')}, l.last + 1)::float8 AS first_sequence,
       l.last::float8 AS last_sequence, ${recordsEvents('$1')} AS is_recording
  FROM (SELECT coalesce((SELECT last_sequence FROM event_log WHERE environment_id = $1), 0) AS last) l`;

/** Entries after $2, as far as no number is missing. `scanned` is the last number that was looked at. */
const READ = `
WITH scanned AS MATERIALIZED (
  SELECT x.id, x.sequence, x.type, x.created_at, x.data, x.sequence - row_number() OVER (ORDER BY x.sequence) AS missing
    FROM (${entriesBetween('$1', '$2::bigint', '$2::bigint + $5')}) x ORDER BY x.sequence
), shown AS (
  SELECT id, sequence, type, created_at, data FROM scanned
   WHERE missing = $2 AND ($4::text[] IS NULL OR type = ANY ($4)) ORDER BY sequence LIMIT $3
)
SELECT shown.id, shown.sequence::float8 AS sequence, shown.type, shown.created_at, shown.data,
       (SELECT max(sequence) FROM scanned WHERE missing = $2)::float8 AS scanned
  FROM (SELECT 1) one LEFT JOIN shown ON true ORDER BY shown.sequence`;

type ReadRow = (LogEntry | { id: null }) & { scanned: number | null };

/** The event log of an environment: what happened, numbered without gaps. */
export class EventLogRepository extends Repository {
  /** Gives numbers to all committed rows; returns how many. One process at a time does it, others return at once. */
  async number(): Promise<number> {
    for (let total = 0; ;) {
      const moved = await withPartitions(this.database, () => this.numberSome());
      total += moved;
      if (moved < NUMBERED_AT_ONCE) return total;
    }
  }

  /** The statement is one transaction, which holds the lock against other processes. */
  private numberSome(): Promise<number> {
    return this.database.transaction(async () => {
      const held = await tryLock(this.database, LOCKS.eventLog);
      return held ? this.database.value<number>(NUMBER) : 0;
    });
  }

  state(environmentId: EnvironmentId): Promise<State> {
    return this.database.one<State>(STATE, [environmentId]);
  }

  /** `gone` when the entry after it is no longer there: the caller must not take a later one for it. */
  async read(
    environmentId: EnvironmentId,
    after: number | undefined,
    filter: LogFilter,
    page: { limit: number; scan: number },
  ): Promise<{ page: LogPage } | { gone: State }> {
    // First the state: an entry that is numbered in between belongs to the next page.
    const state = await this.state(environmentId);
    const start = after ?? state.firstSequence - 1;
    const scan = filter.types ? page.scan : page.limit;
    const rows = await this.database.rows<ReadRow>(READ, [
      environmentId,
      start,
      page.limit,
      filter.types ?? null,
      Math.min(scan, Math.max(state.lastSequence - start, 0)),
    ]);
    const scanned = rows[0]!.scanned ?? start;
    if (scanned === start && start < state.lastSequence) return { gone: state };
    const entries = rows.filter((row): row is LogEntry & ReadRow => row.id !== null);
    const next = entries.length === page.limit ? entries.at(-1)!.sequence : scanned;
    return { page: { entries, next, ...state } };
  }
}
