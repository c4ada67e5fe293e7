import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type EnvironmentId,
  type ErasureReceiptDto,
  type Json,
  type JsonObject,
  newId,
  type SubscriberExportDto,
  SUPPRESSIBLE_CHANNELS,
} from '@clarion/contracts';
import {
  Database,
  type ErasureSurvey,
  type ExportedSubscriber,
  type KeyOwner,
  type Subscriber,
  SubscriberErasureRepository,
  SubscriberExportRepository,
  SubscriberRepository,
} from '@clarion/persistence';
import { openEndpoint, SecretBox } from '@clarion/platform';
import { suppressionAddress } from '@clarion/rules';
import { AuditLog, personalHash } from '../../edge/audit-log/audit-log';
import { maskText } from '../../edge/http/masked-text';
import { found, SubscribersService } from './subscribers.service';

/** The cursor of triggers without a notification, which come before the notifications. */
const OTHER_TRIGGERS = 'otherTriggers:';

@Injectable()
export class SubscriberPrivacyService {
  constructor(
    private readonly database: Database,
    private readonly subscribers: SubscriberRepository,
    private readonly profiles: SubscribersService,
    private readonly exports: SubscriberExportRepository,
    private readonly erasures: SubscriberErasureRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  async export(owner: KeyOwner, subscriberId: string, after: string | undefined): Promise<SubscriberExportDto> {
    const row = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
    const subject = subjectOf(row);
    const { environmentId } = owner;
    const first = after === undefined ? await this.firstPage(owner, row, subject) : undefined;
    const otherAfter = after?.startsWith(OTHER_TRIGGERS) ? after.slice(OTHER_TRIGGERS.length) : undefined;
    const others = otherAfter ? await this.exports.otherTriggers(environmentId, subject, otherAfter) : first?.others;
    const { lists, next } = others?.next
      ? { lists: {}, next: `${OTHER_TRIGGERS}${others.next}` }
      : await this.exports.history(environmentId, subject, others ? undefined : after);
    const records = { ...first?.records, ...(others && { otherTriggers: others.rows }), ...lists } as JsonObject;
    return { subscriberId, exportedAt: new Date().toISOString(), records, truncated: first?.truncated ?? [], next };
  }

  /** The record of the erasure commits with it. Searches of the whole environment come before the transaction. */
  async erase(owner: KeyOwner, subscriberId: string): Promise<ErasureReceiptDto> {
    const { environmentId } = owner;
    const survey = await this.database.beforehand(() => this.survey(environmentId, subscriberId));
    return this.database.transaction(async () => {
      const isThere = await this.erasures.lock(environmentId, subscriberId);
      const row = found(isThere ? await this.subscribers.find(environmentId, subscriberId) : undefined, subscriberId);
      const counts = await this.erasures.erase(environmentId, subjectOf(row), survey);
      if (counts === 'busy') {
        throw new DomainError(
          'conflict',
          'A message to the subscriber is being sent, or an event that names it is being expanded. Try again in a ' +
            'moment; nothing was erased.',
        );
      }
      const receipt: ErasureReceiptDto = {
        id: newId(),
        subscriberIdHash: personalHash(environmentId, subscriberId),
        erasedAt: new Date().toISOString(),
        counts,
      };
      await this.audit.record(owner, { resource: 'subscriber', id: receipt.id, verb: 'erased', after: receipt });
      return receipt;
    });
  }

  private async survey(environmentId: EnvironmentId, subscriberId: string): Promise<ErasureSurvey> {
    const row = found(await this.subscribers.find(environmentId, subscriberId), subscriberId);
    const { addresses, others } = await this.erasures.findSuppressions(environmentId, subjectOf(row));
    const kept = new Set(others.flatMap(addressesOf).map(({ channel, address }) => `${channel} ${address}`));
    return {
      traces: await this.erasures.findTraces(environmentId, subscriberId),
      shared: addresses.filter(({ channel, address }) => kept.has(`${channel} ${address}`)),
    };
  }

  private async firstPage(owner: KeyOwner, row: Subscriber, subject: ExportedSubscriber) {
    const { channels = [], ...subscriber } = await this.profiles.describe({ ...owner, scope: 'read' }, row);
    const { lists, truncated, others } = await this.exports.profile(owner.environmentId, subject);
    const endpoints = lists['channelEndpoints']!.map((endpoint) => this.readable(owner, endpoint));
    return {
      records: { subscriber, channels, ...lists, channelEndpoints: endpoints },
      truncated,
      others,
    };
  }

  /** An endpoint with its fields instead of their ciphertext; a URL is a secret of its owner's workspace. */
  private readable({ environmentId }: KeyOwner, row: JsonObject): JsonObject {
    const sealed = { environmentId, id: row['id'] as string, sealed: row['endpoint'] as string };
    const fields = openEndpoint(this.secrets, sealed);
    const shown: Json = { ...fields, ...(fields.url !== undefined && { url: maskText(fields.url) }) };
    return { ...row, endpoint: shown };
  }
}

const subjectOf = (row: Subscriber): ExportedSubscriber => ({
  id: row.id,
  subscriberId: row.subscriberId,
  addresses: addressesOf(row),
});

const addressesOf = ({ email, phone }: Pick<Subscriber, 'email' | 'phone'>): ExportedSubscriber['addresses'] =>
  SUPPRESSIBLE_CHANNELS.flatMap((channel) => {
    const text = channel === 'email' ? email : phone;
    const address = text ? suppressionAddress(channel, text) : undefined;
    return address === undefined ? [] : [{ channel, address }];
  });
