import { type ChannelProviderId, newId } from '@clarion/contracts/words';
import type { Database } from '../database';
import type { SubscriberChannel } from '../entities';

export type ChannelIntegration = { id: string; identifier: string };

export class SubscriberChannelRepository {
  constructor(private readonly database: Database) {}

  /** Only of integrations that still exist, under the identifier that each has now. */
  listFor(environmentId: string, subscriberIds: string[]): Promise<SubscriberChannel[]> {
    if (subscriberIds.length === 0) return Promise.resolve([]);
    return this.database.rows<SubscriberChannel>(
      `SELECT c.id, c.environment_id, c.subscriber_id, c.integration_id, i.identifier AS integration_identifier,
              c.provider_id, c.credentials, c.created_at, c.updated_at
         FROM subscriber_channel c JOIN integration i ON i.id = c.integration_id AND NOT i.deleted
        WHERE c.environment_id = $1 AND c.subscriber_id = ANY ($2) ORDER BY c.id`,
      [environmentId, subscriberIds],
    );
  }

  /** The integration whose credentials a subscriber may hold: active, of that provider, the newest unless named. */
  async findIntegration(
    environmentId: string,
    providerId: ChannelProviderId,
    identifier: string | undefined,
  ): Promise<ChannelIntegration | undefined> {
    const [row] = await this.database.rows<ChannelIntegration>(
      `SELECT id, identifier FROM integration
        WHERE environment_id = $1 AND provider_id = $2 AND active AND NOT deleted AND ($3::text IS NULL OR identifier = $3)
        ORDER BY id DESC LIMIT 1`,
      [environmentId, providerId, identifier ?? null],
    );
    return row;
  }

  /**
   * Locks the subscriber, so that two appends to one channel follow each other, and returns the channel as it is. Must run
   * inside a transaction.
   */
  async lockChannel(
    environmentId: string,
    subscriberId: string,
    providerId: ChannelProviderId,
    integrationId: string,
  ): Promise<SubscriberChannel | undefined> {
    await this.database.query(`SELECT 1 FROM subscriber WHERE environment_id = $1 AND id = $2 FOR UPDATE`, [
      environmentId,
      subscriberId,
    ]);
    const [row] = await this.database.rows<SubscriberChannel>(
      `SELECT * FROM subscriber_channel WHERE environment_id = $1 AND subscriber_id = $2 AND provider_id = $3 AND integration_id = $4`,
      [environmentId, subscriberId, providerId, integrationId],
    );
    return row;
  }

  /** One channel, held until the open transaction ends. */
  async lockById(environmentId: string, id: string): Promise<SubscriberChannel | undefined> {
    const [row] = await this.database.rows<SubscriberChannel>(
      `SELECT * FROM subscriber_channel WHERE environment_id = $1 AND id = $2 FOR UPDATE`,
      [environmentId, id],
    );
    return row;
  }

  async replaceCredentials(environmentId: string, id: string, credentials: string): Promise<void> {
    await this.database.query(
      `UPDATE subscriber_channel SET credentials = $3, updated_at = now() WHERE environment_id = $1 AND id = $2`,
      [environmentId, id, credentials],
    );
  }

  async save(channel: {
    id?: string;
    environmentId: string;
    subscriberId: string;
    providerId: ChannelProviderId;
    integration: ChannelIntegration;
    credentials: (channelId: string) => string;
  }): Promise<void> {
    const id = channel.id ?? newId();
    await this.database.query(
      `INSERT INTO subscriber_channel (id, environment_id, subscriber_id, provider_id, integration_id, integration_identifier, credentials)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE
         SET credentials = excluded.credentials, integration_identifier = excluded.integration_identifier, updated_at = now()`,
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

  /** Takes away everything the subscriber holds at one provider. */
  async deleteProvider(environmentId: string, subscriberId: string, providerId: ChannelProviderId): Promise<number> {
    return this.database.execute(
      `DELETE FROM subscriber_channel WHERE environment_id = $1 AND subscriber_id = $2 AND provider_id = $3`,
      [environmentId, subscriberId, providerId],
    );
  }
}
