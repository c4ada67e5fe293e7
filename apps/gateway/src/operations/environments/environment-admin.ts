import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  BUILT_IN_PROVIDER,
  DEMO_PROVIDERS,
  DomainError,
  type EnvironmentId,
  type EnvironmentKind,
  invalidField,
  LIMITS,
  type KeyScope,
  kindOfType,
  newId,
} from '@clarion/contracts';
import {
  type ApiKeySummary,
  AuditLogRepository,
  type BuiltInIntegration,
  Database,
  type Environment,
  type EnvironmentChanges,
  EnvironmentRepository,
  HoldRepository,
  LimitRepository,
  MirrorRepository,
  type Organization,
  violatedUniqueConstraint,
} from '@clarion/persistence';
import { apiKeyPrefix, Config, generateApiKey, hashApiKey, sealApiKey, SecretBox } from '@clarion/platform';
import { describeProvider } from '@clarion/providers';
import { type AuditActor, AuditLog, type EnvironmentRef } from '../../edge/audit-log/audit-log';
import { isOperator } from '../../edge/auth/operator';
import { heldByOperator } from '../../edge/auth/operator-holds';
import { limitsIn, refusalOf } from '../../edge/limits/limit-sources';

export type NewEnvironment = Pick<Environment, 'name'> &
  Partial<Pick<Environment, 'type'>> &
  Omit<EnvironmentChanges, 'name' | 'identifier'>;
export type EnvironmentWithKey = { environment: Environment; key: string };
export type OrganizationWithKey = EnvironmentWithKey & { organization: Organization };
export type NewKey = Partial<Pick<ApiKeySummary, 'name' | 'scope' | 'expiresAt' | 'allowedAddresses'>>;

/** In production the demo providers do not send: a message in the outbox would look as if it had been sent. */
const builtInOf = (kind: EnvironmentKind): BuiltInIntegration[] => [
  { providerId: BUILT_IN_PROVIDER, channel: 'in_app', name: 'In-App', priority: 1, active: true },
  ...DEMO_PROVIDERS.map((providerId) => {
    const { channel, displayName: name } = describeProvider(providerId);
    return { providerId, channel, name, priority: 0, active: kind !== 'production' };
  }),
];

/**
 * Manages organizations, environments and keys for the HTTP interface, the command line and the first start. A key is
 * stored as a hash for lookups and as ciphertext for the inbox signature. Only its creation returns the plain text.
 */
@Injectable()
export class EnvironmentAdmin {
  private readonly audit = new AuditLog(new AuditLogRepository(this.database));
  private actor: AuditActor = 'cli';

  constructor(
    private readonly database: Database,
    private readonly environments: EnvironmentRepository,
    private readonly secrets: SecretBox,
    /** For callers with a key: the command line, and the first start, may create any number. */
    private readonly config: Config = new Config(),
  ) {}

  /** Returns an instance that records its changes in the audit log under this actor. */
  as(actor: AuditActor): EnvironmentAdmin {
    const admin = new EnvironmentAdmin(this.database, this.environments, this.secrets, this.config);
    admin.actor = actor;
    return admin;
  }

  /** On the first start. Undefined if an organization exists, because its key cannot be shown again. */
  ensureDefaults(apiKey?: string): Promise<EnvironmentWithKey | undefined> {
    return this.database.transaction(async () => {
      await this.environments.lockOrganizations();
      if (await this.environments.findOrganization()) return undefined;
      return this.as('setup').createOrganization('Default', { name: 'Development', type: 'dev' }, apiKey);
    });
  }

  async organization(): Promise<Organization> {
    const organization = await this.environments.findOrganization();
    if (!organization)
      throw new DomainError('not_found', 'There is no organization yet: run the migrate command first');
    return organization;
  }

  /** The first key of an organization has the scope `admin`, because no other key could create one. */
  createOrganization(name: string, first: NewEnvironment, apiKey?: string): Promise<OrganizationWithKey> {
    return this.database.transaction(async () => {
      if (typeof this.actor === 'object') await this.checkOrganizations(this.actor);
      const organization = await this.environments.insertOrganization(name);
      const made = await this.createEnvironment(organization.id, first, 'admin', apiKey);
      const created = { resource: 'organization', id: organization.id, after: organization } as const;
      await this.audit.recordIn(this.actor, refOf(made.environment), created);
      // The caller cannot read the audit log of the new organization, so its own log gets the record too.
      if (typeof this.actor === 'object') await this.audit.record(this.actor, created);
      return { organization, ...made };
    });
  }

  createEnvironment(
    organizationId: string,
    input: NewEnvironment,
    scope?: KeyScope,
    apiKey?: string,
  ): Promise<EnvironmentWithKey> {
    return this.database.transaction(async () => {
      if (input.parentId && !(await this.environments.find(organizationId, input.parentId))) {
        throw new DomainError('not_found', `Environment ${input.parentId} was not found`);
      }
      if (typeof this.actor === 'object') await this.checkEnvironments(organizationId);
      const type = input.type ?? 'prod';
      checkRedirect(input, input.kind ?? kindOfType(type));
      const environment = await this.environments.insert({
        ...input,
        organizationId,
        identifier: `env_${randomBytes(9).toString('base64url')}`,
        type,
      });
      if (!environment) throw nameTaken(input.name);
      await this.environments.insertBuiltInIntegrations(environment.id, builtInOf(environment.kind));
      await this.audit.recordIn(this.actor, refOf(environment), {
        resource: 'environment',
        id: environment.id,
        after: environment,
      });
      const hold = await new HoldRepository(this.database).addOfInstallation(newId(), environment.id);
      if (hold)
        await this.audit.recordIn(this.actor, refOf(environment), { resource: 'hold', id: hold.id, after: hold });
      // The first key has the limits of the key that created the environment.
      const { expiresAt, allowedAddresses } = typeof this.actor === 'object' ? this.actor : {};
      const { key } = await this.createKey(
        environment,
        { name: 'default', scope, expiresAt, allowedAddresses },
        apiKey,
      );
      return { environment, key };
    });
  }

  updateEnvironment(
    organizationId: string,
    environmentId: EnvironmentId,
    changes: EnvironmentChanges,
  ): Promise<Environment> {
    return this.database.transaction(async () => {
      const before = await this.environments.lock(organizationId, environmentId);
      if (!before) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
      if (changes.parentId) await this.checkParent(organizationId, environmentId, changes.parentId);
      if (before.kind === 'sandbox' && (changes.kind ?? 'sandbox') !== 'sandbox') await this.checkMirror(environmentId);
      const kind = changes.kind ?? before.kind;
      checkRedirect(changes, kind);
      const redirect = kind === 'sandbox' ? {} : { sandboxEmail: null, sandboxPhone: null };
      const after = await this.database
        .attempt(() => this.environments.update(organizationId, environmentId, { ...changes, ...redirect }))
        .catch((error: unknown) => {
          const taken = violatedUniqueConstraint(error);
          if (taken === 'environment_name_key') throw nameTaken(changes.name!);
          if (taken !== 'environment_identifier_key') throw error;
          throw identifierTaken(changes.identifier!);
        });
      if (after.identifier !== before.identifier) await this.exchangeIdentifiers(before, after);
      if (after.kind === 'production') await this.environments.deactivateDemoIntegrations(environmentId);
      // Workers read the default locale with the translations.
      if (after.defaultLocale !== before.defaultLocale) await this.environments.raiseContentVersion(environmentId);
      const change = { resource: 'environment', id: environmentId, before, after } as const;
      await this.audit.recordIn(this.actor, { organizationId, environmentId }, change);
      return after;
    });
  }

  /** Hides the environment and ends its keys at once. Maintenance deletes its rows. */
  deleteEnvironment(organizationId: string, environmentId: EnvironmentId): Promise<Date> {
    return this.database.transaction(async () => {
      const before = await this.environments.lock(organizationId, environmentId);
      if (!before) throw new DomainError('not_found', `Environment ${environmentId} was not found`);
      if ((await this.environments.countLocked(organizationId)).existing < 2) {
        throw new DomainError('conflict', `Environment "${before.name}" is the last one of its organization`);
      }
      if (!isOperator(this.actor)) await this.checkUnrestricted(environmentId);
      // What is not sent yet stays unsent until maintenance deletes it.
      await new HoldRepository(this.database).add({
        id: newId(),
        environmentId,
        target: 'environment',
        targetId: environmentId,
        targetName: before.name,
        reason: 'The environment was deleted',
        heldBy: 'the deletion',
        byOperator: false,
      });
      const deletedAt = await this.environments.markDeleted(organizationId, environmentId);
      const deleted = { resource: 'environment', id: environmentId, before } as const;
      await this.audit.recordIn(this.actor, { organizationId, environmentId }, deleted);
      // No key can read the audit log of the deleted environment, so that of the caller gets the record too.
      if (typeof this.actor === 'object') await this.audit.record(this.actor, deleted);
      return deletedAt;
    });
  }

  /** Each organization has a share of every process, so a tenant must not make organizations for itself. */
  private async checkOrganizations({ organizationId }: EnvironmentRef): Promise<void> {
    await this.environments.lockOrganizations();
    const { CLARION_MAX_ORGANIZATIONS: most } = this.config;
    const organizations = await this.environments.listOrganizations();
    if (organizations[0]?.id !== organizationId) {
      throw new DomainError(
        'forbidden',
        'Organizations are created with a key of the first organization of the installation, or on the command line',
      );
    }
    if (organizations.length < most) return;
    throw new DomainError(
      'forbidden',
      `The installation has ${organizations.length} organizations, and may have ${most}: its operator can raise ` +
        'CLARION_MAX_ORGANIZATIONS, or create more on the command line',
    );
  }

  /** As many again may be being deleted: creating and deleting in turn would fill the database otherwise. */
  private async checkEnvironments(organizationId: string): Promise<void> {
    const { CLARION_MAX_ENVIRONMENTS: most } = this.config;
    const { existing, deleted } = await this.environments.countLocked(organizationId);
    if (existing >= most) {
      throw new DomainError(
        'forbidden',
        `The organization has ${existing} environments, and may have ${most}: delete one, or ask the operator of the ` +
          'installation to raise CLARION_MAX_ENVIRONMENTS',
      );
    }
    if (deleted < most) return;
    throw new DomainError(
      'forbidden',
      `${deleted} environments of the organization are still being deleted: create another one when some are gone`,
    );
  }

  /** A tenant would get rid of what the operator set, and of what it was set for. */
  private async checkUnrestricted(environmentId: EnvironmentId): Promise<void> {
    const hold = await new HoldRepository(this.database).findOfOperator(environmentId);
    if (hold) throw heldByOperator(hold);
    const [limits] = await new LimitRepository(this.database).list([environmentId]);
    const refusal =
      limits &&
      limitsIn(limits)
        .map((name) => refusalOf(limits, name))
        .find(Boolean);
    if (refusal) throw refusal;
  }

  private async exchangeIdentifiers(before: Environment, { organizationId, identifier }: Environment): Promise<void> {
    if (!(await this.environments.takeIdentifier(organizationId, identifier))) throw identifierTaken(identifier);
    const reserved = await this.environments.reserveIdentifier(organizationId, before.identifier);
    if (reserved <= LIMITS.formerIdentifiers) return;
    throw new DomainError(
      'conflict',
      `An organization can give up ${LIMITS.formerIdentifiers} identifiers, because no other one may get them`,
    );
  }

  /** While the other system of a mirror sends to people, the environment must not send, too. */
  private async checkMirror(environmentId: EnvironmentId): Promise<void> {
    const mirror = await new MirrorRepository(this.database).find(environmentId);
    if (!mirror || mirror.delivers !== 'other' || (!mirror.isRunning && mirror.waiting === 0)) return;
    throw new DomainError(
      'conflict',
      'The environment is mirrored, and the other system sends to people: stop the mirror before the kind is changed',
    );
  }

  /** The parents of an environment lead to no circle. */
  private async checkParent(organizationId: string, id: EnvironmentId, parentId: EnvironmentId): Promise<void> {
    const parents = new Map((await this.environments.list(organizationId)).map((each) => [each.id, each.parentId]));
    if (!parents.has(parentId)) throw new DomainError('not_found', `Environment ${parentId} was not found`);
    const seen = new Set<EnvironmentId>([id]);
    for (let next: EnvironmentId | null = parentId; next; next = parents.get(next) ?? null) {
      if (seen.has(next)) {
        throw invalidField('parentId', 'parentId must not name the environment or one that takes from it', parentId);
      }
      seen.add(next);
    }
  }

  createKey(
    environment: Environment,
    options: NewKey,
    apiKey?: string,
  ): Promise<{ key: string; summary: ApiKeySummary }> {
    const key = apiKey ?? generateApiKey(environment.name);
    return this.database.transaction(async () => {
      // Of two creations at the same time, the second one counts the key of the first one.
      await this.environments.lock(environment.organizationId, environment.id);
      const id = newId();
      const summary = await this.environments.insertKey(environment.id, {
        id,
        name: options.name ?? 'key',
        scope: options.scope ?? 'full',
        expiresAt: options.expiresAt ?? null,
        allowedAddresses: options.allowedAddresses ?? null,
        prefix: apiKeyPrefix(key),
        hash: hashApiKey(key),
        encryptedKey: sealApiKey(this.secrets, environment.id, id, key),
      });
      if (!summary) throw tooManyKeys(environment);
      await this.audit.recordIn(this.actor, refOf(environment), { resource: 'api_key', id, after: summary });
      return { key, summary };
    });
  }

  /** Returns undefined if the environment has no such key or it is already revoked. `check` throws to refuse. */
  revokeKey(
    environment: Environment,
    keyId: string,
    check?: (key: ApiKeySummary) => Promise<void>,
  ): Promise<ApiKeySummary | undefined> {
    return this.database.transaction(async () => {
      const key = await this.environments.findKey(environment.id, keyId);
      if (!key) return undefined;
      await check?.(key);
      if (!(await this.environments.revokeKey(environment.id, keyId))) return undefined;
      const change = { resource: 'api_key', id: keyId, verb: 'revoked', before: key } as const;
      await this.audit.recordIn(this.actor, refOf(environment), change);
      return key;
    });
  }
}

const refOf = ({ organizationId, id }: Environment): EnvironmentRef => ({ organizationId, environmentId: id });

const identifierTaken = (identifier: string): DomainError =>
  new DomainError('conflict', `The identifier "${identifier}" is taken`);

/** Elsewhere it would look as if messages were redirected. */
function checkRedirect(
  { sandboxEmail, sandboxPhone }: Pick<NewEnvironment, 'sandboxEmail' | 'sandboxPhone'>,
  kind: EnvironmentKind,
): void {
  const address = sandboxEmail ?? sandboxPhone;
  if (!address || kind === 'sandbox') return;
  throw invalidField('sandboxRedirect', 'sandboxRedirect needs an environment of the kind "sandbox"', address);
}

const tooManyKeys = ({ name }: Environment): DomainError =>
  new DomainError(
    'conflict',
    `The environment "${name}" has ${LIMITS.apiKeys} API keys that can be used, and may have no more: revoke one ` +
      'that is no longer needed, or wait until one expires',
  );

const nameTaken = (name: string): DomainError =>
  new DomainError('conflict', `Environment with name "${name}" already exists`);
