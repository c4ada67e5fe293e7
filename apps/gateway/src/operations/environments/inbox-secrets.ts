import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError, type InboxSecretDto, newId } from '@clarion/contracts';
import {
  Database,
  type Environment,
  EnvironmentRepository,
  type InboxSecret,
  InboxSecretRepository,
  type KeyOwner,
} from '@clarion/persistence';
import { openInboxSecret, sealInboxSecret, SecretBox } from '@clarion/platform';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { maskText } from '../../edge/http/masked-text';

/** The secret of an environment that signs the sessions of its inboxes. It is made when it is first read. */
@Injectable()
export class InboxSecrets {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly rows: InboxSecretRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  /** A mask is no reading of the secret, so the audit log does not have it. */
  read(owner: KeyOwner, environment: Environment, isMasked: boolean): Promise<InboxSecretDto> {
    return this.withLock(owner, environment, async () => {
      const row = (await this.rows.find(environment.id)) ?? (await this.create(environment));
      const shown = this.toDto(row);
      if (isMasked) return { ...shown, secret: maskText(shown.secret) };
      await this.record(owner, row, 'read');
      return shown;
    });
  }

  /** Replaces the secret. The replaced one signs for some hours more, or no longer. */
  rotate(owner: KeyOwner, environment: Environment, overlapHours: number): Promise<InboxSecretDto> {
    return this.withLock(owner, environment, async () => {
      await this.rows.expire(environment.id, overlapHours);
      const row = await this.create(environment);
      await this.record(owner, row, 'rotated', { overlapHours });
      return this.toDto(row);
    });
  }

  private create({ id: environmentId }: Environment): Promise<InboxSecret> {
    const id = newId();
    const secret = `clr_inbox_${randomBytes(32).toString('base64url')}`;
    return this.rows.insert(environmentId, id, sealInboxSecret(this.secrets, { environmentId, id }, secret));
  }

  /** Of two callers at the same time, the second one sees what the first one did. */
  private withLock<T>(owner: KeyOwner, environment: Environment, work: () => Promise<T>): Promise<T> {
    checkUnlimited(owner);
    return this.database.transaction(async () => {
      await this.environments.lock(environment.organizationId, environment.id);
      return work();
    });
  }

  private record(
    owner: KeyOwner,
    { id, environmentId }: InboxSecret,
    verb: 'read' | 'rotated',
    after: object = {},
  ): Promise<void> {
    const { organizationId } = owner;
    return this.audit.recordIn(owner, { organizationId, environmentId }, { resource: 'inbox_secret', id, verb, after });
  }

  private toDto(row: InboxSecret): InboxSecretDto {
    const secret = openInboxSecret(this.secrets, row);
    if (secret !== undefined) return { secret, createdAt: row.createdAt.toISOString() };
    throw new DomainError(
      'conflict',
      'CLARION_ENCRYPTION_KEY does not open the inbox secret: give the key that it was written with, or rotate it',
    );
  }
}

/** The secret has no limits, so a key that has some would gain more than it is allowed. */
function checkUnlimited({ expiresAt, allowedAddresses }: KeyOwner): void {
  if (expiresAt === null && allowedAddresses === null) return;
  const limit = expiresAt === null ? 'is limited to addresses' : 'expires';
  throw new DomainError(
    'forbidden',
    `This API key ${limit} and may not read or rotate the inbox secret, which does not`,
  );
}
