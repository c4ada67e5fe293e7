import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  isSameJson,
  type Channel,
  type CreateIntegrationDto,
  type CredentialsDto,
  DomainError,
  type EnvironmentId,
  type EnvironmentKind,
  type FieldErrors,
  type IntegrationDto,
  invalidField,
  isDemoProvider,
  LIMITS,
  newId,
  PRIMARY_CHANNELS,
  type ProviderId,
  PROVIDERS_BY_CHANNEL,
  toOurName,
  type UpdateIntegrationDto,
  pick,
} from '@clarion/contracts';
import {
  Database,
  HoldRepository,
  type Integration,
  INTEGRATION_RULES,
  type IntegrationChange,
  IntegrationRepository,
  type KeyOwner,
  violatedUniqueConstraint,
} from '@clarion/persistence';
import { Config, Egress, type Logger, SecretBox } from '@clarion/platform';
import { checkCredentials, describeProvider, isProviderOf } from '@clarion/providers';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { KeyDirectory } from '../../edge/auth/key-directory';
import { LOGGER } from '../../edge/dependencies';
import { resumeDeleted } from '../../edge/auth/operator-holds';
import { seesSecrets } from '../../edge/http/disclosure';
import { withoutNulls } from '../../edge/http/page';
import { askProvider } from './ask-provider';
import { mask, open, seal, unmask, valuesAfter } from './integration-secrets';

@Injectable()
export class IntegrationsService {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly holds: HoldRepository,
    private readonly secrets: SecretBox,
    private readonly config: Config,
    private readonly egress: Egress,
    private readonly audit: AuditLog,
    private readonly keys: KeyDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async list(owner: KeyOwner, deleted = false): Promise<IntegrationDto[]> {
    const rows = deleted
      ? await this.integrations.listDeleted(owner.environmentId, LIMITS.integrations)
      : await this.integrations.list(owner.environmentId);
    return rows.map((row) => this.describe(owner, row));
  }

  async retrieve(owner: KeyOwner, id: string, alsoDeleted = false): Promise<IntegrationDto> {
    return this.describe(owner, await this.find(owner, id, alsoDeleted));
  }

  async listActive(owner: KeyOwner): Promise<IntegrationDto[]> {
    return (await this.integrations.listActive(owner.environmentId)).map((row) => this.describe(owner, row));
  }

  async create(owner: KeyOwner, input: CreateIntegrationDto): Promise<IntegrationDto> {
    checkEnvironment(owner, input._environmentId);
    const { channel, active = false, conditions = [] } = input;
    const providerId = providerOf(channel, input.providerId);
    const name = input.name ?? describeProvider(providerId).displayName;
    const identifier = input.identifier ?? identifierFor(name, providerId);
    const credentials = unmask('credentials', input.credentials ?? {}, {});
    const configurations = unmask('configurations', input.configurations ?? {}, {});
    if (active || input.check) checkComplete(providerId, credentials);
    checkSize({ credentials, configurations, conditions });
    if (input.check) await this.database.beforehand(() => this.accept(providerId, credentials));
    return this.database.transaction(async () => {
      const { environmentId } = owner;
      const kind = await this.integrations.lock(environmentId);
      if (active) checkMaySend(providerId, kind);
      const row = { id: newId(), environmentId, name, identifier, providerId, channel, conditions, active };
      await this.write(environmentId, () =>
        this.integrations.insert({
          ...row,
          credentials: seal(this.secrets, row, 'credentials', credentials),
          configurations: seal(this.secrets, row, 'configurations', configurations),
        }),
      );
      await this.reorder(row);
      const after = await this.find(owner, row.id);
      await this.audit.record(owner, { resource: 'integration', id: row.id, after: this.opened(after) });
      return this.describe(owner, after);
    });
  }

  async update(owner: KeyOwner, id: string, input: UpdateIntegrationDto): Promise<IntegrationDto> {
    checkEnvironment(owner, input._environmentId);
    const checked = input.check ? await this.database.beforehand(() => this.checkStored(owner, id, input)) : undefined;
    return this.database.transaction(async () => {
      const kind = await this.integrations.lock(owner.environmentId);
      const row = await this.find(owner, id);
      if (input.active) checkMaySend(row.providerId, kind);
      const stored = open(this.secrets, row);
      const { name, identifier, active, conditions } = input;
      const { credentials, configurations } = valuesAfter(row.providerId, input, stored);
      const change: IntegrationChange = withoutNulls({
        name,
        identifier,
        active,
        conditions,
        credentials: credentials && seal(this.secrets, row, 'credentials', credentials),
        configurations: isEmpty(configurations)
          ? undefined
          : { ...row.configurations, ...seal(this.secrets, row, 'configurations', configurations) },
      });
      if (checked && !isSameJson(checked, credentials ?? stored.credentials)) {
        throw new DomainError('conflict', 'The credentials were changed while they were being checked, please retry');
      }
      if (isEmpty(change) && !input.check) throw new DomainError('bad_request', 'No properties found for update');
      const activeNow = active ?? row.active;
      if (input.check || (activeNow && (active || credentials))) {
        checkComplete(
          row.providerId,
          credentials ?? stored.credentials,
          credentials ? [] : stored.unreadable.credentials,
        );
      }
      checkSize({
        credentials: credentials ?? stored.credentials,
        configurations: { ...stored.configurations, ...configurations },
        conditions: conditions ?? row.conditions,
      });
      if (!isEmpty(change)) {
        await this.write(owner.environmentId, () => this.integrations.update(owner.environmentId, id, change));
        await this.reorder(row);
        // Unsigned sessions end when signatures are required from now on.
        if (row.channel === 'in_app') this.database.afterCommit(() => this.keys.forget());
      }
      return this.describe(owner, await this.recordUpdate(owner, row));
    });
  }

  /** Returns the remaining integrations. */
  delete(owner: KeyOwner, id: string): Promise<IntegrationDto[]> {
    return this.database.transaction(async () => {
      await this.integrations.lock(owner.environmentId);
      const row = await this.find(owner, id);
      await this.integrations.delete(owner.environmentId, id, owner.keyId);
      // Messages that waited for it go to the other integrations.
      await resumeDeleted(this.holds, owner, owner, 'integration', [id]);
      await this.reorder(row);
      await this.audit.record(owner, { resource: 'integration', id, before: this.opened(row) });
      return this.list(owner);
    });
  }

  setPrimary(owner: KeyOwner, id: string): Promise<IntegrationDto> {
    return this.database.transaction(async () => {
      await this.integrations.lock(owner.environmentId);
      const row = await this.find(owner, id);
      if (!PRIMARY_CHANNELS.includes(row.channel)) {
        throw new DomainError('bad_request', `Channel ${row.channel} does not support primary`);
      }
      if (isDemoProvider(row.providerId)) {
        const { displayName } = describeProvider(row.providerId);
        throw new DomainError('bad_request', `${displayName} delivers into the outbox and cannot be primary`);
      }
      const stored = open(this.secrets, row);
      checkComplete(row.providerId, stored.credentials, stored.unreadable.credentials);
      await this.integrations.update(owner.environmentId, id, { active: true, conditions: [] });
      await this.reorder(row, id);
      return this.describe(owner, await this.recordUpdate(owner, row));
    });
  }

  /** Checks the credentials after the update, before the transaction: a slow provider must not hold it open. */
  private async checkStored(owner: KeyOwner, id: string, input: UpdateIntegrationDto): Promise<CredentialsDto> {
    const row = await this.find(owner, id);
    const stored = open(this.secrets, row);
    const given = valuesAfter(row.providerId, input, stored).credentials;
    const credentials = given ?? stored.credentials;
    checkComplete(row.providerId, credentials, given ? [] : stored.unreadable.credentials);
    await this.accept(row.providerId, credentials);
    return credentials;
  }

  /** Throws with the words of the provider when it rejects the credentials. */
  private async accept(providerId: ProviderId, credentials: CredentialsDto): Promise<void> {
    const result = await askProvider(this.egress, providerId, credentials);
    if (result && !result.ok) throw new DomainError('bad_request', result.message);
  }

  private async find(owner: KeyOwner, id: string, alsoDeleted = false): Promise<Integration> {
    const row = await this.integrations.find(owner.environmentId, id, alsoDeleted);
    if (!row) throw new DomainError('not_found', `Entity with id ${id} not found`);
    return row;
  }

  private async recordUpdate(owner: KeyOwner, before: Integration): Promise<Integration> {
    const after = await this.find(owner, before.id);
    const change = { before: this.opened(before), after: this.opened(after) };
    await this.audit.record(owner, { resource: 'integration', id: before.id, ...change });
    return after;
  }

  /** Decrypted to compare, as equal values have different ciphertexts. The audit log stores only field names. */
  private opened(row: Integration): object {
    const { credentials, configurations } = open(this.secrets, row);
    return { ...row, credentials, configurations };
  }

  private async reorder(row: Pick<Integration, 'environmentId' | 'channel'>, wanted?: string): Promise<void> {
    if (PRIMARY_CHANNELS.includes(row.channel)) {
      await this.integrations.reorder(row.environmentId, row.channel, wanted);
    }
  }

  private async write(environmentId: EnvironmentId, statement: () => Promise<void>): Promise<void> {
    const before = await this.integrations.size(environmentId);
    try {
      await this.database.attempt(statement);
    } catch (error) {
      switch (violatedUniqueConstraint(error)) {
        case INTEGRATION_RULES.identifier:
          throw new DomainError('conflict', 'Integration with identifier already exists');
        case INTEGRATION_RULES.oneInApp:
          throw new DomainError('bad_request', 'The environment already has an in-app integration, there is only one');
        case INTEGRATION_RULES.oneDemo:
          throw new DomainError('conflict', 'The environment already has an integration of this built-in provider');
        default:
          throw error;
      }
    }
    // All of them are read at once: the list is not paged, and every message chooses among them.
    const { count, bytes } = await this.integrations.size(environmentId);
    if (count > before.count && count > LIMITS.integrations) {
      throw new DomainError('bad_request', `An environment holds at most ${LIMITS.integrations} integrations`);
    }
    if (bytes > before.bytes && bytes > LIMITS.integrationsBytes) {
      const most = `at most ${LIMITS.integrationsBytes} are accepted in one environment`;
      throw new DomainError('too_large', `The integrations would have ${bytes} bytes together, ${most}`);
    }
  }

  private describe(owner: KeyOwner, row: Integration): IntegrationDto {
    const { credentials, configurations, unreadable } = open(this.secrets, row);
    const unreadableFields = Object.entries(unreadable).flatMap(([part, fields]) =>
      fields.map((field) => `${part}.${field}`),
    );
    if (unreadableFields.length > 0) {
      this.logger.error(
        { integrationId: row.id, unreadableFields },
        'stored credentials cannot be decrypted: check CLARION_ENCRYPTION_KEY or send them again',
      );
    }
    const isPlain = seesSecrets(owner) && this.config.CLARION_CREDENTIALS_IN_RESPONSES === 'full';
    return withoutNulls({
      _id: row.id,
      _environmentId: row.environmentId,
      _organizationId: owner.organizationId,
      ...pick(row, 'name', 'identifier', 'providerId', 'channel'),
      credentials: isPlain ? credentials : mask('credentials', credentials),
      configurations: isPlain ? configurations : mask('configurations', configurations),
      active: row.active,
      deleted: row.deleted,
      deletedAt: row.deletedAt?.toISOString(),
      deletedBy: row.deletedBy ?? undefined,
      primary: row.primary,
      priority: row.priority,
      conditions: row.conditions,
      health: row.health ?? undefined,
      unreadableFields: unreadableFields.length > 0 ? unreadableFields : undefined,
    });
  }
}

/** A key gives access to one environment. Any other environment gets the same 404 as a missing one. */
function checkEnvironment(owner: KeyOwner, given: string | undefined): void {
  if (given !== undefined && given.toLowerCase() !== owner.environmentId) {
    throw new DomainError('not_found', `Environment ${given} was not found`);
  }
}

/** An active demo provider in production would look as if the channel could send. */
function checkMaySend(providerId: ProviderId, kind: EnvironmentKind): void {
  if (!isDemoProvider(providerId) || kind !== 'production') return;
  throw new DomainError(
    'bad_request',
    `${describeProvider(providerId).displayName} delivers into the outbox and cannot be active in an environment of ` +
      'the kind production',
  );
}

/** Rejects an unknown provider: such an integration could be stored but never send. */
function providerOf(channel: Channel, given: string): ProviderId {
  const id = toOurName(given);
  if (isProviderOf(channel, id)) return id;
  throw invalidField(
    'providerId',
    `providerId must be a provider of the channel ${channel}: ${PROVIDERS_BY_CHANNEL[channel].join(', ')}`,
    given,
  );
}

function checkComplete(providerId: ProviderId, credentials: CredentialsDto, unreadable: string[] = []): void {
  const { missing, invalid } = checkCredentials(providerId, credentials);
  const faults = [
    ...unreadable.map((field) => ({ field, reason: 'is stored, but cannot be decrypted: send it again' })),
    ...missing.filter((field) => !unreadable.includes(field)).map((field) => ({ field, reason: 'is missing' })),
    ...invalid,
  ];
  if (faults.length === 0) return;
  const errors: FieldErrors = {};
  for (const { field, reason } of faults) errors[`credentials.${field}`] = { messages: [`${field} ${reason}`] };
  const sentences = faults.map(({ field, reason }) => `${field} ${reason}`).join('; ');
  throw new DomainError(
    'bad_request',
    `The credentials cannot work with ${describeProvider(providerId).displayName}: ${sentences}`,
    { errors },
  );
}

function checkSize(stored: Pick<IntegrationDto, 'credentials' | 'configurations' | 'conditions'>): void {
  const bytes = Buffer.byteLength(JSON.stringify(stored));
  if (bytes > LIMITS.integrationBytes) {
    throw new DomainError(
      'too_large',
      `Credentials, configurations and conditions have ${bytes} bytes, at most ${LIMITS.integrationBytes} are accepted`,
    );
  }
}

/** Builds a readable identifier with a random suffix that makes it unique in practice. */
function identifierFor(name: string, providerId: ProviderId): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-|-$/g, '');
  return `${slug || providerId}-${randomBytes(5).toString('hex')}`;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
