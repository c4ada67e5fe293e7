import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type AutoConfigureDto, DomainError, type JsonObject } from '@clarion/contracts';
import { Database, type Integration, IntegrationRepository, type KeyOwner } from '@clarion/persistence';
import { Config, Egress, SecretBox } from '@clarion/platform';
import { describeProvider, providerFor, setUpEventsOf } from '@clarion/providers';
import { IntegrationSettings } from './integration-settings.service';
import { open } from './integration-secrets';

@Injectable()
export class EventSetUp {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly settings: IntegrationSettings,
    private readonly secrets: SecretBox,
    private readonly egress: Egress,
    private readonly config: Config,
  ) {}

  /** A provider that refuses, or that has no API for it, is an answer and not an error. */
  async autoConfigure(owner: KeyOwner, id: string): Promise<AutoConfigureDto> {
    // With the reads: a request with an idempotency key runs in a transaction, which must not be open meanwhile.
    const { integration, result } = await this.database.beforehand(() => this.setUp(owner, id));
    const { displayName } = describeProvider(integration.providerId);
    if (typeof result === 'string') return { success: false, message: result, integration: describe(integration) };
    const { url, signingKey } = result;
    const stored = await this.settings.store(owner, owner, id, {
      configurations: {
        inboundWebhookEnabled: true,
        ...(signingKey !== undefined && { inboundWebhookSigningKey: signingKey }),
      },
    });
    const message = `${displayName} reports delivery events to ${url}.`;
    return { success: true, message, integration: describe(stored) };
  }

  /** Asks the provider. A text says why it was not done. */
  private async setUp(
    { environmentId }: KeyOwner,
    id: string,
  ): Promise<{ integration: Integration; result: string | { url: string; signingKey?: string } }> {
    const integration = await this.integrations.find(environmentId, id);
    if (!integration) throw new DomainError('not_found', `Entity with id ${id} not found`);
    const { providerId } = integration;
    const { displayName } = describeProvider(providerId);
    const notDone = (result: string) => ({ integration, result });
    const setUp = setUpEventsOf(providerId);
    if (!providerFor(providerId)?.events) return notDone(`${displayName} reports no delivery events.`);
    if (!setUp) return notDone(`${displayName} has no API that sets this up: see PROVIDERS.md.`);
    const { CLARION_PUBLIC_URL: publicUrl } = this.config;
    if (!publicUrl) return notDone('Set CLARION_PUBLIC_URL, so that the provider can reach this service.');
    const { credentials, configurations } = open(this.secrets, integration);
    const url = `${publicUrl}/v2/inbound-webhooks/delivery-providers/${environmentId}/${id}`;
    const key = configurations.inboundWebhookSigningKey ?? randomBytes(24).toString('base64url');
    const context = { ...this.egress.portsFor(providerId), overrides: {}, now: () => new Date() };
    const done = await setUp({ url, key }, credentials, context);
    if (!done.ok) return notDone(`${displayName} answered: ${done.message}`);
    return { integration, result: { url, ...(done.signingKey !== undefined && { signingKey: done.signingKey }) } };
  }
}

const describe = ({ id, identifier, name, providerId, channel, active }: Integration): JsonObject => ({
  _id: id,
  identifier,
  name,
  providerId,
  channel,
  active,
  credentials: {},
});
