import { Injectable } from '@nestjs/common';
import {
  type ApiKeyDto,
  type CreateApiKeyDto,
  type CreatedApiKeyDto,
  type CreateEnvironmentDto,
  type DeletedEnvironmentDto,
  DomainError,
  type EnvironmentDto,
  type EnvironmentId,
  type EnvironmentTagDto,
  type InboxSecretDto,
  inboxSignaturesOf,
  invalidField,
  type SandboxRedirectDto,
  type UpdateEnvironmentDto,
  pick,
} from '@clarion/contracts';
import {
  type ApiKeySummary,
  Database,
  type Environment,
  type EnvironmentChanges,
  EnvironmentRepository,
  type KeyOwner,
  type KeyRights,
} from '@clarion/persistence';
import { hashApiKey } from '@clarion/platform';
import { KeyDirectory } from '../../edge/auth/key-directory';
import { checkCovers } from '../../edge/auth/key-limits';
import { withoutNulls } from '../../edge/http/page';
import { EnvironmentAdmin, type EnvironmentWithKey, type NewKey } from './environment-admin';
import { InboxSecrets } from './inbox-secrets';
import { addressesFault, expiryFault } from './key-input';
import { originsFault } from './origins-fault';

@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly admin: EnvironmentAdmin,
    private readonly inboxSecrets: InboxSecrets,
    private readonly keys: KeyDirectory,
  ) {}

  /** An admin key sees all environments of its organization, any other key only the environment it belongs to. */
  async list(owner: KeyOwner): Promise<EnvironmentDto[]> {
    if (owner.scope !== 'admin') return [await this.current(owner)];
    const rows = await this.database.asSystem(() => this.environments.list(owner.organizationId));
    return rows.map((environment) => toEnvironmentDto(environment));
  }

  current(owner: KeyOwner): Promise<EnvironmentDto> {
    return this.manage(owner, owner.environmentId, async (environment) => toEnvironmentDto(environment));
  }

  create(owner: KeyOwner, input: CreateEnvironmentDto): Promise<EnvironmentDto> {
    const parentId = input.parentId as EnvironmentId | null | undefined;
    checkField('allowedOrigins', input.allowedOrigins, originsFault);
    const wanted = { ...input, ...trackingOf(input), ...redirectOf(input), parentId };
    return this.database.asSystem(async () =>
      createdEnvironmentDto(await this.admin.as(owner).createEnvironment(owner.organizationId, wanted)),
    );
  }

  update(owner: KeyOwner, environmentId: EnvironmentId, input: UpdateEnvironmentDto): Promise<EnvironmentDto> {
    checkField('allowedOrigins', input.allowedOrigins, originsFault);
    const parentId = input.parentId === null ? null : (input.parentId?.toLowerCase() as EnvironmentId | undefined);
    const changes = { ...input, ...trackingOf(input), ...redirectOf(input), parentId };
    return this.manage(owner, environmentId, async ({ id }) => {
      const updated = await this.admin.as(owner).updateEnvironment(owner.organizationId, id, changes);
      // The cached owners of keys include the settings of their environment.
      this.database.afterCommit(() => this.keys.forget());
      return toEnvironmentDto(updated);
    });
  }

  delete(owner: KeyOwner, environmentId: EnvironmentId): Promise<DeletedEnvironmentDto> {
    return this.manage(owner, environmentId, async ({ id, name }) => {
      if (id === owner.environmentId) {
        throw new DomainError(
          'conflict',
          `The API key of this request belongs to the environment "${name}". Use an admin key of another one`,
        );
      }
      // Its keys end with it.
      const keys = (await this.environments.listKeys(id)).filter(({ revokedAt }) => revokedAt === null);
      for (const key of keys) checkCovers(owner, key, 'delete an environment with a key');
      const deletedAt = await this.admin.as(owner).deleteEnvironment(owner.organizationId, id);
      this.database.afterCommit(() => this.keys.forget());
      return { _id: id, name, deletedAt: deletedAt.toISOString() };
    });
  }

  tags(owner: KeyOwner, environmentId: EnvironmentId): Promise<EnvironmentTagDto[]> {
    return this.manage(owner, environmentId, async ({ id }) =>
      (await this.environments.listTags(id)).map((name) => ({ name })),
    );
  }

  listKeys(owner: KeyOwner, environmentId: EnvironmentId): Promise<ApiKeyDto[]> {
    return this.manage(owner, environmentId, async ({ id }) =>
      (await this.environments.listKeys(id)).map((key) => toApiKeyDto(key)),
    );
  }

  createKey(owner: KeyOwner, environmentId: EnvironmentId, input: CreateApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.manage(owner, environmentId, async (environment) => {
      const wanted = keyOf(owner, input);
      checkCovers(owner, wanted, 'create a key');
      const { key, summary } = await this.admin.as(owner).createKey(environment, wanted);
      return { ...toApiKeyDto(summary), key };
    });
  }

  revokeKey(owner: KeyOwner, environmentId: EnvironmentId, keyId: string): Promise<void> {
    return this.manage(owner, environmentId, async (environment) => {
      const revoked = await this.admin.as(owner).revokeKey(environment, keyId, async (key) => {
        checkCovers(owner, key, 'revoke a key');
        if (key.scope === 'admin') await this.checkNotLastAdmin(owner, keyId);
      });
      if (!revoked) throw new DomainError('not_found', `API key ${keyId} was not found`);
      this.database.afterCommit(() => this.keys.forget());
    });
  }

  inboxSecret(owner: KeyOwner, environmentId: EnvironmentId, isMasked: boolean): Promise<InboxSecretDto> {
    return this.manage(owner, environmentId, (environment) => this.inboxSecrets.read(owner, environment, isMasked));
  }

  rotateInboxSecret(owner: KeyOwner, environmentId: EnvironmentId, overlapHours: number): Promise<InboxSecretDto> {
    return this.manage(owner, environmentId, async (environment) => {
      const rotated = await this.inboxSecrets.rotate(owner, environment, overlapHours);
      // The cached environments of inboxes include the ids of their signers.
      this.database.afterCommit(() => this.keys.forget());
      return rotated;
    });
  }

  private async checkNotLastAdmin({ organizationId }: KeyOwner, keyId: string): Promise<void> {
    const others = await this.database.asSystem(() => this.environments.countOtherAdminKeys(organizationId, keyId));
    if (others > 0) return;
    throw new DomainError(
      'conflict',
      'This is the last API key with the scope "admin" of the organization. Create another one first; the command ' +
        `line can also revoke the last one: npm run clarion -- keys revoke ${keyId}`,
    );
  }

  /** Runs `work` on an environment that the key may manage. Others get the same 404 as a missing one. */
  private async manage<T>(
    owner: KeyOwner,
    environmentId: EnvironmentId,
    work: (environment: Environment) => Promise<T>,
  ): Promise<T> {
    const mayManage = environmentId === owner.environmentId || owner.scope === 'admin';
    const environment = mayManage
      ? await this.database.asSystem(() => this.environments.find(owner.organizationId, environmentId))
      : undefined;
    if (!environment) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
    return this.database.asSystem(() => work(environment));
  }
}

/** The key to create. Without addresses of its own it has those of the key that creates it. */
function keyOf(owner: KeyOwner, input: CreateApiKeyDto): KeyRights & Pick<NewKey, 'name'> {
  const { name, scope = 'full', expiresAt, allowedAddresses = owner.allowedAddresses } = input;
  checkField('expiresAt', expiresAt, expiryFault);
  checkField('allowedAddresses', input.allowedAddresses, addressesFault);
  return { name, scope, expiresAt: expiresAt === undefined ? null : new Date(expiresAt), allowedAddresses };
}

function checkField<T>(field: string, value: T | undefined, faultOf: (value: T) => string | undefined): void {
  const fault = value === undefined ? undefined : faultOf(value);
  if (fault !== undefined) throw invalidField(field, `${field} ${fault}`, value);
}

/** Includes the key, which no other response shows. */
export function createdEnvironmentDto({ environment, key }: EnvironmentWithKey): EnvironmentDto {
  return {
    ...toEnvironmentDto(environment),
    apiKeys: [{ key, _userId: environment.organizationId, hash: hashApiKey(key).toString('hex') }],
  };
}

const trackingOf = ({ tracking }: UpdateEnvironmentDto): Pick<EnvironmentChanges, 'trackOpens' | 'trackClicks'> => ({
  trackOpens: tracking?.opens,
  trackClicks: tracking?.clicks,
});

/** Both addresses are given together; a suppression has the same spelling of an email address. */
const redirectOf = ({
  sandboxRedirect: to,
}: UpdateEnvironmentDto): Pick<EnvironmentChanges, 'sandboxEmail' | 'sandboxPhone'> =>
  to === undefined ? {} : { sandboxEmail: to?.email?.toLowerCase() ?? null, sandboxPhone: to?.phone ?? null };

function redirectDto({ sandboxEmail: email, sandboxPhone: phone }: Environment): SandboxRedirectDto | null {
  return email === null && phone === null ? null : { email, phone };
}

function toEnvironmentDto(row: Environment): EnvironmentDto {
  return {
    _id: row.id,
    name: row.name,
    _organizationId: row.organizationId,
    identifier: row.identifier,
    type: row.type,
    kind: row.kind,
    sandboxRedirect: redirectDto(row),
    withoutIntegration: row.withoutIntegration,
    ...(row.color && { color: row.color }),
    ...(row.parentId && { _parentId: row.parentId }),
    ...pick(row, 'dialect', 'allowRecipientOverrides', 'allowRaisedPriority', 'allowedOrigins'),
    inboxSignatures: inboxSignaturesOf(row),
    eventLog: row.eventLog,
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
    oneClickUnsubscribe: row.oneClickUnsubscribe,
    defaultLocale: row.defaultLocale,
    slug: `${row.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}_env_${row.id}`,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toApiKeyDto(row: ApiKeySummary): ApiKeyDto {
  return withoutNulls({
    _id: row.id,
    _environmentId: row.environmentId,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    expiresAt: row.expiresAt?.toISOString(),
    allowedAddresses: row.allowedAddresses,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString(),
    revokedAt: row.revokedAt?.toISOString(),
  });
}
