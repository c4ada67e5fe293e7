/** SQL of the endpoints of subscribers, for the claim of chat steps and for dry runs. */

/** The chat webhooks and device tokens of a subscriber, with the columns `id` and `endpoint`. */
const stored = (subscriberId: string, environmentId: string): string => `
  SELECT sc.id, json_build_object('id', sc.id, 'integrationId', sc.integration_id,
                                  'providerId', sc.provider_id, 'credentials', sc.credentials) AS endpoint
    FROM subscriber_channel sc
   WHERE sc.subscriber_id = ${subscriberId} AND sc.environment_id = ${environmentId}`;

/**
 * The connection of the endpoint `ce`. An endpoint that names none uses the newest one of its integration and contexts
 * that the subscriber owns, else a shared one. Each way is a separate query, because an OR of them would use no index.
 */
const CONNECTION = `
  SELECT json_build_object('id', k.id, 'identifier', k.identifier, 'workspaceId', k.workspace ->> 'id',
                           'auth', k.auth) AS connection
    FROM (SELECT 1 AS rank, * FROM channel_connection WHERE id = ce.connection_id
           UNION ALL
          SELECT 2, * FROM channel_connection
           WHERE ce.connection_id IS NULL AND subscriber_id = ce.subscriber_id
             AND integration_id = ce.integration_id AND context_keys = ce.context_keys
           UNION ALL
          SELECT 3, * FROM channel_connection
           WHERE ce.connection_id IS NULL AND subscriber_id IS NULL
             AND integration_id = ce.integration_id AND context_keys = ce.context_keys) k
   WHERE k.environment_id = ce.environment_id
   ORDER BY k.rank, k.id DESC LIMIT 1`;

/** The channel endpoints of a subscriber in the same form. */
const connected = (subscriberId: string, environmentId: string): string => `
  SELECT ce.id, json_build_object('id', ce.id, 'integrationId', ce.integration_id, 'credentials', ce.endpoint,
                                  'identifier', ce.identifier, 'type', ce.type, 'contextKeys', ce.context_keys,
                                  'connection', (${CONNECTION})) AS endpoint
    FROM channel_endpoint ce
   WHERE ce.subscriber_id = ${subscriberId} AND ce.environment_id = ${environmentId}`;

const listOf = (endpoints: string): string => `(SELECT json_agg(e.endpoint ORDER BY e.id) FROM (${endpoints}) e)`;

/** A list of `ClaimedEndpoint` as JSON: device tokens. NULL without any. */
export const pushEndpoints = (subscriberId: string, environmentId: string): string =>
  listOf(stored(subscriberId, environmentId));

/** The same for chat: webhooks and channel endpoints. */
export const chatEndpoints = (subscriberId: string, environmentId: string): string =>
  listOf(`${stored(subscriberId, environmentId)} UNION ALL ${connected(subscriberId, environmentId)}`);
