import { Injectable } from '@nestjs/common';
import { type ConfigurationsDto, type CredentialsDto, DomainError } from '@clarion/contracts';
import { Database, type Integration, type IntegrationChange, IntegrationRepository } from '@clarion/persistence';
import { SecretBox } from '@clarion/platform';
import { AuditLog, type AuditActor, type EnvironmentRef } from '../../edge/audit-log/audit-log';
import { open, seal } from './integration-secrets';

/** Settings that a provider or the visitor of a setup link has given. Absent fields keep their values. */
export type GivenSettings = { credentials?: CredentialsDto; configurations?: ConfigurationsDto; active?: boolean };

/** Stores settings that do not come from a caller of the interface. */
@Injectable()
export class IntegrationSettings {
  constructor(
    private readonly database: Database,
    private readonly integrations: IntegrationRepository,
    private readonly secrets: SecretBox,
    private readonly audit: AuditLog,
  ) {}

  store(actor: AuditActor, environment: EnvironmentRef, id: string, given: GivenSettings): Promise<Integration> {
    const { environmentId } = environment;
    return this.database.transaction(async () => {
      await this.integrations.lock(environmentId);
      const before = await this.find(environment, id);
      const change: IntegrationChange = {
        ...(given.credentials && {
          credentials: { ...before.credentials, ...seal(this.secrets, before, 'credentials', given.credentials) },
        }),
        ...(given.configurations && {
          configurations: {
            ...before.configurations,
            ...seal(this.secrets, before, 'configurations', given.configurations),
          },
        }),
        ...(given.active !== undefined && { active: given.active }),
      };
      await this.integrations.update(environmentId, id, change);
      const after = await this.find(environment, id);
      await this.audit.recordIn(actor, environment, {
        resource: 'integration',
        id,
        before: this.opened(before),
        after: this.opened(after),
      });
      return after;
    });
  }

  private async find({ environmentId }: EnvironmentRef, id: string): Promise<Integration> {
    const row = await this.integrations.find(environmentId, id);
    if (!row) throw new DomainError('not_found', `Entity with id ${id} not found`);
    return row;
  }

  /** The audit log stores only the names of the changed fields. */
  private opened(row: Integration): object {
    const { credentials, configurations } = open(this.secrets, row);
    return { ...row, credentials, configurations };
  }
}
