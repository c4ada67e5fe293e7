import { type ChannelProviderId, type EnvironmentId, newId, type SubscriberRowId } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import type { SubscriberChannel } from '../entities';

export type ChannelIntegration = { id: string; identifier: string };

export class SubscriberChannelRepository {
  constructor(private readonly database: Database) {}

  /** The channels whose integrations exist, with the current identifier of each. */
  listFor(environmentId: EnvironmentId, subscriberIds: SubscriberRowId[]): Promise<SubscriberChannel[]> {
    if (subscriberIds.length === 0) return Promise.resolve([]);
    return this.database.rows<SubscriberChannel>(
      `SELECT c.id, c.environment_id, c.subscriber_id, c.integration_id, i.identifier AS integration_identifier,
              c.provider_id, c.credentials, c.created_at, c.updated_at
         FROM subscriber_channel c JOIN integration i ON i.id = c.integration_id AND NOT i.deleted
        WHERE c.environment_id = $1 AND c.subscriber_id = ANY ($2) ORDER BY c.id`,
      [environmentId, subscriberIds],
    );
  }

  /** The integration that a subscriber may have credentials for: active, of that provider, the newest unless named. */
  async findIntegration(
    environmentId: EnvironmentId,
    providerId: ChannelProviderId,
    identifier: string | undefined,
  ): Promise<ChannelIntegration | undefined> {
    const [row] = await this.database.rows<ChannelIntegration>(
      `SELECT id, identifier FROM integration
        WHERE environment_id = $1 AND provider_id = $2 AND active AND NOT deleted
          AND ($3::text IS NULL OR identifier = $3)
        ORDER BY id DESC LIMIT 1`,
      [environmentId, providerId, identifier ?? null],
    );
    return row;
  }

  /** The same for many at once; `place` is the index in the list. With `alsoInactive` an active one goes first. */
  findIntegrations(
    environmentId: EnvironmentId,
    wanted: { providerId: ChannelProviderId; identifier?: string }[],
    alsoInactive = false,
  ): Promise<(ChannelIntegration & { place: number })[]> {
    if (wanted.length === 0) return Promise.resolve([]);
    return this.database.rows<ChannelIntegration & { place: number }>(
      `SELECT DISTINCT ON (w.place) w.place::int - 1 AS place, i.id, i.identifier
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS w (provider_id, identifier, place)
         JOIN integration i ON i.environment_id = $1 AND i.provider_id = w.provider_id AND NOT i.deleted
                           AND (i.active OR $4) AND (w.identifier IS NULL OR i.identifier = w.identifier)
        ORDER BY w.place, i.active DESC, i.id DESC`,
      [
        environmentId,
        wanted.map(({ providerId }) => providerId),
        wanted.map(({ identifier }) => identifier ?? null),
        alsoInactive,
      ],
    );
  }

  /**
   * Locks the existing subscribers among these, by their subscriberIds, and returns their channels. Must run inside a
   * transaction.
   */
  async lockMany(
    environmentId: EnvironmentId,
    subscriberIds: string[],
  ): Promise<(SubscriberChannel & { externalId: string })[]> {
    await this.database.query(
      `SELECT 1 FROM subscriber WHERE environment_id = $1 AND subscriber_id = ANY ($2)
          ORDER BY subscriber_id FOR UPDATE`,
      [environmentId, subscriberIds],
    );
    return this.database.rows<SubscriberChannel & { externalId: string }>(
      `SELECT c.*, s.subscriber_id AS external_id
         FROM subscriber s JOIN subscriber_channel c ON c.subscriber_id = s.id AND c.environment_id = $1
        WHERE s.environment_id = $1 AND s.subscriber_id = ANY ($2)`,
      [environmentId, subscriberIds],
    );
  }

  /** Writes encrypted channels in one statement. Must run under a lock of the subscribers. */
  async saveMany(
    environmentId: EnvironmentId,
    channels: {
      id: string;
      subscriberId: SubscriberRowId;
      providerId: ChannelProviderId;
      integration: ChannelIntegration;
      credentials: string;
    }[],
  ): Promise<void> {
    if (channels.length === 0) return;
    const records = channels.map(({ integration, ...channel }) => ({
      ...channel,
      integrationId: integration.id,
      integrationIdentifier: integration.identifier,
    }));
    await this.database.query(
      `INSERT INTO subscriber_channel (id, environment_id, subscriber_id, provider_id, integration_id,
          integration_identifier, credentials)
       SELECT id, $1, "subscriberId", "providerId", "integrationId", "integrationIdentifier", credentials
         FROM jsonb_to_recordset($2) AS given (id uuid, "subscriberId" uuid, "providerId" text, "integrationId" uuid,
                                               "integrationIdentifier" text, credentials text)
       ON CONFLICT ON CONSTRAINT subscriber_channel_key DO UPDATE
         SET id = excluded.id, credentials = excluded.credentials,
             integration_identifier = excluded.integration_identifier, updated_at = now()`,
      [environmentId, JSON.stringify(records)],
    );
  }

  /**
   * Locks the subscriber, so that two appends to one channel run one after the other, and returns the channel. Must run
   * inside a transaction.
   */
  async lockChannel(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    providerId: ChannelProviderId,
    integrationId: string,
  ): Promise<SubscriberChannel | undefined> {
    await this.database.query(`SELECT 1 FROM subscriber WHERE environment_id = $1 AND id = $2 FOR UPDATE`, [
      environmentId,
      subscriberId,
    ]);
    const [row] = await this.database.rows<SubscriberChannel>(
      `SELECT * FROM subscriber_channel WHERE environment_id = $1 AND subscriber_id = $2 AND provider_id = $3
          AND integration_id = $4`,
      [environmentId, subscriberId, providerId, integrationId],
    );
    return row;
  }

  /** One channel, locked until the open transaction ends. */
  async lockById(environmentId: EnvironmentId, id: string): Promise<SubscriberChannel | undefined> {
    const [row] = await this.database.rows<SubscriberChannel>(
      `SELECT * FROM subscriber_channel WHERE environment_id = $1 AND id = $2 FOR UPDATE`,
      [environmentId, id],
    );
    return row;
  }

  async replaceCredentials(environmentId: EnvironmentId, id: string, credentials: string): Promise<void> {
    await this.database.query(
      `UPDATE subscriber_channel SET credentials = $3, updated_at = now() WHERE environment_id = $1 AND id = $2`,
      [environmentId, id, credentials],
    );
  }

  async save(channel: {
    id?: string;
    environmentId: EnvironmentId;
    subscriberId: SubscriberRowId;
    providerId: ChannelProviderId;
    integration: ChannelIntegration;
    credentials: (channelId: string) => string;
  }): Promise<void> {
    const id = channel.id ?? newId();
    await this.database.query(
      `INSERT INTO subscriber_channel (id, environment_id, subscriber_id, provider_id, integration_id,
          integration_identifier, credentials)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE
         SET credentials = excluded.credentials, integration_identifier = excluded.integration_identifier,
           updated_at = now()`,
      [
        id,
        channel.environmentId,
        channel.subscriberId,
        channel.providerId,
        channel.integration.id,
        channel.integration.identifier,
        channel.credentials(id),
      ],
    );
    await this.database.query(`UPDATE subscriber SET updated_at = now(), version = version + 1 WHERE id = $1`, [
      channel.subscriberId,
    ]);
  }

  /** Deletes all credentials of the subscriber for one provider. */
  async deleteProvider(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    providerId: ChannelProviderId,
  ): Promise<number> {
    return this.database.execute(
      `DELETE FROM subscriber_channel WHERE environment_id = $1 AND subscriber_id = $2 AND provider_id = $3`,
      [environmentId, subscriberId, providerId],
    );
  }
}
