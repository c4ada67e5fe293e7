import { Injectable } from '@nestjs/common';
import {
  type BulkSubscribersResultDto,
  type ChannelCredentialsDto,
  DomainError,
  type EnvironmentId,
  type FailedSubscriberDto,
  ImportedSubscriberDto,
  isTopicKey,
  newId,
  type UpdateCredentialsDto,
} from '@clarion/contracts';
import {
  type ChannelIntegration,
  Database,
  type KeyOwner,
  SubscriberChannelRepository,
  SubscriberRepository,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { openChannel, sealChannel, SecretBox } from '@clarion/platform';
import { mergeCredentials } from '@clarion/rules';
import { checkElement, FaultBudget } from '../http/check-element';
import { InvalidElement } from '../http/json-body';
import { inputReport } from '../http/unknown-input';
import { defaultIdentifier } from '../topics/default-identifier';

/** A channel of a subscriber after the import: the stored credentials merged with the given ones. */
type MergedChannel = {
  id: string;
  given: UpdateCredentialsDto;
  integration: ChannelIntegration;
  credentials: ChannelCredentialsDto;
};

/** Imports subscribers with their channels and topics, in a fixed number of SQL statements. */
@Injectable()
export class SubscriberImportService {
  constructor(
    private readonly database: Database,
    private readonly subscribers: SubscriberRepository,
    private readonly channels: SubscriberChannelRepository,
    private readonly subscriptions: TopicSubscriptionRepository,
    private readonly secrets: SecretBox,
  ) {}

  /** Reports an invalid element and stores nothing of it. If a subscriberId occurs twice, the last element wins. */
  async import(owner: KeyOwner, elements: unknown[]): Promise<BulkSubscribersResultDto> {
    const failed: FailedSubscriberDto[] = [];
    const inputs = new Map<string, ImportedSubscriberDto>();
    const budget = new FaultBudget();
    const report = inputReport();
    for (const [index, element] of elements.entries()) {
      const checked = checkElement(ImportedSubscriberDto, element, budget);
      if (checked.unknown) report?.add(checked.unknown, `subscribers.${index}.`);
      const fault = checked.valid ? topicFault(checked.value) : checked.message;
      if (checked.valid && fault === undefined) inputs.set(checked.value.subscriberId, checked.value);
      else failed.push({ message: fault!, ...subscriberIdOf(element) });
    }
    report?.settle();
    if ([...inputs.values()].every(({ channels = [], topics = [] }) => channels.length + topics.length === 0)) {
      return toResult(await this.subscribers.upsertMany(owner.environmentId, [...inputs.values()]), failed);
    }
    return this.database.transaction(async () => {
      const faults = [...failed];
      const merged = await this.mergeChannels(owner, [...inputs.values()], faults);
      const kept = [...inputs.values()].filter(({ subscriberId }) => merged.has(subscriberId));
      const rows = await this.subscribers.upsertMany(owner.environmentId, kept);
      const ids = new Map(rows.map(({ subscriberId, id }) => [subscriberId, id]));
      await this.channels.saveMany(
        owner.environmentId,
        kept.flatMap(({ subscriberId }) =>
          merged.get(subscriberId)!.map(({ id, given, integration, credentials }) => ({
            id,
            subscriberId: ids.get(subscriberId)!,
            providerId: given.providerId,
            integration,
            credentials: sealChannel(this.secrets, owner.environmentId, id, credentials),
          })),
        ),
      );
      await this.subscriptions.subscribeMany(
        owner.environmentId,
        kept.flatMap(({ subscriberId, topics = [] }) =>
          [...new Set(topics)].map((topicKey) => ({
            topicKey,
            subscriberId: ids.get(subscriberId)!,
            identifier: defaultIdentifier(topicKey, subscriberId),
          })),
        ),
      );
      return toResult(rows, faults);
    });
  }

  /** Returns channels by subscriberId. Subscribers with a channel that cannot be stored are added to `failed`. */
  private async mergeChannels(
    { environmentId }: KeyOwner,
    inputs: ImportedSubscriberDto[],
    failed: FailedSubscriberDto[],
  ): Promise<Map<string, MergedChannel[]>> {
    const given = inputs.flatMap(({ subscriberId, channels = [] }) =>
      channels.map((channel) => ({ subscriberId, channel })),
    );
    const integrations = new Map(
      (
        await this.channels.findIntegrations(
          environmentId,
          given.map(({ channel }) => ({ providerId: channel.providerId, identifier: channel.integrationIdentifier })),
        )
      ).map(({ place, ...integration }) => [given[place]!.channel, integration]),
    );
    const stored =
      given.length === 0
        ? []
        : await this.channels.lockMany(environmentId, [...new Set(given.map(({ subscriberId }) => subscriberId))]);
    const result = new Map<string, MergedChannel[]>();
    for (const { subscriberId, channels = [] } of inputs) {
      const own = stored.filter((row) => row.externalId === subscriberId);
      try {
        const merged = new Map<string, MergedChannel>();
        for (const channel of channels) {
          const integration = integrations.get(channel);
          if (!integration) throw new DomainError('bad_request', missingIntegration(environmentId, channel));
          const key = `${channel.providerId} ${integration.id}`;
          const row = own.find((one) => `${one.providerId} ${one.integrationId}` === key);
          const before = merged.get(key)?.credentials ?? (row ? openChannel(this.secrets, row) : {});
          merged.set(key, {
            id: merged.get(key)?.id ?? row?.id ?? newId(),
            given: channel,
            integration,
            credentials: mergeCredentials(before, channel.credentials),
          });
        }
        result.set(subscriberId, [...merged.values()]);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        failed.push({ message: error.message, subscriberId });
      }
    }
    return result;
  }
}

const missingIntegration = (
  environmentId: EnvironmentId,
  { providerId, integrationIdentifier }: UpdateCredentialsDto,
) =>
  `Subscribers environment (${environmentId}) do not have active ${integrationIdentifier ?? providerId} integration.`;

function topicFault({ topics = [] }: ImportedSubscriberDto): string | undefined {
  const bad = topics.find((key) => !isTopicKey(key));
  return bad === undefined ? undefined : `topics: "${bad}" is not a valid topic key`;
}

function subscriberIdOf(element: unknown): { subscriberId?: string } {
  if (element instanceof InvalidElement) return element.id === undefined ? {} : { subscriberId: element.id };
  const id =
    typeof element === 'object' && element !== null && 'subscriberId' in element ? element.subscriberId : undefined;
  return typeof id === 'string' ? { subscriberId: id } : {};
}

function toResult(
  rows: { subscriberId: string; created: boolean }[],
  failed: FailedSubscriberDto[],
): BulkSubscribersResultDto {
  const ids = (created: boolean) =>
    rows.filter((row) => row.created === created).map(({ subscriberId }) => ({ subscriberId }));
  return { created: ids(true), updated: ids(false), failed };
}
