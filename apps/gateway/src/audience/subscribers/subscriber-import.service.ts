import { Injectable } from '@nestjs/common';
import {
  type BulkSubscribersResultDto,
  isSameJson,
  type ChannelCredentialsDto,
  DomainError,
  type EnvironmentId,
  type FailedSubscriberDto,
  groupBy,
  ImportedSubscriberDto,
  isTopicKey,
  mapInSlices,
  newId,
  type UpdateCredentialsDto,
} from '@clarion/contracts';
import {
  type ChannelIntegration,
  Database,
  type KeyOwner,
  type Subscriber,
  SubscriberChannelRepository,
  SubscriberRepository,
  TopicSubscriptionRepository,
} from '@clarion/persistence';
import { openChannel, sealChannel, SecretBox } from '@clarion/platform';
import { mergeCredentials } from '@clarion/rules';
import { checkElement, FaultBudget } from '../../edge/http/check-element';
import { InvalidElement } from '../../edge/http/json-body';
import { inputReport } from '../../edge/http/unknown-input';
import { defaultIdentifier } from '../topics/default-identifier';
import { withoutMasks } from './channel-settings';

/** A channel of a subscriber after the import: the stored credentials merged with the given ones. */
type MergedChannel = {
  id: string;
  given: UpdateCredentialsDto;
  integration: ChannelIntegration;
  credentials: ChannelCredentialsDto;
  isChanged: boolean;
};

type ImportRules = {
  /** Leaves subscribers and channels as they are that already have all given values. */
  onlyChanges?: boolean;
  /** Stores credentials for inactive integrations too. */
  alsoInactive?: boolean;
};

type EnvironmentOwner = Pick<KeyOwner, 'environmentId'>;

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
  async import(
    owner: EnvironmentOwner,
    elements: unknown[],
    { onlyChanges = false, alsoInactive = false }: ImportRules = {},
  ): Promise<BulkSubscribersResultDto> {
    const failed: FailedSubscriberDto[] = [];
    const inputs = new Map<string, ImportedSubscriberDto>();
    const budget = new FaultBudget();
    const report = inputReport();
    await mapInSlices(elements, (element, index) => {
      const checked = checkElement(ImportedSubscriberDto, element, budget);
      if (checked.unknown) report?.add(checked.unknown, `subscribers.${index}.`);
      const fault = checked.valid ? topicFault(checked.value) : checked.message;
      if (checked.valid && fault === undefined) inputs.set(checked.value.subscriberId, checked.value);
      else failed.push({ message: fault!, ...subscriberIdOf(element) });
    });
    report?.settle();
    const isPlain = ({ channels = [], topics = [] }: ImportedSubscriberDto) => channels.length + topics.length === 0;
    if (!onlyChanges && [...inputs.values()].every(isPlain)) {
      return toResult(await this.subscribers.upsertMany(owner.environmentId, [...inputs.values()]), failed);
    }
    return this.database.transaction(async () => {
      const faults = [...failed];
      const merged = await this.mergeChannels(owner, [...inputs.values()], faults, alsoInactive);
      const kept = [...inputs.values()].filter(({ subscriberId }) => merged.has(subscriberId));
      const known = onlyChanges ? await this.unchanged(owner, kept) : [];
      const unchanged = new Map(known.map((row) => [row.subscriberId, row]));
      const rows = await this.subscribers.upsertMany(
        owner.environmentId,
        kept.filter(({ subscriberId }) => !unchanged.has(subscriberId)),
      );
      const ids = new Map([...known, ...rows].map(({ subscriberId, id }) => [subscriberId, id]));
      const sealed = await mapInSlices(kept, ({ subscriberId }) =>
        merged
          .get(subscriberId)!
          .filter(({ isChanged }) => isChanged || !onlyChanges)
          .map(({ id, given, integration, credentials }) => ({
            id,
            subscriberId: ids.get(subscriberId)!,
            providerId: given.providerId,
            integration,
            credentials: sealChannel(this.secrets, owner.environmentId, id, credentials),
          })),
      );
      const channels = sealed.flat();
      await this.channels.saveMany(owner.environmentId, channels);
      const reached = new Set(channels.map(({ subscriberId }) => subscriberId));
      const withNewChannels = known.filter(({ id }) => reached.has(id)).map((row) => ({ ...row, created: false }));
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
      return toResult([...rows, ...withNewChannels], faults);
    });
  }

  private async unchanged({ environmentId }: EnvironmentOwner, inputs: ImportedSubscriberDto[]): Promise<Subscriber[]> {
    const given = new Map(inputs.map((input) => [input.subscriberId, input]));
    const rows = await this.subscribers.findMany(environmentId, [...given.keys()]);
    return rows.filter((row) => {
      const { channels: _, topics: __, ...profile } = given.get(row.subscriberId)!;
      const stored = row as unknown as Record<string, unknown>;
      return Object.entries(profile).every(([field, value]) => value === undefined || isSameJson(value, stored[field]));
    });
  }

  /** Returns channels by subscriberId. Subscribers with a channel that cannot be stored are added to `failed`. */
  private async mergeChannels(
    { environmentId }: EnvironmentOwner,
    inputs: ImportedSubscriberDto[],
    failed: FailedSubscriberDto[],
    alsoInactive: boolean,
  ): Promise<Map<string, MergedChannel[]>> {
    const given = inputs.flatMap(({ subscriberId, channels = [] }) =>
      channels.map((channel) => ({ subscriberId, channel })),
    );
    const find = await this.channels.findIntegrations(
      environmentId,
      given.map(({ channel }) => channel.providerId),
      alsoInactive,
    );
    const integrationOf = ({ providerId, integrationIdentifier }: UpdateCredentialsDto) =>
      find(providerId, integrationIdentifier);
    const present = await this.channels.lockMany(
      environmentId,
      given.flatMap(({ subscriberId, channel }) => {
        const integrationId = integrationOf(channel)?.id;
        return integrationId === undefined ? [] : [{ subscriberId, integrationId }];
      }),
    );
    const result = new Map<string, MergedChannel[]>();
    const presentOf = groupBy(present, ({ externalId }) => externalId);
    await mapInSlices(inputs, ({ subscriberId, channels = [] }) => {
      const own = presentOf.get(subscriberId) ?? [];
      try {
        const merged = new Map<string, MergedChannel>();
        for (const channel of channels) {
          const integration = integrationOf(channel);
          if (!integration) throw new DomainError('bad_request', missingIntegration(environmentId, channel));
          const key = `${channel.providerId} ${integration.id}`;
          const row = own.find((one) => `${one.providerId} ${one.integrationId}` === key);
          const stored = row && openChannel(this.secrets, row);
          const before = merged.get(key)?.credentials ?? stored ?? {};
          const credentials = mergeCredentials(before, withoutMasks(channel.credentials, before));
          merged.set(key, {
            id: merged.get(key)?.id ?? row?.id ?? newId(),
            given: channel,
            integration,
            credentials,
            isChanged: !isSameJson(credentials, stored),
          });
        }
        result.set(subscriberId, [...merged.values()]);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        failed.push({ message: error.message, subscriberId });
      }
    });
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
