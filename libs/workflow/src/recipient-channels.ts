import type { ChannelCredentialsDto } from '@clarion/contracts';
import {
  type ChannelProviderId,
  CHANNEL_PROVIDER_IDS,
  DomainError,
  type EnvironmentId,
  isJsonObject,
  isSameJson,
  mapInSlices,
  newId,
  TimeSlices,
} from '@clarion/contracts/core';
import { type ChannelIntegration, type Database, SubscriberChannelRepository } from '@clarion/persistence';
import { openChannel, openTriggerSecret, sealChannel, type SecretBox } from '@clarion/platform';
import { mergeCredentials } from '@clarion/rules';
import type { BroughtChannel, RecipientChannelStore } from './ports';

/** Channels that are read and written in one transaction. With 100 device tokens, a stored one is large. */
const STORED_AT_ONCE = 200;

/** What triggers give for one channel of a subscriber, in this order; `at` is the place in the list of all. */
type GivenChannel = {
  recipient: BroughtChannel['recipient'];
  providerId: ChannelProviderId;
  integration: ChannelIntegration;
  given: { at: number; credentials: ChannelCredentialsDto }[];
};

/** Stores channels of recipients as if the caller had updated the subscribers' credentials before the trigger. */
export class RecipientChannels implements RecipientChannelStore {
  private readonly channels = new SubscriberChannelRepository(this.database);

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  async save(environmentId: EnvironmentId, brought: BroughtChannel[]): Promise<(string | undefined)[]> {
    const opened = await mapInSlices(brought, (one) => this.read(environmentId, one));
    const integrationOf = await this.channels.findIntegrations(
      environmentId,
      opened.flatMap((one) => one?.providerId ?? []),
    );
    const faults: (string | undefined)[] = [];
    const channels = new Map<string, GivenChannel>();
    for (const [at, one] of opened.entries()) {
      const { recipient } = brought[at]!;
      const integration = one && integrationOf(one.providerId, one.integrationIdentifier);
      if (!one) faults[at] = 'a channel of the recipient cannot be read';
      else if (!integration) {
        faults[at] = `there is no active ${one.integrationIdentifier ?? one.providerId} integration`;
      } else {
        const key = `${recipient.id} ${integration.id}`;
        const channel = channels.get(key) ?? { recipient, providerId: one.providerId, integration, given: [] };
        channels.set(key, channel);
        channel.given.push({ at, credentials: one.credentials });
      }
    }
    for (let left = [...channels.values()]; left.length > 0; left = left.slice(STORED_AT_ONCE)) {
      const some = left.slice(0, STORED_AT_ONCE);
      await this.database.transaction(() => this.merge(environmentId, some, faults));
    }
    return faults;
  }

  /** A fixed number of statements. */
  private async merge(
    environmentId: EnvironmentId,
    channels: GivenChannel[],
    faults: (string | undefined)[],
  ): Promise<void> {
    const stored = await this.channels.lockMany(
      environmentId,
      channels.map(({ recipient, integration }) => ({
        subscriberId: recipient.subscriberId,
        integrationId: integration.id,
      })),
    );
    const storedOf = new Map(stored.map((row) => [`${row.subscriberId} ${row.integrationId}`, row]));
    const slices = new TimeSlices();
    const changed: Parameters<SubscriberChannelRepository['saveMany']>[1] = [];
    for (const { recipient, providerId, integration, given } of channels) {
      await slices.rest();
      const row = storedOf.get(`${recipient.id} ${integration.id}`);
      const before = row && openChannel(this.secrets, row);
      let merged = before;
      for (const { at, credentials } of given) {
        try {
          merged = mergeCredentials(merged ?? {}, credentials);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          faults[at] = error.message;
        }
      }
      if (!merged || isSameJson(merged, before)) continue;
      const id = row?.id ?? newId();
      const credentials = sealChannel(this.secrets, environmentId, id, merged);
      changed.push({ id, subscriberId: recipient.id, providerId, integration, credentials });
    }
    await this.channels.saveMany(environmentId, changed);
    await this.channels.raiseVersions(
      environmentId,
      changed.map(({ subscriberId }) => subscriberId),
    );
  }

  private read(environmentId: EnvironmentId, { triggerId, channel }: BroughtChannel) {
    if (!isJsonObject(channel) || typeof channel['credentials'] !== 'string') return undefined;
    const providerId = channel['providerId'] as ChannelProviderId;
    if (!CHANNEL_PROVIDER_IDS.includes(providerId)) return undefined;
    const integrationIdentifier = channel['integrationIdentifier'] as string | undefined;
    const text = openTriggerSecret(this.secrets, environmentId, triggerId, channel['credentials']);
    return { providerId, integrationIdentifier, credentials: JSON.parse(text) as ChannelCredentialsDto };
  }
}
