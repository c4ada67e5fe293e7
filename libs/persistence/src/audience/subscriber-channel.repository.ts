import { type ChannelProviderId, type EnvironmentId, newId, type SubscriberRowId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { SubscriberChannel } from '../entities';

export type ChannelIntegration = { id: string; identifier: string };

export class SubscriberChannelRepository extends Repository {
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
  findIntegration(
    environmentId: EnvironmentId,
    providerId: ChannelProviderId,
    identifier: string | undefined,
  ): Promise<ChannelIntegration | undefined> {
    return this.database.row<ChannelIntegration>(
      `SELECT id, identifier FROM integration
        WHERE environment_id = $1 AND provider_id = $2 AND active AND NOT deleted
          AND ($3::text IS NULL OR identifier = $3)
        ORDER BY id DESC LIMIT 1`,
      [environmentId, providerId, identifier ?? null],
    );
  }

  /** The same for many, by provider and identifier. With `alsoInactive` an active one goes first. */
  async findIntegrations(
    environmentId: EnvironmentId,
    providerIds: ChannelProviderId[],
    alsoInactive = false,
  ): Promise<(providerId: ChannelProviderId, identifier: string | undefined) => ChannelIntegration | undefined> {
    const found = new Map<string, ChannelIntegration>();
    const keyOf = (providerId: ChannelProviderId, identifier?: string): string =>
      identifier === undefined ? providerId : `${providerId} ${identifier}`;
    if (providerIds.length > 0) {
      const rows = await this.database.rows<ChannelIntegration & { providerId: ChannelProviderId }>(
        `SELECT id, identifier, provider_id FROM integration
          WHERE environment_id = $1 AND provider_id = ANY ($2) AND (active OR $3) AND NOT deleted
          ORDER BY active, id`,
        [environmentId, [...new Set(providerIds)], alsoInactive],
      );
      for (const { providerId, ...integration } of rows) {
        found.set(keyOf(providerId), integration).set(keyOf(providerId, integration.identifier), integration);
      }
    }
    return (providerId, identifier) => found.get(keyOf(providerId, identifier));
  }

  /** Locks the existing subscribers and returns their channels. Must run inside a transaction. */
  async lockMany(
    environmentId: EnvironmentId,
    wanted: { subscriberId: string; integrationId: string }[],
  ): Promise<(SubscriberChannel & { externalId: string })[]> {
    if (wanted.length === 0) return [];
    const subscriberIds = wanted.map(({ subscriberId }) => subscriberId);
    await this.database.query(
      `SELECT 1 FROM subscriber WHERE environment_id = $1 AND subscriber_id = ANY ($2)
          ORDER BY subscriber_id FOR UPDATE`,
      [environmentId, subscriberIds],
    );
    return this.database.rows<SubscriberChannel & { externalId: string }>(
      `SELECT c.*, s.subscriber_id AS external_id
         FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::uuid[]) AS w (subscriber_id, integration_id)) w
         JOIN subscriber s ON s.environment_id = $1 AND s.subscriber_id = w.subscriber_id
         JOIN subscriber_channel c ON c.subscriber_id = s.id AND c.integration_id = w.integration_id
                                  AND c.environment_id = $1`,
      [environmentId, subscriberIds, wanted.map(({ integrationId }) => integrationId)],
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

  /** Marks subscribers as changed. */
  async raiseVersions(environmentId: EnvironmentId, subscriberIds: SubscriberRowId[]): Promise<void> {
    if (subscriberIds.length === 0) return;
    await this.database.query(
      `UPDATE subscriber SET updated_at = now(), version = version + 1 WHERE environment_id = $1 AND id = ANY ($2)`,
      [environmentId, subscriberIds],
    );
  }

  /** Locks the subscriber, so that appends run one after the other. Must run inside a transaction. */
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
    return this.database.row<SubscriberChannel>(
      `SELECT * FROM subscriber_channel WHERE environment_id = $1 AND subscriber_id = $2 AND provider_id = $3
          AND integration_id = $4`,
      [environmentId, subscriberId, providerId, integrationId],
    );
  }

  /** One channel, locked until the open transaction ends. */
  lockById(environmentId: EnvironmentId, id: string): Promise<SubscriberChannel | undefined> {
    return this.database.row<SubscriberChannel>(
      `SELECT * FROM subscriber_channel WHERE environment_id = $1 AND id = $2 FOR UPDATE`,
      [environmentId, id],
    );
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
    await this.raiseVersions(channel.environmentId, [channel.subscriberId]);
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
