import {
  CHANNEL_PROVIDER_IDS,
  isJsonObject,
  type Json,
  type JsonObject,
  PROFILE_FIELDS,
  toOurName,
} from '@clarion/contracts';
import type { Integration, IntegrationRepository } from '@clarion/persistence';
import { isMask } from '../../edge/http/masked-text';
import type { SubscriberImportService } from '../../audience/subscribers/subscriber-import.service';
import { type Commit, contentFault, given, type ImportContext, type ImportedKind, Tally, textIn } from './import-kind';
import type { Batch } from './import-progress';
import { sourceIntegrations } from './imported-integrations';
import { SourceLists } from './source-lists';

/** Subscribers of one batch: one statement for all that give the same fields. */
const BATCH = 500;

const CREDENTIALS = [
  'webhookUrl',
  'channel',
  'deviceTokens',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'externalUrl',
] as const;

/** A subscriber, with the identifiers of the integrations of its channels in place of the source's ids. */
type SourceSubscriber = { item: JsonObject; identifiers: ReadonlyMap<string, string> };

export class ImportedSubscribers implements ImportedKind<SourceSubscriber> {
  readonly name = 'subscribers';
  private readonly lists = new SourceLists(this.context.client);
  private identifiers: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(
    private readonly context: ImportContext,
    private readonly integrations: IntegrationRepository,
    private readonly subscribers: SubscriberImportService,
  ) {}

  async read(cursor: Json): Promise<Batch<SourceSubscriber>> {
    const page = await this.lists.byCursor('/v2/subscribers', cursor, BATCH);
    const isNeeded = page.items.some((item) => channelsOf(item).some((one) => !textIn(one, 'integrationIdentifier')));
    if (isNeeded) {
      this.identifiers ??= sourceIntegrations(this.context.client).then(
        (all) => new Map(all.map((one) => [textIn(one, '_id') ?? '', textIn(one, 'identifier') ?? ''])),
      );
    }
    const identifiers = isNeeded ? await this.identifiers! : new Map<string, string>();
    return { ...page, items: page.items.map((item) => ({ item, identifiers })) };
  }

  async write(items: SourceSubscriber[], commit: Commit): Promise<void> {
    const { database, environment } = this.context;
    await database.transaction(async () => {
      const tally = new Tally(this.name);
      const present = await this.integrations.list(environment.id);
      const elements: JsonObject[] = [];
      for (const { item, identifiers } of items) {
        const id = textIn(item, 'subscriberId') ?? textIn(item, '_id') ?? '';
        const profile = { subscriberId: item['subscriberId'] ?? '', ...profileOf(item) };
        const fault = contentFault(profile);
        if (fault !== undefined) tally.skip(id, fault);
        else elements.push({ ...profile, channels: this.reachable(id, item, identifiers, present, tally) });
      }
      const result = await this.subscribers.import({ environmentId: environment.id }, elements, {
        onlyChanges: true,
        alsoInactive: true,
      });
      for (const { subscriberId = '', message } of result.failed) tally.skip(subscriberId, message);
      tally.created = result.created.length;
      tally.updated = result.updated.length;
      tally.unchanged = items.length - tally.created - tally.updated - tally.skipped;
      await commit(tally.outcome);
    });
  }

  /** The channels whose integrations exist here; the others are left out. */
  private reachable(
    id: string,
    item: JsonObject,
    identifiers: ReadonlyMap<string, string>,
    present: Integration[],
    tally: Tally,
  ): JsonObject[] {
    return channelsOf(item).flatMap((channel): JsonObject[] => {
      const providerId = toOurName(textIn(channel, 'providerId') ?? '');
      const credentials = credentialsOf(channel);
      if (Object.keys(credentials).length === 0) return [];
      const identifier =
        textIn(channel, 'integrationIdentifier') ?? identifiers.get(textIn(channel, '_integrationId') ?? '');
      const ofProvider = present.filter((row) => row.providerId === providerId);
      const integration = ofProvider.find((row) => row.identifier === identifier) ?? ofProvider[0];
      const fault = !CHANNEL_PROVIDER_IDS.some((each) => each === providerId)
        ? 'there is no such provider of chat or push'
        : Object.values(credentials).flat().some(isHidden)
          ? 'its credentials are masked: use a key that may read them'
          : !integration
            ? 'there is no integration of this provider'
            : undefined;
      if (fault === undefined) return [{ providerId, integrationIdentifier: integration!.identifier, credentials }];
      tally.note(id, `the channel ${providerId} was left out: ${fault}`);
      return [];
    });
  }
}

/** A field that the source shows as null is cleared; one that it does not show stays. */
const profileOf = (item: JsonObject): JsonObject =>
  Object.fromEntries(PROFILE_FIELDS.flatMap((field) => (item[field] === undefined ? [] : [[field, item[field]]])));

const channelsOf = ({ channels }: JsonObject): JsonObject[] =>
  Array.isArray(channels) ? channels.filter(isJsonObject) : [];

function credentialsOf({ credentials }: JsonObject): JsonObject {
  const filled = isJsonObject(credentials) ? given(credentials, CREDENTIALS) : {};
  const isEmpty = (value: Json): boolean => value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => !isEmpty(value)));
}

const isHidden = (value: Json): boolean => typeof value === 'string' && isMask(value);
