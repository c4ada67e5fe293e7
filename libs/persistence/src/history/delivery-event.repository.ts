import {
  type Channel,
  type DetailStatus,
  type EnvironmentId,
  type ProviderId,
  REDACTED,
  type SuppressionReason,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { withPartitions } from '../schema/partitions';
import { storableJson } from '../sql/storable-json';
import { logDeliveryEvents, recordsEvents } from './event-log.sql';
import { isRedacted } from './redaction.sql';

export type EventSource = { environmentId: EnvironmentId; id: string; channel: Channel; providerId: ProviderId };

export type TrackedSource = EventSource & { trackOpens: boolean; trackClicks: boolean };

/** An event about a message, as reported by the provider, in the terms of Clarion. */
export type NewDeliveryEvent = {
  /** The id that the provider gave the event; the caller must leave out repeated ids of one call. */
  eventId: string;
  /** The id of our message where the provider returns it; otherwise the id that the provider gave the message. */
  messageId?: string;
  providerMessageId?: string;
  /** ISO text; the default is now. */
  at?: string;
  detailId: string;
  status: DetailStatus;
  detail: string;
  raw: string;
  effect?: 'delivered' | 'read' | 'clicked' | 'error';
  errorId?: string;
  errorText?: string;
  /** The address to suppress, in the spelling of libs/rules. */
  suppressedId?: string;
  address?: string;
  reason?: SuppressionReason;
};

/** An event that changed something, or that is new and waits for its message. */
export type TakenEvent = { eventId: string; messageId: string | null };

export class DeliveryEventRepository extends Repository {
  /** Whether the signature was first used for this report. Providers repeat calls, which are accepted again. */
  async isFirstReport({ environmentId, id }: EventSource, signedHash: string, reportHash: string): Promise<boolean> {
    const [row] = await this.database.prepared<{ isFirst: boolean }>('claim-inbound-signature', CLAIM_SIGNATURE, [
      environmentId,
      id,
      SIGNATURE_PREFIX + signedHash,
      reportHash,
    ]);
    return row!.isFirst;
  }

  /** The integration that sent an email, and what its environment tracks; undefined for an unknown message. */
  trackedSource(environmentId: EnvironmentId, messageId: string): Promise<TrackedSource | undefined> {
    return this.database.row<TrackedSource>(
      `SELECT m.environment_id, m.integration_id AS id, m.channel, m.provider_id, e.track_opens, e.track_clicks
         FROM message m JOIN environment e ON e.id = m.environment_id
        WHERE m.environment_id = $1 AND m.id = $2 AND m.channel = 'email' AND m.integration_id IS NOT NULL`,
      [environmentId, messageId],
    );
  }

  /**
   * Writes events to their messages in one statement. Each takes effect once: a repetition finds its id and changes
   * nothing, unless the message was unknown before and is known now. Messages are found within the environment and the
   * integration of the event, and a later state is never undone: a message that was read stays read, a bounced message
   * stays an error. An address is suppressed only for a message that was sent to it: a report about any other message
   * or address does not stop sending to it.
   */
  take(source: EventSource, events: NewDeliveryEvent[]): Promise<TakenEvent[]> {
    if (events.length === 0) return Promise.resolve([]);
    const { environmentId, id, channel, providerId } = source;
    return withPartitions(this.database, () =>
      this.database.prepared<TakenEvent>('take-delivery-events', TAKE, [
        environmentId,
        id,
        channel,
        providerId,
        storableJson(events),
      ]),
    );
  }
}

/** No event id starts with this character, because event ids are printable ASCII. */
const SIGNATURE_PREFIX = '§ ';

const CLAIM_SIGNATURE = `
INSERT INTO delivery_event AS e (environment_id, integration_id, event_id, report_hash) VALUES ($1, $2, $3, $4)
ON CONFLICT ON CONSTRAINT delivery_event_pkey DO UPDATE SET report_hash = e.report_hash
RETURNING e.report_hash = $4 AS "isFirst"`;

const MESSAGE = `SELECT m.id, m.step_id, m.recipients, ${isRedacted('m.trigger_id')} AS is_redacted
    FROM message m WHERE m.environment_id = $1
    AND m.integration_id = $2`;

/** A report about a redacted message may repeat its content. */
const shown = (text: string): string =>
  `CASE WHEN is_redacted AND ${text} IS NOT NULL THEN '${REDACTED}' ELSE ${text} END`;

const TAKE = `
WITH found AS MATERIALIZED (
  SELECT i.*, least(i.at, now()) AS time, m.id AS message_id, m.step_id, m.recipients, m.is_redacted
    FROM json_to_recordset($5::json) AS i ("eventId" text, "messageId" uuid, "providerMessageId" text, at timestamptz,
           "detailId" uuid, status text, detail text, raw text, effect text, "errorId" text, "errorText" text,
           "suppressedId" uuid, address text, reason text)
    LEFT JOIN LATERAL (
      ${MESSAGE} AND m.id = i."messageId"
      UNION ALL
      ${MESSAGE} AND m.provider_message_id = i."providerMessageId"
      LIMIT 1) m ON true
), fresh AS (
  -- In one order, so that two calls with the same events do not lock each other out.
  INSERT INTO delivery_event AS e (integration_id, event_id, environment_id, message_id)
  SELECT $2, "eventId", $1, message_id FROM found ORDER BY "eventId"
  ON CONFLICT ON CONSTRAINT delivery_event_pkey DO UPDATE SET message_id = excluded.message_id
   WHERE e.message_id IS NULL AND excluded.message_id IS NOT NULL
  RETURNING e.event_id
), taken AS (
  SELECT found.* FROM fresh JOIN found ON found."eventId" = fresh.event_id
), before AS MATERIALIZED (
  -- The old values, locked: of two reports at once, one is recorded. Read only for the event log.
  SELECT m.id, m.seen, m.read, m.status, m.delivered_at FROM message m
   WHERE ${recordsEvents('$1')} AND m.environment_id = $1
     AND m.id = ANY (ARRAY(SELECT message_id FROM taken WHERE effect IS NOT NULL)) FOR UPDATE
), changed AS (
  UPDATE message m SET
    delivered_at = coalesce(m.delivered_at, CASE WHEN s.delivered IS NOT NULL THEN ARRAY[s.delivered] END),
    seen = m.seen OR s.last_read IS NOT NULL, read = m.read OR s.last_read IS NOT NULL,
    first_seen_at = coalesce(m.first_seen_at, s.first_read),
    last_seen_at = greatest(m.last_seen_at, s.last_read), last_read_at = greatest(m.last_read_at, s.last_read),
    clicked_at = coalesce(m.clicked_at, s.clicked),
    status = CASE WHEN s.error_id IS NULL THEN m.status ELSE 'error' END,
    error_id = coalesce(s.error_id, m.error_id), error_text = coalesce(s.error_text, m.error_text), updated_at = now()
    FROM (SELECT message_id, min(time) FILTER (WHERE effect = 'delivered') AS delivered,
                 -- A link is followed in a message that is open.
                 min(time) FILTER (WHERE effect IN ('read', 'clicked')) AS first_read,
                 max(time) FILTER (WHERE effect IN ('read', 'clicked')) AS last_read,
                 min(time) FILTER (WHERE effect = 'clicked') AS clicked,
                 (array_agg("errorId" ORDER BY time DESC) FILTER (WHERE effect = 'error'))[1] AS error_id,
                 (array_agg(${shown('"errorText"')} ORDER BY time DESC)
                   FILTER (WHERE effect = 'error'))[1] AS error_text
            FROM taken WHERE message_id IS NOT NULL AND effect IS NOT NULL GROUP BY message_id) s
   WHERE m.id = s.message_id AND m.environment_id = $1 AND (SELECT count(*) FROM before) >= 0
  RETURNING m.*
), logged AS (${logDeliveryEvents('$1')}
), details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, message_id, status, detail, source,
                                provider_id, raw)
  SELECT "detailId", $1, notification_of(step_id), step_id, message_id, status, detail, 'Webhook', $4, ${shown('raw')}
    FROM taken WHERE message_id IS NOT NULL
), suppressed AS (
  INSERT INTO suppression (id, environment_id, channel, address, reason, provider_id, integration_id, message_id)
  SELECT DISTINCT ON (address) "suppressedId", $1, $3, address, reason, $4, $2, message_id
    FROM taken WHERE message_id IS NOT NULL AND address = ANY (recipients) ORDER BY address, time
  ON CONFLICT ON CONSTRAINT suppression_address_key DO NOTHING
)
SELECT "eventId", message_id AS "messageId" FROM taken`;
