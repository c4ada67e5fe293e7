import { type EnvironmentId, LIMITS, newId, TEST_ENTRY_TYPE, type WebhookDeliveryState } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import type { WebhookDelivery, WebhookEndpoint } from '../../entities';
import { type NumberedPage, type PageResult, toPage } from '../../sql/pages';
import { NUMBERED_AT_ONCE } from '../../history/event-log.repository';

/** The fields that a caller sets. */
export type WebhookSettings = Pick<WebhookEndpoint, 'url' | 'description' | 'events' | 'channels' | 'workflows'>;

export type WebhookChanges = Partial<WebhookSettings & Pick<WebhookEndpoint, 'active'>>;

/** An endpoint with what it still has to get. */
export type EndpointWithBacklog = WebhookEndpoint & {
  /** Deliveries that wait for an attempt. */
  waiting: number;
  /** Entries of the log that have not been looked at for it. */
  behind: number;
};

export type DeliveryFilter = { state?: WebhookDeliveryState };

/** Numbers of entries: after the first, up to the second. */
export type SequenceRange = { after: number; to: number };

const LAST = `coalesce((SELECT last_sequence FROM event_log WHERE environment_id = $1), 0)`;

const tableOf = (number: string): string => (number === 'sequence' ? 'event_log_entry' : 'event_log_batch');

/** The time at which the row is changed, which is later than that of the claim that this statement waited for. */
const AFTER_CLAIM = `clock_timestamp()`;

const WITH_BACKLOG = `t.*, (SELECT count(*)::int FROM webhook_delivery d
                              WHERE d.endpoint_id = t.id AND d.state = 'waiting') AS waiting,
  greatest(${LAST} - t.cursor, 0)::float8 AS behind`;

export class WebhookEndpointRepository extends Repository {
  /** Undefined when the environment has the most endpoints that it may have. It gets entries from now on. */
  async insert(
    environmentId: EnvironmentId,
    id: string,
    settings: WebhookSettings,
    secret: string,
  ): Promise<EndpointWithBacklog | undefined> {
    // Concurrent calls wait for each other here, so that all of them see the others.
    await this.database.query(`SELECT 1 FROM environment WHERE id = $1 FOR NO KEY UPDATE`, [environmentId]);
    return this.database.row<EndpointWithBacklog>(
      `INSERT INTO webhook_endpoint (id, environment_id, url, description, events, channels, workflows, secret, cursor)
       SELECT $2, $1, $3, $4, $5, $6, $7, $8, ${LAST}
        WHERE (SELECT count(*) FROM webhook_endpoint WHERE environment_id = $1) < ${LIMITS.webhookEndpoints}
       RETURNING *, 0 AS waiting, 0 AS behind`,
      [
        environmentId,
        id,
        settings.url,
        settings.description,
        settings.events,
        settings.channels,
        settings.workflows,
        secret,
      ],
    );
  }

  list(environmentId: EnvironmentId): Promise<EndpointWithBacklog[]> {
    return this.database.rows<EndpointWithBacklog>(
      `SELECT ${WITH_BACKLOG} FROM webhook_endpoint t WHERE t.environment_id = $1 ORDER BY t.id DESC
        LIMIT ${LIMITS.webhookEndpoints}`,
      [environmentId],
    );
  }

  find(environmentId: EnvironmentId, id: string): Promise<EndpointWithBacklog | undefined> {
    return this.database.row<EndpointWithBacklog>(
      `SELECT ${WITH_BACKLOG} FROM webhook_endpoint t WHERE t.environment_id = $1 AND t.id = $2`,
      [environmentId, id],
    );
  }

  /** The same, locked until the open transaction ends. */
  lock(environmentId: EnvironmentId, id: string): Promise<EndpointWithBacklog | undefined> {
    return this.database.row<EndpointWithBacklog>(
      `SELECT ${WITH_BACKLOG} FROM webhook_endpoint t WHERE t.environment_id = $1 AND t.id = $2 FOR UPDATE OF t`,
      [environmentId, id],
    );
  }

  /** Must run under `lock`. An endpoint that is switched on again begins without failures. */
  async update(before: WebhookEndpoint, changes: WebhookChanges): Promise<EndpointWithBacklog> {
    const after = { ...before, ...changes };
    const isFresh = (changes.active && !before.active) || after.url !== before.url;
    await this.database.query(
      `UPDATE webhook_endpoint SET url = $3, description = $4, events = $5, channels = $6, workflows = $7, active = $8,
              disabled_reason = CASE WHEN $8 THEN NULL ELSE disabled_reason END,
              disabled_at = CASE WHEN $8 THEN NULL ELSE coalesce(disabled_at, now()) END,
              failures = CASE WHEN $9 THEN 0 ELSE failures END,
              failing_since = CASE WHEN $9 THEN NULL ELSE failing_since END,
              not_before = CASE WHEN $9 THEN NULL ELSE not_before END,
              updated_at = now()
        WHERE environment_id = $1 AND id = $2`,
      [
        before.environmentId,
        before.id,
        after.url,
        after.description,
        after.events,
        after.channels,
        after.workflows,
        after.active,
        isFresh,
      ],
    );
    return (await this.find(before.environmentId, before.id))!;
  }

  /** The endpoint gets nothing of what happened so far. Must run under `lock`. */
  async skipMissed(environmentId: EnvironmentId, id: string): Promise<void> {
    await this.database.query(
      `WITH dropped AS (
         DELETE FROM webhook_delivery WHERE environment_id = $1 AND endpoint_id = $2 AND state = 'waiting'
       )
       UPDATE webhook_endpoint SET cursor = ${LAST}, replay_after = NULL, replay_to = NULL, next_attempt_at = NULL
        WHERE environment_id = $1 AND id = $2`,
      [environmentId, id],
    );
  }

  /** The replaced secret still signs for a while. */
  replaceSecret(environmentId: EnvironmentId, id: string, secret: string): Promise<Date> {
    return this.database.value<Date>(
      `UPDATE webhook_endpoint SET previous_secret = secret, secret = $3, updated_at = now(),
              previous_secret_until = now() + interval '${LIMITS.webhookSecretOverlapHours} hours'
        WHERE environment_id = $1 AND id = $2 RETURNING previous_secret_until AS until`,
      [environmentId, id, secret],
    );
  }

  async delete(environmentId: EnvironmentId, id: string): Promise<void> {
    await this.database.query(`DELETE FROM webhook_endpoint WHERE environment_id = $1 AND id = $2`, [
      environmentId,
      id,
    ]);
  }

  /** An entry for this endpoint alone, which is in no log. */
  addTest(environmentId: EnvironmentId, endpointId: string): Promise<WebhookDelivery> {
    return this.database.one<WebhookDelivery>(
      `WITH soon AS (
         UPDATE webhook_endpoint SET next_attempt_at = ${AFTER_CLAIM}, not_before = NULL
          WHERE environment_id = $1 AND id = $2
       )
       INSERT INTO webhook_delivery (id, environment_id, endpoint_id, entry_id, type)
       VALUES ($3, $1, $2, $4, $5) RETURNING *`,
      [environmentId, endpointId, newId(), newId(), TEST_ENTRY_TYPE],
    );
  }

  /** Deliveries that failed wait again, as if they were new; returns how many. */
  retryFailed(environmentId: EnvironmentId, endpointId: string): Promise<number> {
    return this.database.execute(
      `WITH soon AS (
         UPDATE webhook_endpoint SET next_attempt_at = ${AFTER_CLAIM} WHERE environment_id = $1 AND id = $2
       )
       UPDATE webhook_delivery SET state = 'waiting', attempt = 0, due_at = now(), ended_at = NULL
        WHERE environment_id = $1 AND endpoint_id = $2 AND state = 'failed'`,
      [environmentId, endpointId],
    );
  }

  /** The entries between two times of numbering. Ids numbered together are not in the order of their numbers. */
  rangeBetween(environmentId: EnvironmentId, since: string, until: string): Promise<SequenceRange> {
    return this.database.one<SequenceRange>(
      `SELECT coalesce(least(${['sequence', 'first_sequence'].map(
        (number) => `(SELECT min(${number}) FROM (
                 SELECT ${number} FROM ${tableOf(number)} WHERE environment_id = $1 AND id >= $2
                  ORDER BY id LIMIT ${NUMBERED_AT_ONCE}) first)`,
      )}) - 1, ${LAST})::float8 AS after,
              coalesce(greatest(${['sequence', 'last_sequence'].map(
                (number) => `(SELECT max(${number}) FROM (
                 SELECT ${number} FROM ${tableOf(number)} WHERE environment_id = $1 AND id <= $3
                  ORDER BY id DESC LIMIT ${NUMBERED_AT_ONCE}) last)`,
              )}), 0)::float8 AS to`,
      [environmentId, since, until],
    );
  }

  /** Sends the entries of a range again, in steps. False while another replay runs. */
  async replay(environmentId: EnvironmentId, endpointId: string, { after, to }: SequenceRange): Promise<boolean> {
    return this.database.matches(
      `UPDATE webhook_endpoint SET replay_after = $3, replay_to = $4
        WHERE environment_id = $1 AND id = $2 AND replay_to IS NULL`,
      [environmentId, endpointId, after, to],
    );
  }

  /** Newest first. */
  async listDeliveries(
    environmentId: EnvironmentId,
    endpointId: string,
    { state }: DeliveryFilter,
    page: NumberedPage,
  ): Promise<PageResult<WebhookDelivery>> {
    const rows = await this.database.rows<WebhookDelivery>(
      `SELECT * FROM webhook_delivery
        WHERE environment_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR state = $3)
        ORDER BY id DESC LIMIT ${page.limit + 1} OFFSET ${page.offset}`,
      [environmentId, endpointId, state ?? null],
    );
    return toPage(rows, page);
  }
}
