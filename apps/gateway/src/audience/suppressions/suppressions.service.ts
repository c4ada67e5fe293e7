import { Injectable } from '@nestjs/common';
import {
  type CreateSuppressionDto,
  DomainError,
  invalidField,
  type ListSuppressionsQuery,
  SUPPRESSIBLE_CHANNELS,
  type SuppressionDto,
  type SuppressionListDto,
  pick,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  type ListedSuppression,
  type Suppression,
  SuppressionRepository,
} from '@clarion/persistence';
import { suppressionAddress } from '@clarion/rules';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { cursorEnvelope, withoutNulls } from '../../edge/http/page';

@Injectable()
export class SuppressionsService {
  constructor(
    private readonly database: Database,
    private readonly suppressions: SuppressionRepository,
    private readonly audit: AuditLog,
  ) {}

  async list(owner: KeyOwner, query: ListSuppressionsQuery): Promise<SuppressionListDto> {
    const { channel, address } = query;
    const channels = channel ? [channel] : SUPPRESSIBLE_CHANNELS;
    const addresses = address ? channels.flatMap((one) => suppressionAddress(one, address) ?? []) : undefined;
    const result = await this.suppressions.list(owner.environmentId, { channel, addresses }, query);
    return cursorEnvelope(result, toSuppressionDto);
  }

  /** An existing suppression is returned unchanged. */
  async create(
    owner: KeyOwner,
    { channel, address: given }: CreateSuppressionDto,
  ): Promise<{ suppression: SuppressionDto; created: boolean }> {
    const address = suppressionAddress(channel, given);
    if (address === undefined) {
      const expected = channel === 'email' ? 'an email address' : 'a phone number';
      throw invalidField('address', `address must be ${expected}`, given);
    }
    return this.database.transaction(async () => {
      const { created, ...row } = await this.suppressions.add(owner.environmentId, { channel, address });
      if (created) await this.audit.record(owner, { ...resourceOf(row), after: recorded(row) });
      return { suppression: toSuppressionDto(row), created };
    });
  }

  async delete(owner: KeyOwner, givenChannel: string, given: string): Promise<void> {
    const channel = SUPPRESSIBLE_CHANNELS.find((known) => known === givenChannel);
    if (!channel) {
      const message = `channel must be one of: ${SUPPRESSIBLE_CHANNELS.join(', ')}`;
      throw invalidField('channel', message, givenChannel.slice(0, 100));
    }
    const address = suppressionAddress(channel, given);
    await this.database.transaction(async () => {
      const lifted = address && (await this.suppressions.delete(owner.environmentId, { channel, address }));
      if (!lifted) throw new DomainError('not_found', `${given} is not suppressed on the channel ${channel}`);
      await this.audit.record(owner, { ...resourceOf(lifted), before: recorded(lifted) });
    });
  }
}

const resourceOf = ({ channel, address }: Suppression) => ({
  resource: 'suppression' as const,
  id: `${channel}/${address}`,
  isPersonal: true,
});

/** The row as the audit log shows it, without the address of the person. */
const recorded = ({ address: _, ...row }: Suppression): object => row;

function toSuppressionDto(row: Suppression & Partial<Pick<ListedSuppression, 'notificationId'>>): SuppressionDto {
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    ...pick(row, 'channel', 'address', 'reason', 'providerId'),
    _integrationId: row.integrationId,
    _messageId: row.messageId,
    _notificationId: row.notificationId,
    createdAt: row.createdAt.toISOString(),
  }) as SuppressionDto;
}
